// Read-ahead, hits and the write cache on a disk of round numbers.
#include <catch2/catch.hpp>

#include "models/device/segment_cache.hpp"
#include "tests/device/simple_disk.hpp"

using namespace seekahead;

namespace {

// Whether sector `lbn` is found in the cache when the host asks for it long after everything has come to
// rest.
bool cached_later(OneAtATime& host, SectorNumber lbn) {
  host.wait_until(host.now() + 1000 * ms);
  return host.read(lbn, 1) == 1 * us;
}

DiskParameters reading_ahead(std::int64_t type) {
  DiskParameters p = simple_disk();
  p.cache.prefetch_type = type;
  return p;
}

}  // namespace

TEST_CASE("sectors read once are hits until their segment is taken") {
  DiskParameters p = simple_disk();
  p.cache.segments = 2;
  OneAtATime host(p);
  host.read(10, 4);
  CHECK(host.read(10, 4) == 4 * us);
  CHECK(host.last().service.cache_hit);
  CHECK(host.read(13, 1) == 1 * us);
  host.read(1000, 4);
  CHECK(host.read(10, 4) == 4 * us);  // used again: the other segment is now the older one
  host.read(2000, 4);
  CHECK(host.read(10, 4) == 4 * us);
  CHECK(host.read(1000, 4) > 4 * us);
}

TEST_CASE("without a cache every read goes to the media") {
  DiskParameters p = reading_ahead(3);
  p.cache.enabled = false;
  OneAtATime host(p);
  host.read(10, 4);
  CHECK(host.read(10, 4) > 1 * ms);
}

TEST_CASE("read-ahead ends where its type says") {
  // A request for sectors 10 to 13 of 100 a track and 200 a cylinder; segments of 200, all of them kept.
  const auto ends_at = [](std::int64_t type, SectorNumber last_read) {
    DiskParameters p = reading_ahead(type);
    p.cache.segment_sectors = 400;
    p.cache.max_readahead_sectors = type == 3 ? 250 : 0;
    for (const auto& [lbn, hit] : {std::pair{last_read, true}, std::pair{last_read + 1, false}}) {
      OneAtATime host(p);
      host.read(10, 4);
      INFO("type " << type << " sector " << lbn);
      CHECK(cached_later(host, lbn) == hit);
    }
  };
  ends_at(0, 13);
  ends_at(1, 99);
  ends_at(2, 199);
  ends_at(3, 263);
  ends_at(4, 99);
}

TEST_CASE("read-ahead of type 4 goes one track further on a sequential run") {
  DiskParameters p = reading_ahead(4);
  p.cache.segment_sectors = 1000;
  OneAtATime host(p);
  host.read(90, 12);  // ends on the next track: that track and one more
  CHECK(cached_later(host, 299));
  CHECK_FALSE(cached_later(host, 300));
}

TEST_CASE("read-ahead of type 3 keeps the request itself unless told otherwise") {
  DiskParameters p = reading_ahead(3);
  OneAtATime keeps(p);
  keeps.read(10, 4);
  CHECK(cached_later(keeps, 10));
  CHECK(cached_later(keeps, 209));
  CHECK_FALSE(cached_later(keeps, 210));
  p.cache.readahead_may_overwrite_returned = true;
  OneAtATime overwrites(p);
  overwrites.read(10, 4);
  CHECK(cached_later(overwrites, 213));
  CHECK_FALSE(cached_later(overwrites, 13));
}

TEST_CASE("another read stops read-ahead at the end of the sector under the heads") {
  DiskParameters p = reading_ahead(3);
  OneAtATime host(p);
  host.read(0, 4);                      // sector 3 ends at 0.4 ms
  host.wait_until(1 * ms + 250 * us);   // in the middle of sector 12
  host.read(cylinder_sectors * 50, 1);  // stops it at 1.3 ms
  host.wait_until(100 * ms);
  CHECK(host.read(11, 1) == 1 * us);
  CHECK(host.read(12, 1) > 1 * us);  // half read: not kept
}

TEST_CASE("the arm leaves when the sector under the heads has ended or at once") {
  // From the middle of sector 12 (1.25 ms) to cylinder 1: 1 ms. Sector 23 passes at 2.3 ms.
  for (const auto& [mid_sector, sector, turns] :
       {std::tuple{false, 23, 0}, std::tuple{false, 22, 1}, std::tuple{true, 23, 0}}) {
    DiskParameters p = reading_ahead(3);
    p.cache.stop_prefetch_mid_sector = mid_sector;
    OneAtATime host(p);
    host.read(0, 4);
    host.wait_until(1 * ms + 250 * us);
    host.read(cylinder_sectors + sector, 1);
    CHECK(host.now() == sector * 100 * us + turns * 10 * ms + 101 * us);
  }
  DiskParameters p = reading_ahead(3);
  p.cache.stop_prefetch_mid_sector = true;
  p.mechanics.seek_points = {{1, 950 * us}, {11, 950 * us}};
  OneAtATime at_once(p);
  at_once.read(0, 4);
  at_once.wait_until(1 * ms + 250 * us);
  at_once.read(cylinder_sectors + 22, 1);  // 1.25 + 0.95 ms: just in time
  CHECK(at_once.now() == 2200 * us + 101 * us);
}

