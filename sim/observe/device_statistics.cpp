#include "sim/observe/device_statistics.hpp"

#include <algorithm>

namespace seekahead {

void DeviceStatistics::count_request(const ServiceTime& spent, TimeNs waited_ns, TimeNs latency_ns,
                                     std::int64_t sectors, bool is_write) {
  ++requests;
  bytes += sectors * sector_bytes;
  if (!is_write) {
    ++reads;
    bytes_read += sectors * sector_bytes;
  }
  cache_hits += spent.cache_hit ? 1 : 0;
  service.overhead_ns += spent.overhead_ns;
  service.seek_ns += spent.seek_ns;
  service.rotation_ns += spent.rotation_ns;
  service.transfer_ns += spent.transfer_ns;
  service.bus_ns += spent.bus_ns;
  service.queue_ns += spent.queue_ns;
  wait_ns += waited_ns;
  latency.add(latency_ns);
  std::size_t bucket = 0;
  while (bucket + 1 < size_histogram.size() && sectors > sectors_per_page << bucket) {
    ++bucket;
  }
  ++size_histogram[bucket];
}

void DeviceStatistics::level(TimeNs now, std::int64_t outstanding, std::int64_t in_device) {
  const TimeNs span = now - last_change_ns_;
  queue_time_integral_ns += span * outstanding_;
  busy_ns += in_device_ > 0 ? span : 0;
  last_change_ns_ = now;
  outstanding_ = outstanding;
  in_device_ = in_device;
  queue_max = std::max(queue_max, outstanding);
}

}  // namespace seekahead
