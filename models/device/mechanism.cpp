#include "models/device/mechanism.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace seekahead {

namespace {
// A sector whose edge passed this share of a revolution ago is still caught: far below a sector, far above
// the rounding of a moment days into the run.
constexpr double just_passed = 1e-8;
}  // namespace

Mechanism::Mechanism(const GeometryParameters& geometry, const MechanicsParameters& mechanics,
                     double start_angle)
    : geometry_(geometry),
      seek_(mechanics, geometry_.cylinders()),
      rotation_ns_(60e9 / mechanics.rpm),
      start_angle_(start_angle),
      head_switch_ns_(static_cast<double>(mechanics.head_switch_ns)),
      cylinder_switch_ns_(static_cast<double>(mechanics.cylinder_switch_ns)),
      write_settle_ns_(static_cast<double>(mechanics.write_settle_ns)) {}

double Mechanism::positioning_ns(const Arm& from, const Track& to, bool is_write) const {
  double time = seek_.time_ns(std::abs(from.cylinder - to.cylinder), is_write);
  if (from.head != to.head) {
    time = std::max(time, head_switch_ns_);
  }
  return is_write && time > 0 ? time + write_settle_ns_ : time;
}

double Mechanism::crossing_ns(const Track& from, const Track& to, bool is_write) const {
  const bool neighbours = std::abs(from.cylinder - to.cylinder) == 1;
  if (cylinder_switch_ns_ > 0 && neighbours) {
    return from.head != to.head ? std::max(cylinder_switch_ns_, head_switch_ns_) : cylinder_switch_ns_;
  }
  return positioning_ns({from.cylinder, from.head}, to, is_write);
}

double Mechanism::latency_ns(Moment now, double angle) const {
  const double turns = angle - now / rotation_ns_ - start_angle_;
  const double wait = turns - std::floor(turns);
  return wait > 1 - just_passed ? 0 : wait * rotation_ns_;
}

void Mechanism::wait_for_first(Run& run) const {
  run.sector_ns = sector_ns(run.track);
  run.start = run.arrival + latency_ns(run.arrival, geometry_.angle_of(run.track, run.first));
}

Run Mechanism::approach(Moment now, const Arm& from, SectorNumber lbn, bool is_write) const {
  Run run;
  run.track = geometry_.track_of(lbn);
  run.first = lbn;
  run.arrival = now + positioning_ns(from, run.track, is_write);
  wait_for_first(run);
  return run;
}

Run Mechanism::cross(const Run& run, Moment now, bool is_write) const {
  Run next;
  next.first = run.track.last_lbn + 1;
  next.track = geometry_.track_of(next.first);
  next.arrival = now + crossing_ns(run.track, next.track, is_write);
  wait_for_first(next);
  return next;
}

}  // namespace seekahead
