#include <rapidcheck.h>

#include "models/device/geometry.hpp"
#include "sim/text/line_reader.hpp"
#include "tests/drive_under_test.hpp"

using namespace seekahead;

namespace {

ZoneRow zone(std::int64_t first, std::int64_t last, std::int64_t sectors_per_track) {
  ZoneRow z;
  z.first_cylinder = first;
  z.last_cylinder = last;
  z.sectors_per_track = sectors_per_track;
  z.track_skew_sectors = 0;
  z.cylinder_skew_sectors = 0;
  return z;
}

GeometryParameters one_zone(std::int64_t heads, const ZoneRow& z) {
  GeometryParameters g;
  g.heads = heads;
  g.zones = {z};
  return g;
}

bool same_place(const Geometry& g, SectorNumber lbn, PhysicalSector expected) {
  const PhysicalSector p = g.locate(lbn);
  return p.cylinder == expected.cylinder && p.head == expected.head && p.sector == expected.sector;
}

double distance(double a, double b) {
  const double d = std::abs(a - b);
  return std::min(d, 1 - d);
}

// Every row of a map extracted from the reference: lbn,cyl,head,sector,start_angle_rev,track_first_lbn,...
void equals_map(const std::string& drive) {
  const Geometry geometry(catalogue_disk(drive).geometry);
  LineReader reader(diskref("map_" + drive + ".csv.gz"));
  std::string_view line;
  REQUIRE(reader.next(line));
  int rows = 0;
  int wrong = 0;
  while (reader.next(line)) {
    long long lbn = 0, cylinder = 0, head = 0, sector = 0, first = 0, last = 0, per_track = 0;
    double angle = 0;
    REQUIRE(std::sscanf(std::string(line).c_str(), "%lld,%lld,%lld,%lld,%lf,%lld,%lld,%lld", &lbn, &cylinder,
                        &head, &sector, &angle, &first, &last, &per_track) == 8);
    const Track track = geometry.track_of(lbn);
    const bool cut = last >= geometry.capacity();
    const bool right = same_place(geometry, lbn, {cylinder, head, sector}) &&
                       distance(geometry.angle_of(track, lbn), angle) <= 1e-7 && track.first_lbn == first &&
                       (cut || track.last_lbn == last) && track.sectors_per_track == per_track &&
                       geometry.lbn_at({cylinder, head, sector}) == lbn;
    wrong += right ? 0 : 1;
    ++rows;
  }
  CHECK(rows > 6000);
  CHECK(wrong == 0);
}

}  // namespace

TEST_CASE("the layout of the Atlas 10K equals the reference in every row") { equals_map("atlas10k"); }
TEST_CASE("the layout of the Cheetah 9LP equals the reference in every row") { equals_map("cheetah9lp"); }
TEST_CASE("the layout of the Ultrastar 18ES equals the reference in every row") { equals_map("ibm18es"); }

TEST_CASE("tracks run head by head through a cylinder") {
  const Geometry g(one_zone(2, zone(5, 6, 10)));
  CHECK(g.capacity() == 40);
  CHECK(same_place(g, 0, {5, 0, 0}));
  CHECK(same_place(g, 10, {5, 1, 0}));
  CHECK(same_place(g, 20, {6, 0, 0}));
  CHECK(same_place(g, 39, {6, 1, 9}));
}

TEST_CASE("serpentine tracks run back through every other cylinder of the zone") {
  GeometryParameters p = one_zone(2, zone(5, 6, 10));
  p.mapping = "serpentine";
  const Geometry g(p);
  CHECK(same_place(g, 10, {5, 1, 0}));
  CHECK(same_place(g, 20, {6, 1, 0}));
  CHECK(same_place(g, 30, {6, 0, 0}));
}

TEST_CASE("surface-serpentine tracks run through a band of cylinders on one surface then back on the next") {
  GeometryParameters p = one_zone(2, zone(0, 4, 10));
  p.mapping = "surface-serpentine";
  p.band_cylinders = 2;
  const Geometry g(p);
  CHECK(same_place(g, 10, {1, 0, 0}));
  CHECK(same_place(g, 20, {1, 1, 0}));
  CHECK(same_place(g, 30, {0, 1, 0}));
  CHECK(same_place(g, 40, {2, 1, 0}));  // surfaces backwards in every other band
  CHECK(same_place(g, 50, {3, 1, 0}));
  CHECK(same_place(g, 60, {3, 0, 0}));
  CHECK(same_place(g, 80, {4, 0, 0}));  // the last band is one cylinder wide
  CHECK(same_place(g, 90, {4, 1, 0}));
}

