#include <catch2/catch.hpp>

#include "sim/memory/page_cache.hpp"

using namespace seekahead;

namespace {
FrameId put(PageCache& cache, FileId file, PageIndex page) {
  const FrameId id = cache.take();
  REQUIRE(id != no_frame);
  cache.insert(id, file, page, WindowClass::window, true);
  cache.frame(id).uptodate = true;
  return id;
}
}  // namespace

TEST_CASE("page cache evicts the least recently used page") {
  PageCache cache(3, true);
  const FileId file = cache.add_file(10);
  put(cache, file, 0);
  put(cache, file, 1);
  put(cache, file, 2);
  cache.touch(cache.find(file, 0));
  put(cache, file, 3);
  CHECK(cache.find(file, 1) == no_frame);
  CHECK(cache.find(file, 0) != no_frame);
  CHECK(cache.cached() == 3);
}

TEST_CASE("page cache passes over pages that cannot go and evicts them first once they can") {
  PageCache cache(3, true);
  const FileId file = cache.add_file(10);
  const FrameId dirty = put(cache, file, 0);
  cache.add_dirty(dirty, 0);
  put(cache, file, 1);
  put(cache, file, 2);
  put(cache, file, 3);  // page 0 is dirty: page 1 goes
  CHECK(cache.find(file, 0) == dirty);
  CHECK(cache.find(file, 1) == no_frame);
  cache.remove_dirty(dirty);
  cache.now_evictable(dirty);
  put(cache, file, 4);
  CHECK(cache.find(file, 0) == no_frame);
  CHECK(cache.find(file, 2) != no_frame);
}

TEST_CASE("page cache gives nothing when no page can go") {
  PageCache cache(2, true);
  const FileId file = cache.add_file(10);
  cache.add_dirty(put(cache, file, 0), 0);
  cache.frame(put(cache, file, 1)).uptodate = false;
  CHECK(cache.take() == no_frame);
}

TEST_CASE("readahead pages evicted unused are wasted and when wanted again thrashed") {
  PageCache cache(1, true);
  const FileId file = cache.add_file(10);
  put(cache, file, 0);
  cache.mark_used(cache.find(file, 0));
  put(cache, file, 1);  // evicts page 0, which was used
  CHECK(cache.counters(WindowClass::window).pages_wasted == 0);
  put(cache, file, 2);  // evicts page 1 unused
  CHECK(cache.counters(WindowClass::window).pages_wasted == 1);
  CHECK(cache.counters(WindowClass::window).pages_thrashed == 0);
  put(cache, file, 1);
  CHECK(cache.counters(WindowClass::window).pages_thrashed == 1);
  CHECK(cache.counters(WindowClass::window).pages_hit == 1);
}

TEST_CASE("dirty pages stay in the order in which they became dirty") {
  PageCache cache(4, true);
  const FileId file = cache.add_file(10);
  const FrameId a = put(cache, file, 0);
  const FrameId b = put(cache, file, 1);
  const FrameId c = put(cache, file, 2);
  cache.add_dirty(b, 1);
  cache.add_dirty(a, 2);
  cache.add_dirty(c, 3);
  cache.add_dirty(b, 9);  // already dirty: keeps its place and its due time
  CHECK(cache.oldest_dirty() == b);
  CHECK(cache.frame(b).due_ns == 1);
  cache.remove_dirty(a);
  CHECK(cache.frame(b).dirty_next == c);
  CHECK(cache.dirty() == 2);
}
