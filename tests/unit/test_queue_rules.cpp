// Congestion thresholds of the 2.6 kernels against the published numbers of slots.
#include <catch2/catch.hpp>

#include "sim/block/queue_rules.hpp"

using namespace seekahead;

TEST_CASE("congestion begins and ends where the kernels have it") {
  const auto limits = [](const char* kernel, std::int64_t slots) {
    const CongestionLimits found = congestion_limits(*find_queue_rules(kernel), slots);
    return std::pair(found.on, found.off);
  };
  CHECK(limits("2.4.5", 128) == std::pair<std::int64_t, std::int64_t>(0, 0));
  CHECK(limits("2.6.8", 128) == std::pair<std::int64_t, std::int64_t>(113, 111));
  CHECK(limits("2.6.11", 128) == std::pair<std::int64_t, std::int64_t>(113, 103));
  CHECK(limits("2.6.11", 1024) == std::pair<std::int64_t, std::int64_t>(897, 831));  // cfq's number of slots
  CHECK(limits("2.6.24", 4) == std::pair<std::int64_t, std::int64_t>(4, 3));         // never more than all
}
