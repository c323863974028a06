#include "models/device/geometry.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace seekahead {

namespace {

// Skew of a zone that gives none: whole sectors, always more than the switch time it hides, so that a head
// which needs exactly that time still comes in time.
double skew_from_revolutions(double revolutions, std::int64_t sectors_per_track) {
  if (revolutions <= 0) {
    return 0;
  }
  return std::floor(revolutions * static_cast<double>(sectors_per_track)) + 1;
}

struct PhysicalHole {
  std::int64_t at;
  std::int64_t length;
};

// Holes of a zone in ascending order. In a sparing range the slipped sectors use up the range's spares.
std::vector<PhysicalHole> physical_holes(const GeometryParameters& g, const ZoneRow& row,
                                         std::int64_t physical) {
  std::vector<PhysicalHole> holes;
  if (row.empty_sectors_at_front > 0) {
    holes.push_back({0, row.empty_sectors_at_front});
  }
  const std::int64_t range =
      g.sparing == "range-end" ? g.sparing_range_cylinders * g.heads * row.sectors_per_track : physical;
  std::vector<double> slipped = row.slipped_sectors;
  std::sort(slipped.begin(), slipped.end());
  auto slip = slipped.begin();
  for (std::int64_t start = 0; start < physical; start += range) {
    const std::int64_t end = std::min(start + range, physical);
    std::int64_t slips = 0;
    for (; slip != slipped.end() && *slip < static_cast<double>(end); ++slip, ++slips) {
      const auto at = static_cast<std::int64_t>(*slip);
      if (at >= row.empty_sectors_at_front) {
        holes.push_back({at, 1});
      }
    }
    if (g.sparing == "range-end" && row.spares > slips) {
      holes.push_back({end - (row.spares - slips), row.spares - slips});
    }
  }
  return holes;
}

}  // namespace

Geometry::Zone Geometry::make_zone(const GeometryParameters& g, const ZoneRow& row) const {
  Zone zone;
  zone.first_cylinder = row.first_cylinder;
  zone.cylinders = row.last_cylinder - row.first_cylinder + 1;
  zone.sectors_per_track = row.sectors_per_track;
  zone.first_block_offset = row.first_block_offset;
  zone.track_skew = row.track_skew_sectors >= 0 ? row.track_skew_sectors
                                                : skew_from_revolutions(g.track_skew, row.sectors_per_track);
  zone.cylinder_skew = row.cylinder_skew_sectors >= 0
                           ? row.cylinder_skew_sectors
                           : skew_from_revolutions(g.cylinder_skew, row.sectors_per_track);
  zone.band_skew = row.band_skew_sectors >= 0 ? row.band_skew_sectors : zone.cylinder_skew;
  const std::int64_t physical = zone.cylinders * g.heads * zone.sectors_per_track;
  std::int64_t skipped = 0;
  for (const PhysicalHole& hole : physical_holes(g, row, physical)) {
    const SectorNumber from = hole.at - skipped;
    skipped += hole.length;
    if (!zone.holes.empty() && zone.holes.back().from_logical == from) {
      zone.holes.back().skipped = skipped;
    } else {
      zone.holes.push_back({from, skipped});
    }
  }
  zone.lbns = g.sparing == "zone-end" ? physical - row.empty_sectors_at_front - row.spares
              : g.sparing == "shift"  ? physical - skipped - row.spares
                                      : physical - skipped;
  return zone;
}

Geometry::Geometry(const GeometryParameters& g)
    : mapping_(g.mapping == "serpentine"           ? Mapping::serpentine
               : g.mapping == "surface-serpentine" ? Mapping::surface_serpentine
                                                   : Mapping::cylinder),
      heads_(g.heads),
      band_cylinders_(g.band_cylinders) {
  for (const ZoneRow& row : g.zones) {
    Zone zone = make_zone(g, row);
    zone.first_lbn = capacity_;
    if (g.lbns > 0) {
      zone.lbns = std::min(zone.lbns, g.lbns - capacity_);
    }
    capacity_ += zone.lbns;
    cylinders_ = zone.first_cylinder + zone.cylinders;
    if (zone.lbns > 0) {
      zones_.push_back(std::move(zone));
    }
  }
}

std::size_t Geometry::zone_of(SectorNumber lbn) const {
  const auto after = std::upper_bound(zones_.begin(), zones_.end(), lbn,
                                      [](SectorNumber l, const Zone& z) { return l < z.first_lbn; });
  return static_cast<std::size_t>(after - zones_.begin()) - 1;
}

std::int64_t Geometry::physical_of(const Zone& zone, SectorNumber logical) {
  const auto after = std::upper_bound(zone.holes.begin(), zone.holes.end(), logical,
                                      [](SectorNumber l, const Hole& hole) { return l < hole.from_logical; });
  return logical + (after == zone.holes.begin() ? 0 : std::prev(after)->skipped);
}

