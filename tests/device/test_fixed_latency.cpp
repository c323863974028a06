#include <catch2/catch.hpp>
#include <cstdio>
#include <string>

#include "models/device/fixed_latency.hpp"

using namespace seekahead;

namespace {

std::string two_decimals(double value) {
  char text[64];
  std::snprintf(text, sizeof text, "%.2f", value);
  return text;
}

// One request after another, each submitted at the completion of the one before; returns the last completion.
Completion run_in_series(BlockDevice& device, std::int64_t sectors, int requests) {
  Completion last;
  std::vector<Completion> done;
  for (int i = 0; i < requests; ++i) {
    device.submit(last.time_ns, {static_cast<std::uint64_t>(i), i * sectors, sectors, false});
    done.clear();
    device.advance(device.next_event_ns(), done);
    REQUIRE(done.size() == 1);
    REQUIRE(device.next_event_ns() == never_ns);
    last = done.front();
  }
  return last;
}

struct Row {
  std::int64_t io_kb;
  const char* latency_ms;
  const char* util_percent;
  const char* kb_s;
  const char* iops;
};

}  // namespace

// Wu, linux-mm, 2010-02-02 and 2010-02-24: 8 ms access, 100 MiB/s.
TEST_CASE("fixed-latency gives the published table of I/O size to the last digit") {
  const auto row = GENERATE(
      Row{4, "8.04", "0.49", "497.57", "124.39"}, Row{8, "8.08", "0.97", "990.33", "123.79"},
      Row{16, "8.16", "1.92", "1961.69", "122.61"}, Row{32, "8.31", "3.76", "3849.62", "120.30"},
      Row{64, "8.62", "7.25", "7420.29", "115.94"}, Row{128, "9.25", "13.51", "13837.84", "108.11"},
      Row{256, "10.50", "23.81", "24380.95", "95.24"}, Row{512, "13.00", "38.46", "39384.62", "76.92"},
      Row{1024, "18.00", "55.56", "56888.89", "55.56"}, Row{2048, "28.00", "71.43", "73142.86", "35.71"},
      Row{4096, "48.00", "83.33", "85333.33", "20.83"});
  FixedLatencyParameters p;
  p.max_request_bytes = 4 << 20;
  const auto device = make_fixed_latency(p, {});
  constexpr int requests = 8;
  const Completion last = run_in_series(*device, row.io_kb * 2, requests);
  const double each_ns = static_cast<double>(last.time_ns) / requests;
  INFO(row.io_kb << " KiB");
  CHECK(two_decimals(each_ns / 1e6) == row.latency_ms);
  CHECK(two_decimals(100.0 * static_cast<double>(last.service.transfer_ns) / each_ns) == row.util_percent);
  CHECK(two_decimals(static_cast<double>(row.io_kb) * 1e9 / each_ns) == row.kb_s);
  CHECK(two_decimals(1e9 / each_ns) == row.iops);
}

TEST_CASE("fixed-latency serves queued requests strictly one after the other") {
  FixedLatencyParameters p;
  p.access_ns = 5 * ns_per_ms;
  p.bandwidth = 512'000'000;  // a sector a microsecond
  p.queue_depth = 2;
  const auto device = make_fixed_latency(p, {});
  device->submit(0, {7, 1000, 100, false});
  device->submit(1 * ns_per_ms, {9, 0, 200, true});
  std::vector<Completion> done;
  device->advance(5'099'999, done);
  REQUIRE(done.empty());
  device->advance(5'100'000, done);
  REQUIRE(done.size() == 1);
  CHECK(done[0].id == 7);
  device->advance(10'299'999, done);
  REQUIRE(done.size() == 1);
  device->advance(10'300'000, done);
  REQUIRE(done.size() == 2);
  CHECK(done[1].id == 9);
  CHECK(done[1].service.queue_ns == 4'100'000);
  CHECK(done[1].service.transfer_ns == 200'000);
}
