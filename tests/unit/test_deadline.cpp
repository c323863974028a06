// deadline and noop of 2.6: expected orders follow from the rules of docs/modelled.md (sections noop and
// deadline).
#include <catch2/catch.hpp>
#include <deque>
#include <vector>

#include "models/builtin.hpp"

using namespace seekahead;

namespace {

class Fixture {
 public:
  explicit Fixture(const char* name) {
    register_elevator_models(registry_);
    const ElevatorModel* model = registry_.elevators.find(name);
    elevator = model->make(*model->parameters());
    limits.max_sectors = 256;
    limits.max_segments = 256;
  }
  bool add(SectorNumber start, bool write = false, TimeNs now = 0, std::int64_t sectors = 8) {
    const Bio bio{start, sectors, write, !write};
    const Merge merge = elevator->find_merge(bio, limits);
    if (merge.kind == MergeKind::none) {
      requests.push_back(Request{});
      Request& request = requests.back();
      request.start = start;
      request.sectors = sectors;
      request.segments = static_cast<std::uint32_t>(sectors / 8);
      request.is_write = write;
      elevator->add(request, now);
      return false;
    }
    Request& request = *merge.request;
    request.start = merge.kind == MergeKind::front ? start : request.start;
    request.sectors += sectors;
    request.segments += static_cast<std::uint32_t>(sectors / 8);
    if (Request* joined = elevator->merged(request, bio, merge.kind, limits)) {
      request.start = std::min(request.start, joined->start);
      request.sectors += joined->sectors;
    }
    return true;
  }
  std::vector<SectorNumber> drain(TimeNs now = 0) {
    std::vector<SectorNumber> order;
    while (Request* next = elevator->next(now)) {
      order.push_back(next->start);
    }
    return order;
  }

  MergeLimits limits;
  std::unique_ptr<Elevator> elevator;
  std::deque<Request> requests;

 private:
  Registry registry_;
};

}  // namespace

TEST_CASE("noop is first in first out and merges") {
  Fixture f("noop");
  f.add(900);
  f.add(100);
  CHECK(f.add(908));
  CHECK(f.add(92));
  CHECK_FALSE(f.add(916, true));  // the other direction
  CHECK(f.drain() == std::vector<SectorNumber>{900, 92, 916});
}

TEST_CASE("noop joins two requests when the gap between them is filled") {
  Fixture f("noop");
  f.add(100);
  f.add(116);
  CHECK(f.add(108));
  REQUIRE(f.elevator->waiting() == 1);
  CHECK(f.elevator->next(0)->sectors == 24);
}

TEST_CASE("merging stops at the largest request") {
  Fixture f("noop");
  f.add(0, false, 0, 248);
  CHECK(f.add(248));  // 256 sectors: full
  CHECK_FALSE(f.add(256));
}

// The first read is the lowest sector; then each next one is the successor.
TEST_CASE("deadline serves reads in ascending order before writes") {
  Fixture f("deadline");
  f.add(300);
  f.add(100);
  f.add(50, true);
  f.add(200);
  const std::vector<SectorNumber> order = f.drain();
  CHECK(order[0] == 100);
  CHECK(order[1] == 200);
}

// writes_starved = 2: after two choices of reads over waiting writes the writes get one.
TEST_CASE("deadline lets writes starve for two choices only") {
  Fixture f("deadline");
  for (int i = 0; i < 6; ++i) {
    f.add(1000 + 100 * i);  // apart: each is a jump, so each is a choice
    f.add(9000 + 100 * i, true);
  }
  const std::vector<SectorNumber> order = f.drain();
  CHECK(order[0] == 1000);
  CHECK(order[1] == 1100);
  CHECK(order[2] == 9000);
  CHECK(order[3] >= 1000);
  CHECK(order[3] < 9000);
}

TEST_CASE("deadline takes an expired read first but not one that is not older than its limit") {
  const auto first = [](TimeNs now) {
    Fixture f("deadline");
    f.add(9000, false, 0);
    f.add(100, false, 400 * ns_per_ms);
    return f.elevator->next(now)->start;
  };
  CHECK(first(500 * ns_per_ms) == 100);  // read_expire 500 ms: exactly so old is not older
  CHECK(first(500 * ns_per_ms + 1) == 9000);
}

// fifo_batch = 16: sixteen contiguous requests go before expiry is looked at.
TEST_CASE("deadline looks at expiry only after a batch of contiguous requests") {
  Fixture f("deadline");
  f.limits.max_sectors = 8;  // contiguous, but each a request of its own
  f.add(90000, false, 0);
  for (int i = 0; i < 20; ++i) {
    f.add(8 * i, false, 0);
  }
  CHECK(f.elevator->next(0)->start == 0);
  const TimeNs late = ns_per_s;
  for (int i = 1; i < 16; ++i) {
    CHECK(f.elevator->next(late)->start == 8 * i);
  }
  CHECK(f.elevator->next(late)->start == 90000);
}