// The number of LBNs of the zone that lie before a physical sector.
SectorNumber Geometry::logical_at(const Zone& zone, std::int64_t physical) {
  // Behind hole h, physical = logical + h.skipped; find the last hole that begins before `physical`.
  std::int64_t skipped = 0;
  std::size_t low = 0;
  std::size_t high = zone.holes.size();
  while (low < high) {
    const std::size_t middle = (low + high) / 2;
    const std::int64_t before = middle == 0 ? 0 : zone.holes[middle - 1].skipped;
    if (zone.holes[middle].from_logical + before < physical) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  if (low > 0) {
    skipped = zone.holes[low - 1].skipped;
    return std::max(physical - skipped, zone.holes[low - 1].from_logical);  // inside a hole: its end
  }
  return physical;
}

// A zone's last band takes what is left over: less than half a band is added to the one before.
Geometry::Band Geometry::band_of(const Zone& zone, std::int64_t cylinder) const {
  const std::int64_t bands =
      std::max<std::int64_t>(1, (zone.cylinders + band_cylinders_ / 2) / band_cylinders_);
  Band band;
  band.number = std::min(cylinder / band_cylinders_, bands - 1);
  band.first = band.number * band_cylinders_;
  band.width = band.number == bands - 1 ? zone.cylinders - band.first : band_cylinders_;
  band.first_track = band.first * heads_;
  return band;
}

void Geometry::place_on_band(const Zone& zone, std::int64_t track, Track& out, double& skew) const {
  const Band band = band_of(zone, track / heads_);
  const std::int64_t surface = (track - band.first_track) / band.width;
  const std::int64_t step = (track - band.first_track) % band.width;
  out.head = band.number % 2 == 0 ? surface : heads_ - 1 - surface;
  out.cylinder = zone.first_cylinder + band.first + (surface % 2 == 0 ? step : band.width - 1 - step);
  const std::int64_t surface_switches = band.number * (heads_ - 1) + surface;
  const std::int64_t cylinder_steps = track - surface_switches - band.number;
  skew += static_cast<double>(surface_switches) * zone.track_skew +
          static_cast<double>(cylinder_steps) * zone.cylinder_skew +
          static_cast<double>(band.number) * zone.band_skew;
}

// Cylinder, head and angle of a track by its number in the zone. Skew starts at 0 in every zone; from one
// track to the next it grows by the track skew, or by the cylinder skew where the cylinder changes.
void Geometry::place_track(const Zone& zone, std::int64_t track, Track& out) const {
  double skew = zone.first_block_offset;
  if (mapping_ == Mapping::surface_serpentine) {
    place_on_band(zone, track, out, skew);
  } else {
    const std::int64_t c = track / heads_;
    const std::int64_t k = track % heads_;
    out.cylinder = zone.first_cylinder + c;
    out.head = mapping_ == Mapping::serpentine && c % 2 != 0 ? heads_ - 1 - k : k;
    skew +=
        static_cast<double>(c) * (static_cast<double>(heads_ - 1) * zone.track_skew + zone.cylinder_skew) +
        static_cast<double>(k) * zone.track_skew;
  }
  const double turns = skew / static_cast<double>(zone.sectors_per_track);
  out.start_angle = turns - std::floor(turns);
}

std::int64_t Geometry::track_number(const Zone& zone, std::int64_t cylinder, std::int64_t head) const {
  const std::int64_t c = cylinder - zone.first_cylinder;
  if (mapping_ == Mapping::surface_serpentine) {
    const Band band = band_of(zone, c);
    const std::int64_t surface = band.number % 2 == 0 ? head : heads_ - 1 - head;
    const std::int64_t step = c - band.first;
    return band.first_track + surface * band.width + (surface % 2 == 0 ? step : band.width - 1 - step);
  }
  return c * heads_ + (mapping_ == Mapping::serpentine && c % 2 != 0 ? heads_ - 1 - head : head);
}

Track Geometry::track_of(SectorNumber lbn) const {
  Track track;
  track.zone = zone_of(lbn);
  const Zone& zone = zones_[track.zone];
  const std::int64_t number = physical_of(zone, lbn - zone.first_lbn) / zone.sectors_per_track;
  track.sectors_per_track = zone.sectors_per_track;
  track.physical_first = number * zone.sectors_per_track;
  track.first_lbn = zone.first_lbn + logical_at(zone, track.physical_first);
  track.last_lbn = zone.first_lbn +
                   std::min(logical_at(zone, track.physical_first + zone.sectors_per_track), zone.lbns) - 1;
  place_track(zone, number, track);
  return track;
}

PhysicalSector Geometry::locate(SectorNumber lbn) const {
  const Track track = track_of(lbn);
  const Zone& zone = zones_[track.zone];
  return {track.cylinder, track.head, physical_of(zone, lbn - zone.first_lbn) - track.physical_first};
}

double Geometry::angle_of(const Track& track, SectorNumber lbn) const {
  const Zone& zone = zones_[track.zone];
  const std::int64_t sector = physical_of(zone, lbn - zone.first_lbn) - track.physical_first;
  const double angle =
      track.start_angle + static_cast<double>(sector) / static_cast<double>(track.sectors_per_track);
  return angle >= 1 ? angle - 1 : angle;
}

SectorNumber Geometry::lbn_at(const PhysicalSector& where) const {
  for (const Zone& zone : zones_) {
    const bool inside = where.cylinder >= zone.first_cylinder &&
                        where.cylinder < zone.first_cylinder + zone.cylinders && where.head >= 0 &&
                        where.head < heads_ && where.sector >= 0 && where.sector < zone.sectors_per_track;
    if (!inside) {
      continue;
    }
    const std::int64_t physical =
        track_number(zone, where.cylinder, where.head) * zone.sectors_per_track + where.sector;
    const SectorNumber logical = logical_at(zone, physical);
    return logical < zone.lbns && physical_of(zone, logical) == physical ? zone.first_lbn + logical : -1;
  }
  return -1;
}

}  // namespace seekahead
