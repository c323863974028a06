// Where an LBN lies on the platters: zones, serpentine orders, skews, spares and slipped sectors.
//
// Sectors of a zone are numbered physically, track after track. Holes (empty sectors at the zone's front,
// slipped sectors, spares at the end of a range) hold no LBN; the zone's LBNs fill the rest in ascending
// order. Angles are in revolutions, [0, 1).
#pragma once

#include <cstdint>
#include <vector>

#include "models/device/disk_parameters.hpp"
#include "sim/engine/units.hpp"

namespace seekahead {

struct PhysicalSector {
  std::int64_t cylinder = 0;
  std::int64_t head = 0;
  std::int64_t sector = 0;  // on the track, slipped ones counted
};

// One track as the mechanism needs it. LBNs of a track are consecutive.
struct Track {
  SectorNumber first_lbn = 0;
  SectorNumber last_lbn = -1;
  std::int64_t cylinder = 0;
  std::int64_t head = 0;
  std::int64_t sectors_per_track = 1;
  std::int64_t physical_first = 0;  // physical number, inside the zone, of the track's sector 0
  std::size_t zone = 0;
  double start_angle = 0;  // of sector 0

  std::int64_t lbns() const { return last_lbn - first_lbn + 1; }
  bool holds(SectorNumber lbn) const { return first_lbn <= lbn && lbn <= last_lbn; }
};

class Geometry {
 public:
  // REQUIRES: the parameters passed DiskParameters::check().
  explicit Geometry(const GeometryParameters& parameters);

  SectorNumber capacity() const { return capacity_; }
  std::int64_t cylinders() const { return cylinders_; }  // 1 + the last cylinder of the last zone
  std::int64_t heads() const { return heads_; }

  // REQUIRES (all): 0 <= lbn < capacity().
  Track track_of(SectorNumber lbn) const;
  PhysicalSector locate(SectorNumber lbn) const;
  double angle_of(const Track& track, SectorNumber lbn) const;  // REQUIRES: track.holds(lbn)

  // The inverse of locate(); -1 when the sector is not there or holds no LBN.
  SectorNumber lbn_at(const PhysicalSector& where) const;

 private:
  struct Hole {
    SectorNumber from_logical;  // the first LBN of the zone, counted from 0, that lies behind the hole
    std::int64_t skipped;       // physical sectors skipped up to here, this hole included
  };
  struct Zone {
    SectorNumber first_lbn = 0;
    SectorNumber lbns = 0;
    std::int64_t first_cylinder = 0;
    std::int64_t cylinders = 0;
    std::int64_t sectors_per_track = 1;
    double first_block_offset = 0;
    double track_skew = 0;     // sectors
    double cylinder_skew = 0;  // sectors
    double band_skew = 0;      // sectors
    std::vector<Hole> holes;
  };

  Zone make_zone(const GeometryParameters& g, const ZoneRow& row) const;
  std::size_t zone_of(SectorNumber lbn) const;
  static std::int64_t physical_of(const Zone& zone, SectorNumber logical);
  static SectorNumber logical_at(const Zone& zone, std::int64_t physical);
  void place_track(const Zone& zone, std::int64_t track, Track& out) const;
  std::int64_t track_number(const Zone& zone, std::int64_t cylinder, std::int64_t head) const;

  // A band of mapping surface-serpentine: cylinders [first, first + width) of its zone, tracks from
  // first_track on. Its surfaces are used upwards in even bands and downwards in odd ones.
  struct Band {
    std::int64_t number;
    std::int64_t first;
    std::int64_t width;
    std::int64_t first_track;
  };
  Band band_of(const Zone& zone, std::int64_t cylinder) const;
  void place_on_band(const Zone& zone, std::int64_t track, Track& out, double& skew) const;

  enum class Mapping { cylinder, serpentine, surface_serpentine };
  Mapping mapping_;
  std::int64_t heads_;
  std::int64_t band_cylinders_;
  std::int64_t cylinders_ = 0;
  SectorNumber capacity_ = 0;
  std::vector<Zone> zones_;
};

}  // namespace seekahead