TEST_CASE("a minimum of read-ahead is read before another request is served") {
  for (const auto& [minimum, sector, hit] :
       {std::tuple{30, 33, true}, std::tuple{30, 34, false}, std::tuple{0, 13, false}}) {
    DiskParameters p = reading_ahead(3);
    p.cache.min_readahead_sectors = minimum;
    OneAtATime host(p);
    host.read(0, 4);
    host.wait_until(1 * ms + 250 * us);
    host.read(cylinder_sectors * 50, 1);
    host.wait_until(host.now() + 100 * ms);
    INFO("minimum " << minimum << " sector " << sector);
    CHECK((host.read(sector, 1) == 1 * us) == hit);
  }
}

TEST_CASE("a sector that is being read ahead is a hit or not as almost_read_hits says") {
  for (const bool almost : {true, false}) {
    DiskParameters p = reading_ahead(3);
    p.cache.almost_read_hits = almost;
    OneAtATime host(p);
    host.read(0, 4);
    host.wait_until(1 * ms + 250 * us);  // sector 12 is under the heads
    host.read(12, 1);
    // As a hit it crosses the bus when it ends at 1.3 ms; as a miss it comes round again.
    CHECK(host.now() == (almost ? 1300 * us + 1 * us : 11300 * us + 1 * us));
  }
}

TEST_CASE("a partial hit sends what is there and reads the rest") {
  DiskParameters p = simple_disk();
  OneAtATime host(p);
  host.read(10, 4);
  host.wait_until(20 * ms);
  host.read(12, 4);  // 12 and 13 from the cache, 14 and 15 from the media at 21.4 ms
  CHECK(host.now() == 21 * ms + 600 * us + 1 * us);
}

TEST_CASE("a whole hit starts read-ahead again only if it is told to") {
  for (const bool again : {false, true}) {
    DiskParameters p = reading_ahead(3);
    p.cache.readahead_on_full_hit = again;
    OneAtATime host(p);
    host.read(0, 4);
    host.read(cylinder_sectors * 50, 1);  // stops read-ahead
    host.read(0, 4);
    CHECK(cached_later(host, 150) == again);
  }
}

TEST_CASE("sectors that pass before the first one are kept if free blocks are read") {
  for (const bool keep : {false, true}) {
    DiskParameters p = simple_disk();
    p.cache.read_free_blocks_before_request = keep;
    OneAtATime host(p);
    host.wait_until(2 * ms + 50 * us);
    host.read(50, 1);
    CHECK(host.read(21, 1) == (keep ? 1 * us : 7 * ms + 100 * us));
    host.wait_until(100 * ms);
    CHECK((host.read(20, 1) == 1 * us) == false);  // half passed when the heads came
  }
}

TEST_CASE("a full segment lets the heads pass until data has gone over the bus") {
  DiskParameters p = reading_ahead(3);
  p.cache.segment_sectors = 10;
  p.bus.sector_time_ns = 1 * ms;
  OneAtATime host(p);
  // 20 sectors into a segment of 10. Sector 10 needs sector 0 to have gone (1.1 ms), but passes at 1.0 ms: it
  // is read a revolution later, when all ten have gone at 10.1 ms ... sector i (10 to 19) at 10 + i * 0.1 ms.
  host.read(0, 20);
  CHECK(host.now() == 10 * ms + 1 * ms + 100 * us + 10 * ms);
}

TEST_CASE("writes complete in the cache or on the media by their level") {
  DiskParameters p = simple_disk();
  p.cache.fast_write_level = 2;
  OneAtATime fast(p);
  CHECK(fast.write(50, 4) == 4 * us);
  p.cache.fast_write_level = 0;
  OneAtATime slow(p);
  CHECK(slow.write(50, 4) == 5400 * us);
}

TEST_CASE("another request waits until written data is on the media") {
  DiskParameters p = simple_disk();
  OneAtATime host(p);
  host.write(50, 4);  // on the media at 5.4 ms
  CHECK(host.now() == 4 * us);
  host.read(54, 1);  // the heads are just before it
  CHECK(host.now() == 5500 * us + 1 * us);
}

TEST_CASE("a write that appends to the one under way is accepted at once") {
  DiskParameters p = simple_disk();
  OneAtATime host(p);
  host.write(50, 4);
  CHECK(host.write(54, 4) == 4 * us);
  CHECK(host.write(58, 4) > 4 * us);  // two are under way: it waits for the media
  OneAtATime elsewhere(p);
  elsewhere.write(50, 4);
  CHECK(elsewhere.write(60, 4) == 5400 * us);  // comes at 4 us, waits until 5.4 ms, 4 us on the bus
}

