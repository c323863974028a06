// The array of the 2.6 readahead measurements (FAStT700, seven 15k disks): what its width is good for depends
// on how much is read at once.
#include <catch2/catch.hpp>
#include <memory>
#include <string>
#include <vector>

#include "models/builtin.hpp"
#include "models/device/arrays.hpp"
#include "sim/scenario/drive_maker.hpp"

using namespace seekahead;

namespace {

struct Arrays {
  Registry registry;
  DriveMaker make;
  Arrays() {
    register_builtin_models(registry);
    make = make_drive_maker(registry);
  }
  std::unique_ptr<BlockDevice> of(std::int64_t members, std::int64_t link_rate) {
    Raid0Parameters p;
    p.member_drive = "fc15k";
    p.members = members;
    p.link_rate = link_rate;
    DeviceContext context;
    context.name = "array";
    context.make_drive = make;
    return make_raid0(p, context);
  }
};

// MB/s of reading 64 MiB from the start, `outstanding` requests of `window_kb` at once.
double rate(BlockDevice& device, std::int64_t window_kb, std::uint64_t outstanding) {
  const std::int64_t sectors = window_kb * 2;
  const auto requests = static_cast<std::uint64_t>(131072 / sectors);
  std::vector<Completion> done;
  TimeNs now = 0;
  for (std::uint64_t given = 0; done.size() < requests;) {
    for (; given < requests && given - done.size() < outstanding; ++given) {
      device.submit(now, {given, static_cast<SectorNumber>(given) * sectors, sectors, false});
    }
    now = device.next_event_ns();
    device.advance(now, done);
  }
  return 131072.0 * 512 * 1e3 / static_cast<double>(now);
}

}  // namespace

TEST_CASE("raid0 of real drives scales with its members until the link is full") {
  Arrays arrays;
  constexpr std::int64_t window_kb = 896;  // two stripes of seven
  const double one = rate(*arrays.of(1, 0), window_kb, 4);
  CHECK(one == Approx(80).epsilon(0.12));  // sustained rate of the outer zone
  CHECK(rate(*arrays.of(2, 0), window_kb, 4) == Approx(2 * one).epsilon(0.15));
  CHECK(rate(*arrays.of(4, 0), window_kb, 4) == Approx(4 * one).epsilon(0.2));
  constexpr std::int64_t link = 190'000'000;
  CHECK(rate(*arrays.of(2, link), window_kb, 4) < 0.95 * 190);
  CHECK(rate(*arrays.of(4, link), window_kb, 4) == Approx(190).epsilon(0.05));
  CHECK(rate(*arrays.of(7, link), window_kb, 4) == Approx(190).epsilon(0.05));
}

// reports.md 6: five disks stuck at 30-40 MB/s for every chunk size with a window of 124 KiB.
TEST_CASE("a small window makes seven real drives as slow as one or two") {
  Arrays arrays;
  const double one = rate(*arrays.of(1, 0), 64, 1);
  const double seven = rate(*arrays.of(7, 0), 64, 1);
  CHECK(seven < 1.3 * one);
  CHECK(rate(*arrays.of(7, 0), 448, 1) > 2.5 * seven);
  CHECK(rate(*arrays.of(7, 0), 896, 4) > 4 * seven);
}
