#include <rapidcheck.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <memory>
#include <vector>

#include "models/device/arrays.hpp"
#include "models/device/fixed_latency.hpp"
#include "tests/device/simple_disk.hpp"

using namespace seekahead;

namespace {

// Records what a member is asked for; serves a sector a microsecond, after an access time.
class Probe final : public BlockDevice {
 public:
  Probe(std::vector<DeviceRequest>* log, std::int64_t capacity, std::int64_t depth = 1,
        std::int64_t largest = 256, TimeNs access_ns = 0)
      : log_(log), depth_(depth) {
    FixedLatencyParameters p;
    p.access_ns = access_ns;
    p.bandwidth = 512'000'000;
    p.capacity_bytes = capacity * sector_bytes;
    p.queue_depth = depth;
    p.max_request_bytes = largest * sector_bytes;
    inner_ = make_fixed_latency(p, {});
  }
  std::int64_t capacity_sectors() const override { return inner_->capacity_sectors(); }
  std::int64_t queue_depth() const override { return inner_->queue_depth(); }
  std::int64_t max_request_sectors() const override { return inner_->max_request_sectors(); }
  void submit(TimeNs now, const DeviceRequest& request) override {
    if (++outstanding_ > depth_ || request.sectors > max_request_sectors() || request.sectors < 1 ||
        request.lbn < 0 || request.lbn + request.sectors > capacity_sectors()) {
      throw std::logic_error("the array asks a member for more than it can do");
    }
    log_->push_back(request);
    inner_->submit(now, request);
  }
  TimeNs next_event_ns() const override { return inner_->next_event_ns(); }
  void advance(TimeNs now, std::vector<Completion>& done) override {
    const std::size_t before = done.size();
    inner_->advance(now, done);
    outstanding_ -= static_cast<std::int64_t>(done.size() - before);
  }

 private:
  std::vector<DeviceRequest>* log_;
  std::int64_t depth_;
  std::int64_t outstanding_ = 0;
  std::unique_ptr<BlockDevice> inner_;
};

// Members named "0", "1", ... and what each of them was asked for.
struct Members {
  std::vector<std::vector<DeviceRequest>> logs;
  std::vector<std::unique_ptr<BlockDevice>> devices;
  std::vector<std::string> names;

  Members(std::size_t count, std::int64_t capacity, std::int64_t depth = 1, std::int64_t largest = 256,
          TimeNs access_ns = 0)
      : logs(count) {
    for (std::size_t i = 0; i < count; ++i) {
      devices.push_back(std::make_unique<Probe>(&logs[i], capacity, depth, largest, access_ns));
      names.push_back(std::to_string(i));
    }
  }
  DeviceContext context() {
    DeviceContext c;
    c.name = "array";
    c.take_member = [this](const std::string& name) -> std::unique_ptr<BlockDevice> {
      const auto it = std::find(names.begin(), names.end(), name);
      return it == names.end() ? nullptr : std::move(devices[static_cast<std::size_t>(it - names.begin())]);
    };
    return c;
  }
};

// Hands over the requests at time 0, as many as the device holds at once, and runs it dry.
std::vector<Completion> run(BlockDevice& device, const std::vector<DeviceRequest>& requests) {
  std::vector<Completion> done;
  std::size_t given = 0;
  TimeNs now = 0;
  for (;;) {
    while (given < requests.size() && static_cast<std::int64_t>(given - done.size()) < device.queue_depth()) {
      device.submit(now, requests[given++]);
    }
    now = device.next_event_ns();
    if (now == never_ns) {
      return done;
    }
    device.advance(now, done);
  }
}

// Rate of a sequential read of 16 MiB in requests of `window_kb`, one at a time, in MB/s.
double sequential_rate(BlockDevice& device, std::int64_t window_kb) {
  std::vector<Completion> done;
  TimeNs now = 0;
  const std::int64_t sectors = window_kb * 2;
  std::int64_t lbn = 0;
  for (; lbn < 32768; lbn += sectors) {
    device.submit(now, {0, lbn, sectors, false});
    done.clear();
    while (done.empty()) {
      now = device.next_event_ns();
      device.advance(now, done);
    }
  }
  return static_cast<double>(lbn * sector_bytes) * 1e3 / static_cast<double>(now);
}

std::unique_ptr<BlockDevice> raid_of(Members& members, Raid0Parameters p) {
  p.devices = members.names;
  return make_raid0(p, members.context());
}

}  // namespace

