// elevator_linus: expected orders and limits follow from rules 1-7 of the 2.4 section of docs/elevators.md.
#include <catch2/catch.hpp>
#include <deque>
#include <vector>

#include "models/builtin.hpp"

using namespace seekahead;

namespace {

class Fixture {
 public:
  Fixture() {
    register_elevator_models(registry_);
    const ElevatorModel* model = registry_.elevators.find("linus");
    elevator = model->make(*model->parameters());
  }
  // Brings one buffer of 4 KiB; true if it merged.
  bool buffer(SectorNumber start, bool write = false, std::int64_t sectors = 8) {
    const Bio bio{start, sectors, write, !write};
    const Merge merge = elevator->find_merge(bio, limits);
    if (merge.kind == MergeKind::none) {
      requests.push_back(Request{});
      requests.back().start = start;
      requests.back().sectors = sectors;
      requests.back().segments = 1;
      requests.back().is_write = write;
      elevator->add(requests.back(), 0);
      return false;
    }
    Request& request = *merge.request;
    request.start = merge.kind == MergeKind::front ? start : request.start;
    request.sectors += sectors;
    ++request.segments;
    Request* joined = elevator->merged(request, bio, merge.kind, limits);
    if (joined != nullptr) {
      request.start = std::min(request.start, joined->start);
      request.sectors += joined->sectors;
    }
    return true;
  }
  std::vector<SectorNumber> drain() {
    std::vector<SectorNumber> order;
    while (Request* next = elevator->next(0)) {
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

TEST_CASE("linus: 32 consecutive pages become a request of 31 and one of 1") {
  Fixture f;
  for (int i = 0; i < 32; ++i) {
    f.buffer(1000 + 8 * i);
  }
  REQUIRE(f.elevator->waiting() == 2);
  CHECK(f.elevator->next(0)->sectors == 248);
  CHECK(f.elevator->next(0)->sectors == 8);
}

TEST_CASE("linus: one ascending sweep and what lies behind it comes in the next") {
  Fixture f;
  f.buffer(5000);
  f.buffer(9000);
  f.buffer(7000);
  f.buffer(100);
  f.buffer(50);
  CHECK(f.drain() == std::vector<SectorNumber>{5000, 7000, 9000, 50, 100});
}

TEST_CASE("linus: reads and writes are mixed in one sweep but never merge") {
  Fixture f;
  f.buffer(1000, false);
  CHECK_FALSE(f.buffer(1008, true));
  f.buffer(3000, true);
  f.buffer(2000, false);
  CHECK(f.drain() == std::vector<SectorNumber>{1000, 1008, 2000, 3000});
}

TEST_CASE("linus: front merge and the gap between two requests closed by one buffer") {
  Fixture f;
  f.buffer(1016);
  CHECK(f.buffer(1008));
  f.buffer(1032);
  REQUIRE(f.elevator->waiting() == 2);
  CHECK(f.buffer(1024));
  REQUIRE(f.elevator->waiting() == 1);
  const Request* all = f.elevator->next(0);
  CHECK(all->start == 1008);
  CHECK(all->sectors == 32);
}

// A read starts with 8192 passes; every later buffer that scans over it takes one.
TEST_CASE("linus: a request whose passes are used up is not overtaken any more") {
  Fixture f;
  f.buffer(1'000'000);
  f.buffer(2'000'000);  // passes the first: 8191 left for it
  SECTION("one pass left: still overtaken") {
    f.requests[0].sequence = 1;
    f.requests[1].sequence = 100;
    f.buffer(500);  // wraps to behind the tail: not between; scans both
    f.buffer(1'500'000);
    CHECK(f.drain()[1] == 2'000'000);  // the scan stopped at the first request before a place was found
  }
  SECTION("passes left: sorted in between") {
    f.buffer(1'500'000);
    CHECK(f.drain()[1] == 1'500'000);
  }
}

TEST_CASE("linus: a merge costs every request behind the merged one its sectors") {
  Fixture f;
  f.buffer(1000);
  f.buffer(5000);
  const std::int64_t before = f.requests[1].sequence;
  REQUIRE(f.buffer(1008));
  CHECK(f.requests[1].sequence == before - 1 - 8);  // one for the scan, eight for the merge
}

TEST_CASE("linus: without room in the scatter list the buffer becomes a request at the tail") {
  Fixture f;
  f.limits.max_segments = 2;
  f.buffer(1000);
  f.buffer(9000);
  CHECK(f.buffer(1008));
  CHECK_FALSE(f.buffer(1016));
  CHECK(f.drain() == std::vector<SectorNumber>{1000, 9000, 1016});
}