TEST_CASE(
    "while other requests wait an append is accepted at level 2 only and if the queue would choose it") {
  for (const auto& [level, scheduling, at_once] :
       {std::tuple{2, "sptf", true}, std::tuple{1, "sptf", false}, std::tuple{2, "fcfs", false}}) {
    DiskParameters p = simple_disk();
    p.cache.fast_write_level = level;
    p.queue.depth = 4;
    p.queue.scheduling = scheduling;
    const auto disk = make_disk(p, 0, nullptr, nullptr);
    std::vector<Completion> done;
    disk->submit(0, {1, 50, 4, true});  // accepted at 4 us, on the media at 5.4 ms
    disk->advance(1 * ms, done);
    disk->submit(1 * ms, {2, 150 * cylinder_sectors, 1, false});  // waits
    disk->submit(2 * ms, {3, 54, 4, true});
    while (done.size() < 2) {
      disk->advance(disk->next_event_ns(), done);
    }
    CHECK((done[1].time_ns == 2 * ms + 4 * us) == at_once);
  }
}

TEST_CASE("written sectors are read from the cache if that is allowed") {
  for (const bool allowed : {true, false}) {
    DiskParameters p = simple_disk();
    p.cache.read_hits_on_write_data = allowed;
    OneAtATime host(p);
    host.write(50, 4);
    host.wait_until(50 * ms);
    CHECK((host.read(50, 4) == 4 * us) == allowed);
  }
}

TEST_CASE("writes do not take segments from reads when they have one of their own") {
  for (const bool separate : {true, false}) {
    DiskParameters p = simple_disk();
    p.cache.segments = 2;
    p.cache.separate_write_segment = separate;
    OneAtATime host(p);
    host.read(10, 1);
    host.write(1000, 1);
    host.wait_until(100 * ms);
    host.write(3000, 1);
    host.wait_until(200 * ms);
    CHECK((host.read(10, 1) == 1 * us) == separate);
  }
}

TEST_CASE("written sectors replace older copies of them") {
  OneAtATime host(simple_disk());
  host.read(10, 4);
  host.write(12, 1);
  host.wait_until(100 * ms);
  CHECK(host.read(10, 1) > 1 * us);
}

TEST_CASE("a zero-latency write starts with the first sector whose data is there") {
  // A write follows a write that ended exactly before its first sector: that one's data is 1 us late.
  for (const bool zero_latency : {false, true}) {
    DiskParameters p = simple_disk();
    p.cache.zero_latency_write = zero_latency;
    OneAtATime host(p);
    host.write(40, 10);  // on the media at 5 ms
    host.wait_until(3 * ms);
    host.write(0, 1);  // waits until 5 ms, written at 10 ms
    host.wait_until(10 * ms + 100 * us);
    host.write(1, 10);  // its first sector is under the heads now
    host.read(900, 1);  // cannot start before the write has ended
    const TimeNs written =
        host.now() - host.last().service.rotation_ns - host.last().service.seek_ns - 100 * us - 1 * us;
    CHECK(written == (zero_latency ? 20 * ms + 200 * us : 21 * ms + 100 * us));
  }
}

TEST_CASE("ratings of segments: whole before partial and written before read then empty then idle") {
  CacheParameters p;
  p.segments = 5;
  p.segment_sectors = 100;
  p.almost_read_hits = true;
  SegmentCache cache(p);
  const auto set = [&cache](std::size_t i, SectorNumber start, SectorNumber end, SegmentState state) {
    cache[i].start = start;
    cache[i].end = end;
    cache[i].state = state;
  };
  set(0, 0, 50, SegmentState::clean);
  set(1, 0, 60, SegmentState::dirty);
  set(2, 100, 120, SegmentState::reading);
  set(3, 0, 5, SegmentState::clean);
  CHECK(cache.choose_for_read(10, 10).segment == 1);
  CHECK(cache.choose_for_read(10, 10).hit == Hit::whole);
  CHECK(cache.choose_for_read(4, 100).segment == 1);  // partial, dirty
  CHECK(cache.choose_for_read(110, 5).segment == 2);
  CHECK(cache.choose_for_read(120, 5).hit == Hit::partial);  // being read
  CHECK(cache.choose_for_read(121, 5).segment == 4);         // empty
  CHECK(cache.choose_for_read(121, 5).hit == Hit::none);
  set(4, 500, 510, SegmentState::clean);
  CHECK(cache.choose_for_read(121, 5).segment == 0);  // idle, unused longest
  cache.touch(0);
  CHECK(cache.choose_for_read(121, 5).segment == 3);
  CHECK(cache.choose_for_write(505, 1) == 4);  // holds what is overwritten anyway
}