TEST_CASE("less than half a band left over at a zone's end widens the band before it") {
  GeometryParameters p = one_zone(2, zone(0, 4, 10));
  p.mapping = "surface-serpentine";
  p.band_cylinders = 4;
  CHECK(same_place(Geometry(p), 40, {4, 0, 0}));
  CHECK(same_place(Geometry(p), 50, {4, 1, 0}));
}

TEST_CASE("bands have a skew of their own") {
  ZoneRow z = zone(0, 3, 10);
  z.track_skew_sectors = 1;
  z.cylinder_skew_sectors = 2;
  z.band_skew_sectors = 3;
  GeometryParameters p = one_zone(2, z);
  p.mapping = "surface-serpentine";
  p.band_cylinders = 2;
  const Geometry g(p);
  CHECK(g.track_of(10).start_angle == Approx(0.2));  // next cylinder
  CHECK(g.track_of(20).start_angle == Approx(0.3));  // next surface
  CHECK(g.track_of(40).start_angle == Approx(0.8));  // next band: 0.3 + 0.2 + 0.3
}

TEST_CASE("skew adds up from track to track and starts anew in every zone") {
  ZoneRow z = zone(0, 1, 10);
  z.track_skew_sectors = 2;
  z.cylinder_skew_sectors = 3;
  GeometryParameters p = one_zone(2, z);
  ZoneRow next = z;
  next.first_cylinder = 2;
  next.last_cylinder = 2;
  p.zones.push_back(next);
  const Geometry g(p);
  const auto angle = [&g](SectorNumber lbn) { return g.angle_of(g.track_of(lbn), lbn); };
  CHECK(angle(0) == Approx(0.0));
  CHECK(angle(10) == Approx(0.2));
  CHECK(angle(20) == Approx(0.5));
  CHECK(angle(30) == Approx(0.7));
  CHECK(angle(33) == Approx(0.0).margin(1e-12));
  CHECK(angle(40) == Approx(0.0));
}

TEST_CASE("a skew given in revolutions is always longer than the switch it hides") {
  GeometryParameters p = one_zone(2, zone(0, 1, 500));
  p.zones[0].track_skew_sectors = -1;
  p.track_skew = 0.18;  // exactly 90 of 500 sectors
  const Geometry g(p);
  CHECK(g.track_of(500).start_angle == Approx(91.0 / 500));
}

TEST_CASE("spares and slipped sectors: at the zone's end, per range, or moving everything behind") {
  ZoneRow z = zone(0, 1, 10);
  z.spares = 3;
  z.slipped_sectors = {4};
  GeometryParameters p = one_zone(1, z);
  CHECK(Geometry(p).capacity() == 17);
  CHECK(same_place(Geometry(p), 4, {0, 0, 5}));
  CHECK(same_place(Geometry(p), 16, {1, 0, 7}));
  CHECK(Geometry(p).lbn_at({0, 0, 4}) == -1);
  CHECK(Geometry(p).lbn_at({1, 0, 8}) == -1);

  p.sparing = "shift";
  CHECK(Geometry(p).capacity() == 16);

  p.sparing = "range-end";
  p.sparing_range_cylinders = 1;
  const Geometry g(p);
  CHECK(g.capacity() == 14);
  CHECK(same_place(g, 6, {0, 0, 7}));
  CHECK(g.lbn_at({0, 0, 8}) == -1);
  CHECK(same_place(g, 7, {1, 0, 0}));
}

TEST_CASE("empty sectors at a zone's front hold nothing") {
  ZoneRow z = zone(0, 1, 10);
  z.empty_sectors_at_front = 12;
  GeometryParameters p = one_zone(1, z);
  p.sparing = "shift";
  const Geometry g(p);
  CHECK(g.capacity() == 8);
  CHECK(same_place(g, 0, {1, 0, 2}));
  CHECK(g.track_of(0).first_lbn == 0);
}

