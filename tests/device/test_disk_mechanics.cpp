// Times of single requests on a disk of round numbers, each to the nanosecond and from both sides of the
// gate.
#include <catch2/catch.hpp>

#include "tests/device/simple_disk.hpp"

using namespace seekahead;

TEST_CASE("a read waits for its first sector and completes when the last has crossed the bus") {
  OneAtATime host(simple_disk());
  // Sector 50 comes round at 5 ms; 8 sectors of 100 us; the last one crosses in 1 us.
  BlockDevice& disk = host.disk();
  disk.submit(0, {7, 50, 8, false});
  const TimeNs end = 5 * ms + 800 * us + 1 * us;
  CHECK(disk.next_event_ns() == end);
  std::vector<Completion> done;
  disk.advance(end - 1, done);
  CHECK(done.empty());
  disk.advance(end, done);
  REQUIRE(done.size() == 1);
  CHECK(done[0].id == 7);
  CHECK(done[0].time_ns == end);
  CHECK(disk.next_event_ns() == never_ns);
  const ServiceTime& s = done[0].service;
  CHECK(s.seek_ns == 0);
  CHECK(s.rotation_ns == 5 * ms);
  CHECK(s.bus_ns == 8 * us);
  CHECK(s.overhead_ns + s.seek_ns + s.rotation_ns + s.transfer_ns + s.bus_ns + s.queue_ns == end);
}

TEST_CASE("a seek is paid before the rotation") {
  OneAtATime host(simple_disk());
  // Cylinder 11: 2 ms, then sector 30 of its track 0 at 3 ms.
  CHECK(host.read(11 * cylinder_sectors + 30, 1) == 3 * ms + 101 * us);
  CHECK(host.last().service.seek_ns == 2 * ms);
  CHECK(host.last().service.rotation_ns == 1 * ms);
}

// It was seen where the last read-ahead had been stopped: a request late.
TEST_CASE("the arm is seen where a request found it and then where it ended though read-ahead goes on") {
  for (const std::int64_t prefetch : {0, 3}) {
    DiskParameters p = simple_disk();
    p.cache.prefetch_type = prefetch;
    OneAtATime host(p);
    BlockDevice& disk = host.disk();
    disk.submit(0, {1, 11 * cylinder_sectors + 30, 1, false});
    CHECK(disk.head_position().cylinder == 0);
    std::vector<Completion> done;
    disk.advance(disk.next_event_ns(), done);
    REQUIRE(done.size() == 1);
    CHECK(disk.head_position().cylinder == 11);
    disk.submit(done[0].time_ns, {2, 50 * cylinder_sectors + track_sectors, 1, false});
    CHECK(disk.head_position().cylinder == 11);
    disk.advance(disk.next_event_ns(), done);
    CHECK(disk.head_position().cylinder == 50);
    CHECK(disk.head_position().head == 1);
  }
}

TEST_CASE("a sector that passes while the arm still moves comes a revolution later") {
  for (const auto& [sector, turns] : {std::pair{20, 0}, std::pair{19, 1}}) {
    OneAtATime host(simple_disk());
    CHECK(host.read(11 * cylinder_sectors + sector, 1) == sector * 100 * us + turns * 10 * ms + 101 * us);
  }
}

TEST_CASE("a head switch is the least time of a positioning that changes the head") {
  OneAtATime same_cylinder(simple_disk());
  CHECK(same_cylinder.read(track_sectors + 5, 1) == 500 * us + 101 * us);  // sector 5 at 0.5 ms
  OneAtATime missed(simple_disk());
  CHECK(missed.read(track_sectors + 4, 1) == 10 * ms + 400 * us + 101 * us);
  OneAtATime longer_seek(simple_disk());
  CHECK(longer_seek.read(cylinder_sectors + track_sectors + 10, 1) == 1 * ms + 101 * us);
}

TEST_CASE("write settle is added to positionings of writes that are not zero") {
  DiskParameters p = simple_disk();
  p.mechanics.write_settle_ns = 300 * us;
  p.cache.fast_write_level = 0;
  OneAtATime moved(p);
  CHECK(moved.write(cylinder_sectors + 13, 1) == 1300 * us + 100 * us);
  OneAtATime moved_late(p);
  CHECK(moved_late.write(cylinder_sectors + 12, 1) == 10 * ms + 1200 * us + 100 * us);
  OneAtATime stayed(p);
  CHECK(stayed.write(1, 1) == 100 * us + 100 * us);  // the data (1 us) is there before the sector
}

