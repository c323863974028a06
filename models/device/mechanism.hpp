// The moving parts: where the arm stands, how long a seek or a head switch takes, when a sector comes round.
//
// Moments and spans are doubles in nanoseconds: a sector's time is no whole number of them, and the phase of
// the platter must stay exact over days of simulated time. The platter turns for ever: its angle is a
// function of the moment alone.
#pragma once

#include "models/device/geometry.hpp"
#include "models/device/seek_curve.hpp"

namespace seekahead {

using Moment = double;  // nanoseconds since the start of the run

struct Arm {
  std::int64_t cylinder = 0;
  std::int64_t head = 0;
};

// A stretch of consecutive LBNs under way on one track: `first` passes under the head from `start` on, each
// further one `sector_ns` later. The arm settled on the track at `arrival`.
struct Run {
  Track track;
  Moment arrival = 0;
  Moment start = 0;
  SectorNumber first = 0;
  double sector_ns = 0;

  Moment begin_of(SectorNumber lbn) const { return start + static_cast<double>(lbn - first) * sector_ns; }
  Moment end_of(SectorNumber lbn) const { return begin_of(lbn + 1); }
  Arm arm() const { return {track.cylinder, track.head}; }
};

class Mechanism {
 public:
  // REQUIRES: the parameters passed DiskParameters::check(). `start_angle`: under the heads at moment 0.
  Mechanism(const GeometryParameters& geometry, const MechanicsParameters& mechanics, double start_angle);

  const Geometry& geometry() const { return geometry_; }
  double rotation_ns() const { return rotation_ns_; }
  double sector_ns(const Track& track) const {
    return rotation_ns_ / static_cast<double>(track.sectors_per_track);
  }

  // From wherever the arm stands to a track: the longer of seek and head switch, then write settle.
  double positioning_ns(const Arm& from, const Track& to, bool is_write) const;
  // The same in the course of a transfer, from the last sector of a track to the next track.
  double crossing_ns(const Track& from, const Track& to, bool is_write) const;
  // Until `angle` is under the heads; 0 when it is there.
  double latency_ns(Moment now, double angle) const;

  // Positions the arm for `lbn`, leaving at `now`.
  Run approach(Moment now, const Arm& from, SectorNumber lbn, bool is_write) const;
  // Goes on from a run's track to the next one, leaving at `now` (by default: the end of the track).
  Run cross(const Run& run, Moment now, bool is_write) const;
  Run cross(const Run& run, bool is_write) const {
    return cross(run, run.end_of(run.track.last_lbn), is_write);
  }

 private:
  void wait_for_first(Run& run) const;

  Geometry geometry_;
  SeekCurve seek_;
  double rotation_ns_;
  double start_angle_;
  double head_switch_ns_;
  double cylinder_switch_ns_;
  double write_settle_ns_;
};

}  // namespace seekahead