TEST_CASE("the mapping of LBNs is a bijection on every drive of the catalogue") {
  for (const char* id : {"atlas10k", "atlas3", "barracuda", "cheetah15k5", "cheetah4lp", "cheetah9lp",
                         "dtla307045", "fc15k", "hdt-7k500", "ibm18es", "ide-20mb-2001", "mk8025gas",
                         "sata-4tb", "st336607lw", "st373405", "travelstar5k160", "ultrastar36lzx"}) {
    const Geometry g(catalogue_disk(id).geometry);
    INFO(id);
    bool ok = true;
    for (SectorNumber lbn = 0; lbn < g.capacity(); lbn += 1 + g.capacity() / 20011) {
      const Track t = g.track_of(lbn);
      ok = ok && g.lbn_at(g.locate(lbn)) == lbn && t.holds(lbn) && t.lbns() <= t.sectors_per_track &&
           (t.first_lbn == 0 || g.track_of(t.first_lbn - 1).last_lbn == t.first_lbn - 1);
    }
    CHECK(ok);
    CHECK(g.lbn_at(g.locate(g.capacity() - 1)) == g.capacity() - 1);
  }
}

TEST_CASE("the mapping of LBNs is a bijection on any layout") {
  const bool holds = rc::check([] {
    GeometryParameters p;
    p.heads = *rc::gen::inRange<std::int64_t>(1, 5);
    p.mapping = *rc::gen::element<std::string>("cylinder", "serpentine", "surface-serpentine");
    p.band_cylinders = *rc::gen::inRange<std::int64_t>(1, 6);
    p.sparing = *rc::gen::element<std::string>("zone-end", "range-end", "shift");
    p.sparing_range_cylinders = *rc::gen::inRange<std::int64_t>(1, 4);
    std::int64_t cylinder = *rc::gen::inRange<std::int64_t>(0, 3);
    const int zones = *rc::gen::inRange(1, 4);
    for (int i = 0; i < zones; ++i) {
      const std::int64_t width = *rc::gen::inRange<std::int64_t>(1, 8);
      ZoneRow z = zone(cylinder, cylinder + width - 1, *rc::gen::inRange<std::int64_t>(8, 20));
      z.track_skew_sectors = *rc::gen::inRange(0, 8);
      z.cylinder_skew_sectors = *rc::gen::inRange(0, 8);
      z.spares = 4;
      z.empty_sectors_at_front = p.sparing == "range-end" ? 0 : *rc::gen::inRange<std::int64_t>(0, 3);
      const std::int64_t physical = width * p.heads * z.sectors_per_track;
      std::int64_t slip = z.empty_sectors_at_front;
      for (int s = *rc::gen::inRange(0, 3); s > 0; --s) {
        slip += *rc::gen::inRange<std::int64_t>(0, 20);
        if (slip < physical - 4) {
          z.slipped_sectors.push_back(static_cast<double>(slip++));
        }
      }
      p.zones.push_back(z);
      cylinder += width + *rc::gen::inRange<std::int64_t>(0, 2);
    }
    DiskParameters whole;
    whole.geometry = p;
    whole.mechanics.rpm = 7200;
    whole.mechanics.seek_points = {{1, 1000}};
    whole.check([](std::string_view, const std::string&) { RC_DISCARD("refused"); });

    const Geometry g(p);
    std::vector<SectorNumber> seen;
    for (const ZoneRow& z : p.zones) {
      for (std::int64_t c = z.first_cylinder; c <= z.last_cylinder; ++c) {
        for (std::int64_t h = 0; h < p.heads; ++h) {
          for (std::int64_t s = 0; s < z.sectors_per_track; ++s) {
            const SectorNumber lbn = g.lbn_at({c, h, s});
            if (lbn >= 0) {
              RC_ASSERT(same_place(g, lbn, {c, h, s}));
              seen.push_back(lbn);
            }
          }
        }
      }
    }
    std::sort(seen.begin(), seen.end());
    RC_ASSERT(static_cast<SectorNumber>(seen.size()) == g.capacity());
    for (std::size_t i = 0; i < seen.size(); ++i) {
      RC_ASSERT(seen[i] == static_cast<SectorNumber>(i));
    }
  });
  CHECK(holds);
}
