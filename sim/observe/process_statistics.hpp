// Counters of one simulated process.
#pragma once

#include <cstdint>

#include "sim/engine/units.hpp"
#include "sim/observe/latency_histogram.hpp"

namespace seekahead {

struct ProcessStatistics {
  std::uint64_t bytes_read = 0;  // delivered by read(2) or touched through faults (whole pages)
  std::uint64_t bytes_written = 0;
  std::int64_t reads = 0;
  std::int64_t writes = 0;
  std::int64_t faults = 0;
  std::int64_t submissions = 0;  // of readahead windows and single pages that had something to read
  std::int64_t pages_read = 0;   // by those, from the device
  TimeNs start_ns = 0;
  TimeNs end_ns = 0;
  TimeNs cpu_ns = 0;
  bool ended = false;
  LatencyHistogram latency;  // of its reads, writes and faults
};

}  // namespace seekahead
