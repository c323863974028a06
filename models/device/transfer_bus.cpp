#include "models/device/transfer_bus.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace seekahead {

namespace {

constexpr std::int64_t ide_max_sectors = 256;
constexpr std::int64_t scsi_max_sectors = 65535;

double mode_bytes_per_ns(const std::string& mode) {
  struct Mode {
    const char* name;
    double bytes_per_ns;
  };
  constexpr Mode modes[] = {
      {"pio4", 0.01667}, {"udma2", 0.03333}, {"udma4", 0.06667}, {"udma5", 0.1}, {"udma6", 0.13333}};
  for (const Mode& m : modes) {
    if (mode == m.name) {
      return m.bytes_per_ns;
    }
  }
  return 0.1;
}

double sector_time(const BusParameters& p) {
  if (p.sector_time_ns > 0) {
    return static_cast<double>(p.sector_time_ns);
  }
  constexpr auto bytes = static_cast<double>(sector_bytes);
  if (p.kind == "ide") {
    return bytes / (mode_bytes_per_ns(p.mode) * p.efficiency_percent / 100);
  }
  return bytes * 1e9 / static_cast<double>(p.rate_bytes_per_s);
}

}  // namespace

Moment SharedBus::occupy(Moment ready, double length) {
  Moment from = ready;
  auto at = busy_.begin();
  for (; at != busy_.end() && at->from < from + length; ++at) {
    from = std::max(from, at->until);
  }
  busy_.insert(at, {from, from + length});
  return from;
}

void SharedBus::forget(Moment now) {
  while (!busy_.empty() && busy_.front().until <= now) {
    busy_.pop_front();
  }
}

TransferBus::TransferBus(const BusParameters& p, std::shared_ptr<SharedBus> shared)
    : sector_ns_(sector_time(p)),
      adapter_ns_(static_cast<double>(p.adapter_overhead_ns)),
      command_ns_(static_cast<double>(p.command_time_ns)),
      reselect_ns_(static_cast<double>(p.reselect_time_ns)),
      burst_sectors_(p.burst_sectors),
      plain_(!shared && p.reselect_time_ns == 0 && p.burst_sectors == 1),
      shared_(std::move(shared)) {}

Moment TransferBus::command_arrives(Moment submitted) {
  const Moment ready = submitted + adapter_ns_;
  if (command_ns_ == 0) {
    return ready;
  }
  return (shared_ ? shared_->occupy(ready, command_ns_) : ready) + command_ns_;
}

Moment TransferBus::transfer(Moment ready, std::int64_t sectors) {
  const double length = reselect_ns_ + static_cast<double>(sectors) * sector_ns_;
  return (shared_ ? shared_->occupy(ready, length) : ready) + length;
}

std::int64_t max_request_sectors(const BusParameters& p) {
  if (p.max_request_sectors > 0) {
    return p.max_request_sectors;
  }
  return p.kind == "ide" ? ide_max_sectors : scsi_max_sectors;
}

}  // namespace seekahead
