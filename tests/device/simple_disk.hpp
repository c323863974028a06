// A disk with round numbers for tests: 10 ms a revolution, 100 sectors a track, 100 us a sector; 2 heads, 200
// cylinders; 1 ms to the next cylinder and 0.1 ms for each further one; 0.5 ms to switch heads; 1 us a sector
// on the bus; no skew, no overheads, no read-ahead, unless a test asks for it.
#pragma once

#include <memory>
#include <vector>

#include "models/device/disk.hpp"

namespace seekahead {

constexpr TimeNs us = ns_per_us;
constexpr TimeNs ms = ns_per_ms;
constexpr std::int64_t track_sectors = 100;
constexpr std::int64_t cylinder_sectors = 200;

inline DiskParameters simple_disk() {
  DiskParameters p;
  ZoneRow zone;
  zone.first_cylinder = 0;
  zone.last_cylinder = 199;
  zone.sectors_per_track = track_sectors;
  zone.track_skew_sectors = 0;
  zone.cylinder_skew_sectors = 0;
  p.geometry.heads = 2;
  p.geometry.zones = {zone};
  p.mechanics.rpm = 6000;
  p.mechanics.seek_points = {{1, 1 * ms}, {11, 2 * ms}};
  p.mechanics.head_switch_ns = 500 * us;
  p.cache.segments = 4;
  p.cache.segment_sectors = 200;
  p.cache.prefetch_type = 0;
  p.bus.sector_time_ns = 1 * us;
  return p;
}

// One request after the other, as a host with one outstanding would send them.
class OneAtATime {
 public:
  explicit OneAtATime(const DiskParameters& p)
      : disk_(make_disk(p, p.mechanics.start_angle, nullptr, nullptr)) {}

  TimeNs now() const { return now_; }
  void wait_until(TimeNs moment) { now_ = moment; }
  const Completion& last() const { return done_.front(); }
  BlockDevice& disk() { return *disk_; }

  // Response times.
  TimeNs read(SectorNumber lbn, std::int64_t sectors) { return serve(lbn, sectors, false); }
  TimeNs write(SectorNumber lbn, std::int64_t sectors) { return serve(lbn, sectors, true); }

 private:
  TimeNs serve(SectorNumber lbn, std::int64_t sectors, bool is_write) {
    const TimeNs arrival = now_;
    done_.clear();
    disk_->submit(now_, {1, lbn, sectors, is_write});
    while (done_.empty()) {
      disk_->advance(disk_->next_event_ns(), done_);
    }
    now_ = done_.front().time_ns;
    return now_ - arrival;
  }

  std::unique_ptr<BlockDevice> disk_;
  TimeNs now_ = 0;
  std::vector<Completion> done_;
};

}  // namespace seekahead
