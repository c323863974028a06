#include <algorithm>
#include <catch2/catch.hpp>
#include <vector>

#include "models/device/fixed_latency.hpp"
#include "sim/device/replay.hpp"

using namespace seekahead;

namespace {

// Feeds a list of requests and keeps what became of them.
struct Recorder : ReplayUser {
  std::vector<ReplayRequest> requests;
  std::vector<std::uint64_t> completion_order;
  std::vector<TimeNs> arrival_ms;
  std::vector<TimeNs> end_ms;
  std::size_t given = 0;

  bool next(ReplayRequest& request) override {
    if (given == requests.size()) {
      return false;
    }
    request = requests[given++];
    return true;
  }
  void completed(std::uint64_t row, TimeNs arrival_ns, const Completion& completion) override {
    completion_order.push_back(row);
    arrival_ms.resize(std::max(arrival_ms.size(), row + 1));
    end_ms.resize(arrival_ms.size());
    arrival_ms[row] = arrival_ns / ns_per_ms;
    end_ms[row] = completion.time_ns / ns_per_ms;
  }
};

ReplayRequest at(SectorNumber lbn, TimeNs arrival_ms = 0, TimeNs think_ms = 0) {
  return {arrival_ms * ns_per_ms, think_ms * ns_per_ms, lbn, 1, false};
}

// Ten milliseconds a request, but for a microsecond of transfer that the recorder cuts off.
std::unique_ptr<BlockDevice> ten_ms_device(std::int64_t depth = 1) {
  FixedLatencyParameters p;
  p.access_ns = 10 * ns_per_ms - 1;
  p.bandwidth = 512'000'000'000;  // a sector a nanosecond
  p.queue_depth = depth;
  return make_fixed_latency(p, {});
}

using Order = std::vector<std::uint64_t>;
using Times = std::vector<TimeNs>;

}  // namespace

TEST_CASE("open replay lets every request arrive at its own time") {
  const auto device = ten_ms_device();
  Recorder user;
  user.requests = {at(5, 3), at(6, 5), at(7, 40)};
  REQUIRE(replay(*device, {}, user) == 50 * ns_per_ms);
  CHECK(user.arrival_ms == Times{3, 5, 40});
  CHECK(user.end_ms == Times{13, 23, 50});
}

TEST_CASE("closed replay thinks after each completion and before the first arrival") {
  const auto device = ten_ms_device();
  Recorder user;
  user.requests = {at(1, 77), at(2, 3), at(3, 1)};
  ReplayOptions options;
  options.outstanding = 1;
  options.think_ns = 5 * ns_per_ms;
  replay(*device, options, user);
  CHECK(user.arrival_ms == Times{5, 20, 35});
  CHECK(user.end_ms == Times{15, 30, 45});
}

TEST_CASE("closed replay takes the think time of each request where none is given") {
  const auto device = ten_ms_device();
  Recorder user;
  user.requests = {at(1, 0, 7), at(2, 0, 0), at(3, 0, 9)};
  ReplayOptions options;
  options.outstanding = 1;
  replay(*device, options, user);
  CHECK(user.arrival_ms == Times{0, 17, 27});
}

// Rule of the reference traces: the next request is picked from those that wait, and only then does the one
// that replaces the completed request arrive.
TEST_CASE("closed replay picks the next request before the new one arrives") {
  const auto device = ten_ms_device();
  Recorder user;
  // After row 0 (lbn 50) only row 1 (lbn 90) waits; row 2 (lbn 60) would be nearer but has not arrived yet.
  user.requests = {at(50), at(90), at(60), at(95), at(10)};
  ReplayOptions options;
  options.outstanding = 2;
  options.order = HostOrder::sstf;
  replay(*device, options, user);
  CHECK(user.completion_order == Order{0, 1, 2, 3, 4});
  CHECK(user.arrival_ms == Times{0, 0, 10, 20, 30});
}

TEST_CASE("c-look goes upwards from the last started LBN and then back to the lowest") {
  const auto device = ten_ms_device();
  Recorder user;
  user.requests = {at(50), at(40), at(70), at(60), at(50), at(10)};
  ReplayOptions options;
  options.outstanding = 6;
  options.order = HostOrder::clook;
  replay(*device, options, user);
  CHECK(user.completion_order == Order{0, 4, 3, 2, 5, 1});
}

TEST_CASE("sstf takes the nearest LBN and the earlier of two equal ones") {
  const auto device = ten_ms_device();
  Recorder user;
  user.requests = {at(50), at(40), at(45), at(70), at(45)};
  ReplayOptions options;
  options.outstanding = 5;
  options.order = HostOrder::sstf;
  replay(*device, options, user);
  CHECK(user.completion_order == Order{0, 2, 4, 1, 3});
}

TEST_CASE("sstf goes up and down in turn when two are equally near") {
  const auto device = ten_ms_device();
  Recorder user;
  user.requests = {at(50), at(40), at(60), at(70), at(80)};  // 40 and 60 tie, then 60: 70, 80, 40
  ReplayOptions options;
  options.outstanding = 5;
  options.order = HostOrder::sstf;
  replay(*device, options, user);
  CHECK(user.completion_order == Order{0, 2, 3, 4, 1});

  const auto again = ten_ms_device();
  Recorder ties;
  ties.requests = {at(50), at(60), at(40), at(80)};  // up to 60; then 40 and 80 tie: down
  options.outstanding = 4;
  replay(*again, options, ties);
  CHECK(ties.completion_order == Order{0, 1, 2, 3});
}

TEST_CASE("requests beyond the depth wait on the host's side") {
  const auto device = ten_ms_device(3);
  Recorder user;
  user.requests = {at(50), at(90), at(10), at(20), at(5)};
  ReplayOptions options;
  options.order = HostOrder::clook;
  options.depth = 3;
  replay(*device, options, user);
  // Three go down as they come; of the other two, c-look picks lbn 20 (at or behind 10) and then 5.
  CHECK(user.completion_order == Order{0, 1, 2, 3, 4});
  CHECK(user.end_ms == Times{10, 20, 30, 40, 50});
}

TEST_CASE("a replay longer than a century is an error and not an overflow") {
  const auto device = ten_ms_device();
  Recorder user;
  for (int i = 0; i < 20; ++i) {
    user.requests.push_back(at(1, 0, 1'000'000'000'000));  // think 10^12 ms
  }
  ReplayOptions options;
  options.outstanding = 1;
  CHECK_THROWS_WITH(replay(*device, options, user), "simulated time exceeds a century");
}
