#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <vector>

#include "sim/engine/random.hpp"
#include "sim/observe/latency_histogram.hpp"

using namespace seekahead;

TEST_CASE("latency percentiles are at most 0.8 percent above the sorted sample's") {
  Random random(3);
  LatencyHistogram histogram;
  std::vector<TimeNs> sample;
  for (int i = 0; i < 20000; ++i) {
    const TimeNs value =
        random.between(0, 1) == 0 ? random.between(0, 300) : random.between(1000, 50'000'000);
    sample.push_back(value);
    histogram.add(value);
  }
  std::sort(sample.begin(), sample.end());
  for (const double percent : {1.0, 50.0, 90.0, 99.0, 99.9, 99.99, 100.0}) {
    const auto rank = static_cast<std::size_t>(std::ceil(percent / 100 * 20000)) - 1;
    const auto exact = static_cast<double>(sample[rank]);
    const auto got = static_cast<double>(histogram.percentile_ns(percent));
    CAPTURE(percent, exact, got);
    CHECK(got >= exact);
    CHECK(got <= exact * 1.008 + 1e-9);
  }
  CHECK(histogram.max_ns() == sample.back());
}

TEST_CASE("latency histogram of nothing and of one value") {
  LatencyHistogram histogram;
  CHECK(histogram.percentile_ns(50) == 0);
  CHECK(histogram.mean_ns() == 0.0);
  histogram.add(1234567);
  CHECK(histogram.percentile_ns(50) == 1234567);
  CHECK(histogram.percentile_ns(99.99) == 1234567);
  CHECK(histogram.mean_ns() == 1234567.0);
}
