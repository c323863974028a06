// Buses, the write buffer of IDE drives, the drive's queue.
#include <catch2/catch.hpp>

#include "models/device/bus_progress.hpp"
#include "models/device/transfer_bus.hpp"
#include "tests/device/simple_disk.hpp"
#include "tests/drive_under_test.hpp"

using namespace seekahead;

namespace {

BusParameters ide(const std::string& mode, double efficiency) {
  BusParameters p;
  p.kind = "ide";
  p.mode = mode;
  p.efficiency_percent = efficiency;
  return p;
}

// The order in which requests handed over at once complete.
std::vector<std::uint64_t> order_of(DiskParameters p, const std::vector<SectorNumber>& lbns) {
  p.queue.depth = 8;
  const auto disk = make_disk(p, 0, nullptr, nullptr);
  for (std::size_t i = 0; i < lbns.size(); ++i) {
    disk->submit(0, {i, lbns[i], 1, false});
  }
  std::vector<Completion> done;
  while (disk->next_event_ns() != never_ns) {
    disk->advance(disk->next_event_ns(), done);
  }
  std::vector<std::uint64_t> ids;
  for (const Completion& c : done) {
    ids.push_back(c.id);
  }
  return ids;
}

double megabytes_per_s(std::int64_t sectors, TimeNs time) {
  return static_cast<double>(sectors * sector_bytes) / static_cast<double>(time) * 1e3;
}

// A host that reads or writes `sectors` from `lbn` in commands of `command` sectors, `gap` after each.
TimeNs stream(OneAtATime& host, bool write, SectorNumber lbn, std::int64_t sectors, std::int64_t command,
              TimeNs gap) {
  const TimeNs start = host.now();
  for (std::int64_t done = 0; done < sectors; done += command) {
    if (write) {
      host.write(lbn + done, command);
    } else {
      host.read(lbn + done, command);
    }
    host.wait_until(host.now() + gap);
  }
  return host.now() - start;
}

}  // namespace

