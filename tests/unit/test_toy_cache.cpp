// The toy page cache against the rules of the small models: runs, batches, waits, eviction, reclaim lists.
#include <catch2/catch.hpp>

#include "sim/file/toy_cache.hpp"

using namespace seekahead;

namespace {

std::string runs(const ToyCache& cache) {
  std::string text;
  for (const ToyCache::Run& run : cache.runs()) {
    text += "[" + std::to_string(run.operation) + "," + std::to_string(run.start) + "," +
            std::to_string(run.count) + "]";
  }
  return text;
}

}  // namespace

TEST_CASE("neighbouring pages join a run while the batch is open") {
  ToyCache cache(100 * page_bytes, ToyIo::lazy, 1000);
  cache.begin_operation(0);
  cache.submit_page(5, WindowClass::page);
  cache.submit({.start = 6, .count = 3});
  cache.submit_page(10, WindowClass::page);
  cache.close_batch();
  cache.submit_page(11, WindowClass::page);
  cache.begin_operation(1);
  cache.submit_page(12, WindowClass::page);
  CHECK(runs(cache) == "[0,5,4][0,10,1][0,11,1][1,12,1]");
}

TEST_CASE("a wait completes all runs up to its own in order of creation") {
  ToyCache cache(100 * page_bytes, ToyIo::lazy, 1000);
  for (const PageIndex page : {50, 10, 30}) {
    cache.close_batch();
    cache.submit_page(page, WindowClass::page);
  }
  cache.wait(10);
  CHECK(cache.state(50).uptodate());
  CHECK(cache.state(10).uptodate());
  CHECK(cache.state(30).in_flight());
  cache.complete();
  CHECK(cache.state(30).uptodate());
}

TEST_CASE("submit skips cached pages and stops at the end of the file") {
  ToyCache cache(10 * page_bytes - 1, ToyIo::instant, 1000);
  cache.populate(7, 1);
  CHECK(cache.submit({.start = 5, .count = 100, .mark_at = 1}) == 4);
  CHECK(runs(cache) == "[0,5,2][0,8,2]");
  CHECK(cache.state(6).marker());
  CHECK(cache.state(10).absent());
  CHECK(cache.submit({.start = 10, .count = 5}) == 0);
  CHECK(cache.submit({.start = ~PageIndex{0} - 1, .count = 5}) == 0);
  cache.submit_page(10, WindowClass::page);  // behind the end: zeroes, no I/O
  CHECK(cache.state(10).uptodate());
  CHECK(cache.runs().size() == 2);
}

TEST_CASE("a marker is not set on a page that was there") {
  ToyCache cache(100 * page_bytes, ToyIo::instant, 1000);
  cache.populate(3, 1);
  cache.submit({.start = 0, .count = 8, .mark_at = 3});
  for (PageIndex page = 0; page < 8; ++page) {
    CHECK_FALSE(cache.state(page).marker());
  }
}

TEST_CASE("eviction spares pages in flight and takes markers along") {
  ToyCache cache(2000 * page_bytes, ToyIo::lazy, 1000);
  cache.submit({.start = 0, .count = 600, .mark_at = 2});
  cache.evict(0, 600);
  CHECK(cache.cached_pages() == 600);
  cache.complete();
  cache.evict(0, ~std::uint64_t{0});
  CHECK(cache.cached_pages() == 0);
  cache.populate(2, 1);
  CHECK_FALSE(cache.state(2).marker());
}

TEST_CASE("absent pages are found upwards and downwards") {
  ToyCache cache(2000 * page_bytes, ToyIo::instant, 1000);
  cache.populate(0, 4);
  cache.populate(510, 4);
  CHECK(cache.next_absent(510, 10) == 514);
  CHECK(cache.next_absent(510, 3) == 513);
  CHECK(cache.previous_absent(513, 10) == 509);
  CHECK(cache.previous_absent(513, 2) == 511);
  CHECK(cache.previous_absent(3, 10) == ~PageIndex{0});  // below page 0
}

TEST_CASE("two accesses make a page active") {
  ToyCache cache(10 * page_bytes, ToyIo::instant, 1000);
  cache.populate(0, 1);
  cache.mark_accessed(0);
  CHECK(cache.state(0).referenced());
  CHECK_FALSE(cache.state(0).active());
  cache.mark_accessed(0);
  CHECK_FALSE(cache.state(0).referenced());
  CHECK(cache.state(0).active());
}

TEST_CASE("rescue follows the reclaim list and moves pages that nobody holds") {
  ToyCache cache(100 * page_bytes, ToyIo::instant, 1000);
  cache.submit({.start = 0, .count = 8});
  // Page 0 is held by the caller; 1 to 3 follow it on the list.
  CHECK(cache.rescue(0, 4) == 3);
  // Now the list reads 0 4 5 6 7 1 2 3: the walk breaks behind 0 and grabs 1; 2 and 3 follow it; 4 is grabbed
  // after the next break.
  CHECK(cache.rescue(0, 5) == 2);
  cache.evict(2, 1);
  CHECK(cache.rescue(0, 5) == 0);  // 1 is grabbed, 2 is gone
}

TEST_CASE("misuse by a policy is caught") {
  ToyCache cache(100 * page_bytes, ToyIo::lazy, 1000);
  cache.submit_page(1, WindowClass::page);
  CHECK_THROWS_AS(cache.submit_page(1, WindowClass::page), std::logic_error);
  CHECK_THROWS_AS(cache.copy(1, 10), std::logic_error);
  CHECK_THROWS_AS(cache.wait(2), std::logic_error);
  cache.wait(1);
  CHECK_THROWS_AS(cache.wait(1), std::logic_error);
  CHECK_NOTHROW(cache.copy(1, 10));
}

TEST_CASE("an absurd window ends before it eats the memory") {
  ToyCache cache(std::uint64_t{1} << 60, ToyIo::instant, 1000);
  CHECK_THROWS_AS(cache.submit({.start = 0, .count = std::uint64_t{1} << 50}), ToyCacheFull);
}