TEST_CASE("raid0 reads every sector exactly once and keeps the order on each member") {
  CHECK(rc::check("sectors of a random array", [] {
    const auto count = *rc::gen::inRange<std::size_t>(1, 9);
    const auto chunk = *rc::gen::inRange<std::int64_t>(1, 40);
    const std::int64_t member_sectors =
        chunk * *rc::gen::inRange<std::int64_t>(1, 30) + *rc::gen::inRange<int>(0, 5);
    Members members(count, member_sectors, *rc::gen::inRange<std::int64_t>(1, 4),
                    *rc::gen::inRange<std::int64_t>(1, 60), *rc::gen::inRange<TimeNs>(0, 5000));
    Raid0Parameters p;
    p.chunk_bytes = chunk * sector_bytes;
    p.gather = *rc::gen::arbitrary<bool>();
    p.queue_depth = *rc::gen::inRange<std::int64_t>(1, 5);
    p.controller_overhead_ns = *rc::gen::inRange<TimeNs>(0, 2000);
    p.link_rate = *rc::gen::inRange<std::int64_t>(0, 2) * 400'000'000;
    p.link_overhead_ns = *rc::gen::inRange<TimeNs>(0, 500);
    const auto array = raid_of(members, p);
    const std::int64_t capacity = array->capacity_sectors();
    RC_ASSERT(capacity == member_sectors / chunk * chunk * static_cast<std::int64_t>(count));

    // Requests that cover the whole array once, in sizes drawn at random.
    std::vector<DeviceRequest> requests;
    const bool is_write = *rc::gen::arbitrary<bool>();
    for (SectorNumber lbn = 0; lbn < capacity;) {
      const auto sectors = std::min(capacity - lbn, *rc::gen::inRange<std::int64_t>(1, 200));
      requests.push_back({requests.size(), lbn, sectors, is_write});
      lbn += sectors;
    }
    const auto done = run(*array, requests);
    RC_ASSERT(done.size() == requests.size());

    std::vector<int> seen(static_cast<std::size_t>(capacity), 0);
    for (std::size_t m = 0; m < count; ++m) {
      SectorNumber expected = 0;
      for (const DeviceRequest& r : members.logs[m]) {
        RC_ASSERT(r.lbn == expected);  // in order, without gap or overlap
        RC_ASSERT(r.is_write == is_write);
        expected = r.lbn + r.sectors;
        for (SectorNumber s = r.lbn; s < expected; ++s) {
          const SectorNumber lbn =
              (s / chunk * static_cast<std::int64_t>(count) + static_cast<std::int64_t>(m)) * chunk +
              s % chunk;
          ++seen[static_cast<std::size_t>(lbn)];
        }
      }
    }
    RC_ASSERT(std::all_of(seen.begin(), seen.end(), [](int n) { return n == 1; }));
    for (const Completion& c : done) {
      const ServiceTime& s = c.service;
      RC_ASSERT(s.queue_ns >= 0);
    }
  }));
}