TEST_CASE("a sector takes its time on the bus by mode and efficiency or by rate or as told") {
  CHECK(TransferBus(ide("udma5", 100), nullptr).sector_ns() == Approx(5120));
  CHECK(TransferBus(ide("udma5", 80), nullptr).sector_ns() == Approx(6400));
  CHECK(TransferBus(ide("udma2", 100), nullptr).sector_ns() == Approx(512 / 0.03333));
  CHECK(TransferBus(ide("pio4", 100), nullptr).sector_ns() == Approx(512 / 0.01667));
  BusParameters scsi;
  scsi.rate_bytes_per_s = 160'000'000;
  CHECK(TransferBus(scsi, nullptr).sector_ns() == Approx(3200));
  scsi.sector_time_ns = 99'000;
  CHECK(TransferBus(scsi, nullptr).sector_ns() == 99'000);
  CHECK(max_request_sectors(ide("udma5", 85)) == 256);
}

TEST_CASE("a sector crosses the bus when it is there and the one before has crossed") {
  BusParameters p;
  p.sector_time_ns = 10;
  TransferBus bus(p, nullptr);
  BusProgress progress(bus);
  progress.begin(100, 0);
  progress.add_there(2);     // 110, 120
  progress.add(2, 115, 1);   // there at 115 and 116: 130, 140
  progress.add(2, 200, 50);  // there at 200 and 250: 210, 260
  CHECK(progress.crossed(1) == 120);
  CHECK(progress.crossed(3) == 140);
  CHECK(progress.crossed(4) == 210);
  CHECK(progress.end() == 260);
  CHECK(progress.busy_until(105) == 140);
  CHECK(progress.busy_until(150) == 150);
  CHECK(progress.busy_until(205) == 210);
}

TEST_CASE("drives of one bus transfer one after the other") {
  DiskParameters p = simple_disk();
  p.bus.sector_time_ns = 1 * ms;
  p.bus.burst_sectors = 8;
  const auto shared = std::make_shared<SharedBus>();
  const auto a = make_disk(p, 0, shared, shared);
  const auto b = make_disk(p, 0, shared, shared);
  a->submit(0, {1, 10, 8, false});
  b->submit(0, {2, 10, 8, false});
  CHECK(a->next_event_ns() == 1800 * us + 8 * ms);
  CHECK(b->next_event_ns() == 1800 * us + 16 * ms);
  // A bus each: no waiting.
  const auto alone = make_disk(p, 0, nullptr, nullptr);
  alone->submit(0, {3, 10, 8, false});
  CHECK(alone->next_event_ns() == a->next_event_ns());
}

TEST_CASE("a transfer that fits before one that is known early does not wait for it") {
  SharedBus bus;
  CHECK(bus.occupy(100, 50) == 100);
  CHECK(bus.occupy(20, 80) == 20);   // ends exactly when the other begins
  CHECK(bus.occupy(10, 11) == 150);  // does not fit anywhere before
  CHECK(bus.occupy(0, 20) == 0);
}

TEST_CASE("command and reselection times are paid on the bus") {
  DiskParameters p = simple_disk();
  p.bus.command_time_ns = 40 * us;
  p.bus.reselect_time_ns = 20 * us;
  p.bus.burst_sectors = 8;
  p.bus.adapter_overhead_ns = 5 * us;
  p.overhead.per_request_ns = 3 * us;
  OneAtATime host(p);
  CHECK(host.read(10, 8) == 1800 * us + 20 * us + 8 * us);
  CHECK(host.read(10, 8) == 5 * us + 40 * us + 3 * us + 20 * us + 8 * us);
}

TEST_CASE("a command waits while data of the one before holds its bus") {
  DiskParameters p = simple_disk();
  p.bus.sector_time_ns = 1 * ms;
  p.queue.depth = 2;
  p.overhead.read_hit_after_read_ns = 100 * us;
  const auto disk = make_disk(p, 0, nullptr, nullptr);
  disk->submit(0, {1, 0, 2, false});  // on the bus from 0.1 to 2.1 ms
  disk->submit(1 * ms, {2, 0, 1, false});
  std::vector<Completion> done;
  disk->advance(2100 * us, done);
  CHECK(done.size() == 1);
  CHECK(disk->next_event_ns() == 2100 * us + 100 * us + 1 * ms);
}

TEST_CASE("the drive's queue is served in the order it is told to") {
  DiskParameters p = simple_disk();
  // All wait while request 0 is served on cylinder 0 at 0.1 ms.
  const std::vector<SectorNumber> lbns = {0, 150 * cylinder_sectors, 10 * cylinder_sectors + 60,
                                          100 * cylinder_sectors, 11 * cylinder_sectors + 30};
  p.queue.scheduling = "fcfs";
  CHECK(order_of(p, lbns) == std::vector<std::uint64_t>{0, 1, 2, 3, 4});
  p.queue.scheduling = "clook";
  CHECK(order_of(p, lbns) == std::vector<std::uint64_t>{0, 2, 4, 3, 1});
  p.queue.scheduling = "sstf";
  CHECK(order_of(p, lbns) == std::vector<std::uint64_t>{0, 2, 4, 3, 1});
  p.queue.scheduling = "sptf";
  CHECK(order_of(p, lbns)[1] == 4);  // the farther cylinder, but its sector comes round first
}

TEST_CASE("the nearest LBN goes first: upwards of two equally near") {
  DiskParameters p = simple_disk();
  p.queue.scheduling = "sstf";
  CHECK(order_of(p, {10000, 9000, 11000, 10100}) == std::vector<std::uint64_t>{0, 3, 2, 1});
}

TEST_CASE("a write buffer accepts writes at bus speed while it has room") {
  DiskParameters p = simple_disk();
  p.cache.write_buffer_sectors = 20;
  OneAtATime host(p);
  CHECK(host.write(50, 10) == 10 * us);
  CHECK(host.write(500, 10) == 10 * us);
  // Full: the third needs 10 sectors written, the first extent: on the media at 6 ms.
  host.write(900, 10);
  CHECK(host.now() == 6 * ms + 10 * us);
}

TEST_CASE("a sequential stream through the write buffer loses no revolution") {
  DiskParameters p = simple_disk();
  p.geometry.zones[0].track_skew_sectors = 6;
  p.geometry.zones[0].cylinder_skew_sectors = 11;
  p.cache.write_buffer_sectors = 100;
  OneAtATime host(p);
  const TimeNs time = stream(host, true, 0, 20000, 50, 40 * us);
  // A cylinder: two tracks of 10 ms, 0.6 ms and 1.1 ms of skew.
  const double expected = 21.7e6 * 100;
  CHECK(static_cast<double>(time) == Approx(expected).epsilon(0.01));
}

TEST_CASE("a read does not wait for buffered writes unless it wants their sectors") {
  DiskParameters p = simple_disk();
  p.cache.write_buffer_sectors = 100;
  OneAtATime other(p);
  other.write(50, 10);
  other.read(30, 1);
  CHECK(other.now() == 3100 * us + 1 * us);
  OneAtATime same(p);
  same.write(50, 10);
  same.read(55, 1);
  CHECK(same.now() == 15'600 * us + 1 * us);  // written out by 6 ms, then read a revolution later
}

TEST_CASE("the DTLA reaches the rates of its specification in the first and in the last zone") {
  DiskParameters p = catalogue_disk("dtla307045");
  const std::int64_t sectors = (16 << 20) / sector_bytes;
  OneAtATime outer(p);
  const double outer_rate = megabytes_per_s(sectors, stream(outer, false, 1'000'000, sectors, 256, 40 * us));
  CHECK(outer_rate == Approx(37.8).epsilon(0.02));
  OneAtATime inner(p);
  const SectorNumber last_zone = p.geometry.lbns - 3'000'000;
  CHECK(megabytes_per_s(sectors, stream(inner, false, last_zone, sectors, 256, 40 * us)) ==
        Approx(18.8).epsilon(0.02));
  OneAtATime writer(p);
  CHECK(megabytes_per_s(4 * sectors, stream(writer, true, 1'000'000, 4 * sectors, 248, 40 * us)) ==
        Approx(37.8).epsilon(0.05));
}

TEST_CASE("alternating between two far files costs a seek and a rotation each time") {
  OneAtATime host(catalogue_disk("dtla307045"));
  TimeNs seeking = 0;
  for (std::int64_t i = 0; i < 400; ++i) {
    host.read((i % 2 == 0 ? 1'000'000 : 3'000'000) + i / 2 * 248, 248);
    seeking += host.last().service.seek_ns > ns_per_ms ? 1 : 0;
    host.wait_until(host.now() + 40 * us);
  }
  CHECK(seeking >= 390);
  CHECK(megabytes_per_s(400 * 248, host.now()) < 16);
}

TEST_CASE("the Atlas III with its segments of 64 sectors shows no benefit of read-ahead") {
  // published.md A1, measured: a read that starts where the last one ended takes 5.25 ms on the Atlas III and
  // 0.92 ms on the Atlas 10K (4 sectors each, 45 ms apart).
  const auto sequential_ms = [](const char* id) {
    OneAtATime host(catalogue_disk(id));
    TimeNs sum = 0;
    for (SectorNumber i = 0; i < 1000; ++i) {
      sum += host.read(4'000'000 + i * 4, 4);
      host.wait_until(host.now() + 45 * ms + (i * 7919) % 1000 * us);
    }
    return static_cast<double>(sum) / 1000e6;
  };
  CHECK(sequential_ms("atlas3") > 3.5);
  CHECK(sequential_ms("atlas10k") < 1);
}