TEST_CASE("a transfer goes on to the next head and the next cylinder") {
  DiskParameters p = simple_disk();
  p.geometry.zones[0].track_skew_sectors = 5;
  p.geometry.zones[0].cylinder_skew_sectors = 10;
  OneAtATime host(p);
  // 100 sectors, 5 of skew (exactly the head switch), 100 sectors, 10 of skew (exactly the seek), 1 sector.
  CHECK(host.read(0, 201) == 21'600 * us + 1 * us);
  DiskParameters slower = p;
  slower.mechanics.head_switch_ns = 501 * us;
  OneAtATime late(slower);
  CHECK(late.read(0, 101) == 10 * ms + 10 * ms + 500 * us + 100 * us + 1 * us);
}

TEST_CASE("cylinder switch stands for the seek to the next cylinder inside a transfer only") {
  DiskParameters p = simple_disk();
  p.geometry.zones[0].track_skew_sectors = 10;
  p.geometry.zones[0].cylinder_skew_sectors = 10;
  p.mechanics.seek_points = {{1, 4 * ms}, {11, 4 * ms}};
  p.mechanics.cylinder_switch_ns = 900 * us;
  OneAtATime host(p);
  CHECK(host.read(track_sectors, 101) == 1 * ms + 10 * ms + 1 * ms + 100 * us + 1 * us);
  OneAtATime alone(p);
  CHECK(alone.read(cylinder_sectors, 1) == 10 * ms + 2 * ms + 100 * us + 1 * us);  // 4 ms: missed
}

TEST_CASE("the angle at the start shifts the whole platter") {
  DiskParameters p = simple_disk();
  p.mechanics.start_angle = 0.25;
  OneAtATime host(p);
  CHECK(host.read(50, 1) == 2500 * us + 101 * us);
}

TEST_CASE("overheads depend on hit or miss and on what came before") {
  DiskParameters p = simple_disk();
  p.overhead.read_miss_after_read_ns = 200 * us;
  p.overhead.read_miss_after_write_ns = 400 * us;
  p.overhead.read_hit_after_read_ns = 30 * us;
  p.overhead.write_hit_after_read_ns = 50 * us;
  OneAtATime host(p);
  CHECK(host.read(2, 1) == 200 * us + 101 * us);
  CHECK(host.read(2, 1) == 31 * us);
  CHECK(host.write(90, 1) == 51 * us);
  host.wait_until(30 * ms);
  CHECK(host.read(4, 1) == 400 * us + 101 * us);
}

TEST_CASE("a zero-latency read starts with whichever sector comes first") {
  DiskParameters p = simple_disk();
  OneAtATime usual(p);
  usual.wait_until(15 * ms + 50 * us);  // in the middle of sector 50
  usual.read(0, 100);
  CHECK(usual.now() == 30 * ms + 1 * us);
  p.cache.zero_latency_read = true;
  OneAtATime host(p);
  host.wait_until(15 * ms + 50 * us);
  host.read(0, 100);
  // Sectors 51 to 99 first, then 0 to 50; the 49 early ones cross the bus behind sector 50.
  CHECK(host.now() == 25 * ms + 100 * us + 50 * us);
}

TEST_CASE("absurd drives are refused with the name of the parameter") {
  const auto problems = [](const DiskParameters& p) {
    std::vector<std::string> names;
    p.check([&names](std::string_view name, const std::string&) { names.emplace_back(name); });
    return names;
  };
  CHECK(problems(simple_disk()).empty());
  DiskParameters p = simple_disk();
  p.geometry.zones.clear();
  CHECK(problems(p) == std::vector<std::string>{"geometry.zones"});
  p = simple_disk();
  p.geometry.lbns = 40001;
  CHECK(problems(p) == std::vector<std::string>{"geometry.lbns"});
  p = simple_disk();
  p.geometry.zones.push_back(p.geometry.zones[0]);
  CHECK(problems(p) == std::vector<std::string>{"geometry.zones.1.first_cylinder"});
  p = simple_disk();
  p.geometry.zones[0].slipped_sectors = {7, 7};
  p.geometry.zones[0].spares = 5;
  CHECK(problems(p) == std::vector<std::string>{"geometry.zones.0.slipped_sectors"});
  p = simple_disk();
  p.mechanics.seek_points = {{2, 10}, {1, 20}};
  CHECK(problems(p) == std::vector<std::string>{"mechanics.seek_points.1.cylinders"});
  p = simple_disk();
  p.bus.kind = "ide";
  p.queue.depth = 4;
  CHECK(problems(p) == std::vector<std::string>{"queue.depth"});
}