TEST_CASE("raid0 completes a request when its slowest member has") {
  Members members(2, 1000, 1, 256, 10'000);
  Raid0Parameters p;
  p.chunk_bytes = 8 * sector_bytes;
  const auto array = raid_of(members, p);
  // Member 0 gets sectors 4-7 and 16-19 (gathered: 8 sectors), member 1 gets 8-15.
  array->submit(0, {1, 4, 16, false});
  CHECK(members.logs[0].size() == 1);
  CHECK(members.logs[0][0].lbn == 4);
  CHECK(members.logs[0][0].sectors == 8);
  CHECK(members.logs[1][0].lbn == 0);
  std::vector<Completion> done;
  array->advance(17'999, done);
  CHECK(done.empty());
  array->advance(18'000, done);
  REQUIRE(done.size() == 1);
  CHECK(done[0].service.seek_ns == 10'000);
  CHECK(done[0].service.transfer_ns == 8'000);
}

TEST_CASE("raid0 without gathering sends each chunk as a command of its own") {
  Members members(2, 1000, 4);
  Raid0Parameters p;
  p.chunk_bytes = 8 * sector_bytes;
  p.gather = false;
  const auto array = raid_of(members, p);
  array->submit(0, {1, 0, 32, false});
  CHECK(members.logs[0].size() == 2);
  CHECK(members.logs[1].size() == 2);
}

TEST_CASE("sequential rate of raid0 scales with its members until the link is full") {
  // A member gives 512 MB/s; the link 1600 MB/s. Windows of 1 MiB are whole stripes of 1 to 4 members.
  const auto rate = [](std::size_t count) {
    Members members(count, 1 << 20, 8, 1 << 16);
    Raid0Parameters p;
    p.chunk_bytes = 64 << 10;
    p.link_rate = 1'600'000'000;
    p.queue_depth = 8;
    const auto array = raid_of(members, p);
    std::vector<DeviceRequest> requests;
    for (std::int64_t i = 0; i < 64; ++i) {
      requests.push_back({static_cast<std::uint64_t>(i), i * 2048, 2048, false});
    }
    const auto done = run(*array, requests);
    return 64.0 * 1048576 * 1e3 / static_cast<double>(done.back().time_ns);
  };
  CHECK(rate(1) == Approx(512).epsilon(0.02));
  CHECK(rate(2) == Approx(1024).epsilon(0.03));
  CHECK(rate(4) == Approx(1600).epsilon(0.03));
  CHECK(rate(8) == Approx(1600).epsilon(0.03));
}

// reports.md 6: "stuck at 30-40 MB/s for every chunk size", window 124 KiB.
TEST_CASE("a window smaller than a stripe leaves members of raid0 idle") {
  const auto rate = [](std::int64_t window_kb, std::int64_t chunk_kb) {
    Members members(4, 1 << 20, 8, 1 << 16);
    Raid0Parameters p;
    p.chunk_bytes = chunk_kb << 10;
    const auto array = raid_of(members, p);
    return sequential_rate(*array, window_kb);
  };
  CHECK(rate(64, 64) == Approx(512).epsilon(0.01));    // one member at a time
  CHECK(rate(128, 64) == Approx(1024).epsilon(0.01));  // two
  CHECK(rate(256, 64) == Approx(2048).epsilon(0.01));  // all four
  CHECK(rate(128, 128) == Approx(512).epsilon(0.01));
}

TEST_CASE("the controller of an array takes its time of each request in turn") {
  Members members(2, 1000, 4);
  Raid0Parameters p;
  p.chunk_bytes = 8 * sector_bytes;
  p.controller_overhead_ns = 5'000;
  p.link_overhead_ns = 700;
  const auto array = raid_of(members, p);
  const auto done = run(*array, {{0, 0, 8, false}, {1, 8, 8, false}});
  REQUIRE(done.size() == 2);
  CHECK(done[0].time_ns == 5'000 + 8'000 + 700);
  CHECK(done[1].time_ns == 10'000 + 8'000 + 700);
}

TEST_CASE("written data crosses the link before it reaches the members") {
  Members members(2, 1000, 4);
  Raid0Parameters p;
  p.chunk_bytes = 8 * sector_bytes;
  p.link_rate = 512'000'000;  // a sector a microsecond
  const auto array = raid_of(members, p);
  const auto done = run(*array, {{0, 0, 16, true}});
  CHECK(done[0].time_ns == 16'000 + 8'000);
  CHECK(done[0].service.bus_ns == 16'000);
}

TEST_CASE("inherit_max_request limits the array to its most limited member") {
  Members members(2, 100'000, 1, 248);
  Raid0Parameters p;
  p.inherit_max_request = true;
  CHECK(raid_of(members, p)->max_request_sectors() == 248);
  Members others(2, 100'000, 1, 248);
  p.inherit_max_request = false;
  CHECK(raid_of(others, p)->max_request_sectors() == 2048);
}

TEST_CASE("linear puts devices one behind the other and cuts requests at the border") {
  Members members(3, 100);
  LinearParameters p;
  p.devices = members.names;
  const auto device = make_linear(p, members.context());
  CHECK(device->capacity_sectors() == 300);
  run(*device, {{0, 90, 120, false}});
  CHECK(members.logs[0].at(0).lbn == 90);
  CHECK(members.logs[0].at(0).sectors == 10);
  CHECK(members.logs[1].at(0).lbn == 0);
  CHECK(members.logs[1].at(0).sectors == 100);
  CHECK(members.logs[2].at(0).lbn == 0);
  CHECK(members.logs[2].at(0).sectors == 10);
}

TEST_CASE("a partition shifts sectors and must lie on its device") {
  Members members(1, 100);
  PartitionParameters p;
  p.device = "0";
  p.start_sector = 40;
  p.size_bytes = 50 * sector_bytes;
  const auto device = make_partition(p, members.context());
  CHECK(device->capacity_sectors() == 50);
  run(*device, {{0, 45, 5, false}});
  CHECK(members.logs[0].at(0).lbn == 85);

  Members others(1, 100);
  p.size_bytes = 61 * sector_bytes;
  CHECK_THROWS_WITH(make_partition(p, others.context()),
                    Catch::Contains("sectors 40 + 61 do not lie on \"0\", which has 100"));
  p.device = "nonsense";
  CHECK_THROWS_WITH(make_partition(p, others.context()), Catch::Contains("its member \"nonsense\""));
}

TEST_CASE("members of one drive are made with a name and a phase of their own") {
  std::vector<std::string> names;
  DeviceContext context;
  context.name = "md0";
  context.make_drive = [&names](const std::string& drive, const DeviceContext& of_member) {
    names.push_back(drive + " as " + of_member.name);
    return make_fixed_latency(FixedLatencyParameters{}, of_member);
  };
  Raid0Parameters p;
  p.member_drive = "fc15k";
  p.members = 3;
  make_raid0(p, context);
  CHECK(names == std::vector<std::string>{"fc15k as md0.0", "fc15k as md0.1", "fc15k as md0.2"});
}

// The disk did not tell how long a revolution takes, so that spindles that should be spread turned in step.
TEST_CASE("the spindles of a raid0 are spread over a revolution unless they are synchronised") {
  for (const bool in_step : {true, false}) {
    DeviceContext context;
    context.name = "array";
    context.make_drive = [](const std::string&, const DeviceContext&) {
      const DiskParameters disk = simple_disk();
      return make_disk(disk, disk.mechanics.start_angle, nullptr, nullptr);
    };
    Raid0Parameters p;
    p.member_drive = "simple";
    p.members = 2;
    p.chunk_bytes = 8 * sector_bytes;
    p.synchronised_spindles = in_step;
    const auto array = make_raid0(p, context);
    // Sector 0 of the second member: under the head at once, or half a revolution of 10 ms later.
    array->submit(0, {1, 8, 1, false});
    CHECK(array->next_event_ns() == (in_step ? 0 : 5 * ms) + 101 * us);
  }
}
