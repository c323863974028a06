// Counters of one device, fed by its request queue. Times are sums over requests, nanoseconds.
#pragma once

#include <array>
#include <cstdint>

#include "sim/device/block_device.hpp"
#include "sim/engine/units.hpp"
#include "sim/observe/latency_histogram.hpp"

namespace seekahead {

struct DeviceStatistics {
  std::int64_t requests = 0;
  std::int64_t reads = 0;
  std::int64_t bytes = 0;
  std::int64_t bytes_read = 0;
  std::int64_t cache_hits = 0;
  std::int64_t merges = 0;                        // bios that joined a waiting request
  std::int64_t slot_waits = 0;                    // processes that slept for a request slot
  std::int64_t queue_max = 0;                     // most requests waiting or in the device
  ServiceTime service;                            // sums
  TimeNs wait_ns = 0;                             // in the queue, before dispatch
  TimeNs busy_ns = 0;                             // at least one request in the device
  TimeNs queue_time_integral_ns = 0;              // sum over time of the number outstanding
  LatencyHistogram latency;                       // queued to complete
  std::array<std::int64_t, 12> size_histogram{};  // requests of up to 4 KiB x 2^i

  void count_request(const ServiceTime& spent, TimeNs waited_ns, TimeNs latency_ns, std::int64_t sectors,
                     bool is_write);
  // The number of requests outstanding changes to `outstanding`, of those `in_device` in the device.
  void level(TimeNs now, std::int64_t outstanding, std::int64_t in_device);
  TimeNs last_change_ns() const { return last_change_ns_; }

 private:
  TimeNs last_change_ns_ = 0;
  std::int64_t outstanding_ = 0;
  std::int64_t in_device_ = 0;
};

}  // namespace seekahead
