// Rules between the parameters of a disk, so that a drive which passes them has a usable layout and seek
// curve.
#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "models/device/disk_parameters.hpp"

namespace seekahead {

namespace {

using Sink = Parameters::ProblemSink;

std::string zone_name(std::size_t i) { return "geometry.zones." + std::to_string(i); }

void check_slips(const ZoneRow& zone, std::int64_t physical, const std::string& name, const Sink& problem) {
  std::vector<double> sorted = zone.slipped_sectors;
  std::sort(sorted.begin(), sorted.end());
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    const bool whole = sorted[i] == std::floor(sorted[i]);
    const bool twice = i > 0 && sorted[i] == sorted[i - 1];
    if (!whole || twice || sorted[i] >= static_cast<double>(physical)) {
      problem(name + ".slipped_sectors",
              "slipped sectors must be whole numbers, each once, inside the zone's " +
                  std::to_string(physical) + " sectors");
      return;
    }
  }
}

// Returns the LBNs of the zone, for the check of the capacity.
std::int64_t check_zone(const GeometryParameters& g, std::size_t i, const Sink& problem) {
  const ZoneRow& zone = g.zones[i];
  const std::string name = zone_name(i);
  if (zone.last_cylinder < zone.first_cylinder) {
    problem(name + ".last_cylinder", "must not be less than first_cylinder");
    return 0;
  }
  if (i > 0 && zone.first_cylinder <= g.zones[i - 1].last_cylinder) {
    problem(name + ".first_cylinder", "zones must follow each other without overlap");
  }
  const std::int64_t cylinders = zone.last_cylinder - zone.first_cylinder + 1;
  const std::int64_t physical = cylinders * g.heads * zone.sectors_per_track;
  check_slips(zone, physical, name, problem);
  const auto slips = static_cast<std::int64_t>(zone.slipped_sectors.size());
  const std::int64_t ranges =
      g.sparing == "range-end" ? (cylinders + g.sparing_range_cylinders - 1) / g.sparing_range_cylinders : 1;
  std::int64_t lost = zone.empty_sectors_at_front + zone.spares * ranges;
  if (g.sparing == "shift") {
    lost += slips;
  } else if (g.sparing == "zone-end" && slips > zone.spares) {
    problem(name + ".slipped_sectors", "more slipped sectors than spares; sparing = \"shift\" needs none");
  }
  if (lost >= physical) {
    problem(name + ".spares", "nothing is left of the zone's " + std::to_string(physical) + " sectors");
    return 0;
  }
  return physical - lost;
}

void check_geometry(const GeometryParameters& g, const Sink& problem) {
  if (g.heads < 1) {
    problem("geometry.heads", "a disk needs at least one head");
    return;
  }
  if (g.zones.empty()) {
    problem("geometry.zones", "a disk needs at least one zone");
    return;
  }
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < g.zones.size(); ++i) {
    sum += check_zone(g, i, problem);
  }
  if (g.lbns > sum) {
    problem("geometry.lbns",
            std::to_string(g.lbns) + " sectors do not fit into the zones, which hold " + std::to_string(sum));
  }
}

void check_figures(const MechanicsParameters& m, const SeekFigures& seek, const std::string& name,
                   const Sink& problem) {
  if (m.seek == "fitted" &&
      !(seek.single_ns <= seek.average_ns && seek.average_ns <= seek.full_ns && seek.full_ns > 0)) {
    problem(name + ".average", "single, average and full seek time must ascend");
  }
}

bool has_times(const SeekFigures& s) { return s.single_ns != 0 || s.average_ns != 0 || s.full_ns != 0; }
bool has_formula(const SeekFigures& s) { return s.a_ms != 0 || s.b_ms != 0 || s.c_ms != 0; }

// Values of another form of the seek curve than the chosen one would be ignored.
void check_unused_seek(const MechanicsParameters& m, const Sink& problem) {
  if (m.seek != "points" && !m.seek_points.empty()) {
    problem("mechanics.seek_points", "used with seek = \"points\" only");
  }
  for (const auto& [seek, name] :
       {std::pair{&m.read_seek, "mechanics.read_seek"}, std::pair{&m.write_seek, "mechanics.write_seek"}}) {
    if (m.seek != "fitted" && has_times(*seek)) {
      problem(std::string(name) + ".single", "single, average and full are used with seek = \"fitted\" only");
    }
    if (m.seek != "formula" && has_formula(*seek)) {
      problem(std::string(name) + ".a", "a, b and c are used with seek = \"formula\" only");
    }
  }
}

void check_unused(const DiskParameters& p, const Sink& problem) {
  const GeometryParameters defaults;
  if (p.geometry.mapping != "surface-serpentine" && p.geometry.band_cylinders != defaults.band_cylinders) {
    problem("geometry.band_cylinders", "used with mapping = \"surface-serpentine\" only");
  }
  if (p.geometry.sparing != "range-end" &&
      p.geometry.sparing_range_cylinders != defaults.sparing_range_cylinders) {
    problem("geometry.sparing_range_cylinders", "used with sparing = \"range-end\" only");
  }
  const BusParameters bus;
  if (p.bus.kind != "ide" && (p.bus.mode != bus.mode || p.bus.efficiency_percent != bus.efficiency_percent)) {
    problem("bus.mode", "mode and efficiency are used with kind = \"ide\" only; rate or sector_time here");
  }
  if (p.bus.kind == "ide" && p.bus.rate_bytes_per_s != bus.rate_bytes_per_s) {
    problem("bus.rate", "an ide bus goes by mode and efficiency, or by sector_time");
  }
  const CacheParameters cache;
  if (p.cache.write_buffer_sectors > 0 && (p.cache.fast_write_level != cache.fast_write_level ||
                                           p.cache.zero_latency_write || p.cache.separate_write_segment)) {
    problem("cache.write_buffer_sectors",
            "replaces fast_write_level, zero_latency_write and separate_write_segment");
  }
}

void check_mechanics(const MechanicsParameters& m, const Sink& problem) {
  check_unused_seek(m, problem);
  if (!(m.rpm > 0)) {
    problem("mechanics.rpm", "the platters must turn");
  }
  if (m.seek == "points") {
    if (m.seek_points.empty()) {
      problem("mechanics.seek_points", "seek = \"points\" needs at least one point");
    }
    for (std::size_t i = 1; i < m.seek_points.size(); ++i) {
      if (m.seek_points[i].cylinders <= m.seek_points[i - 1].cylinders) {
        problem("mechanics.seek_points." + std::to_string(i) + ".cylinders", "distances must ascend");
      }
    }
    return;
  }
  check_figures(m, m.read_seek, "mechanics.read_seek", problem);
  if (has_times(m.write_seek)) {
    check_figures(m, m.write_seek, "mechanics.write_seek", problem);
  }
}

}  // namespace

void DiskParameters::check(const ProblemSink& problem) const {
  check_geometry(geometry, problem);
  check_mechanics(mechanics, problem);
  check_unused(*this, problem);
  if (cache.separate_write_segment && cache.segments < 2) {
    problem("cache.separate_write_segment", "needs at least two segments");
  }
  if (bus.kind == "ide" && queue.depth > 1) {
    problem("queue.depth", "an ide bus holds one command at a time");
  }
}

}  // namespace seekahead
