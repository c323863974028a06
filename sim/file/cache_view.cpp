#include "sim/file/cache_view.hpp"

#include <algorithm>
#include <utility>

namespace seekahead {

CacheView::CacheView(Memory& memory, CpuAccount& cpu, FileId file, const ViewOwner& owner,
                     const ReadaheadPolicy& policy, const ViewObservers& observers)
    : memory_(memory),
      cache_(memory.cache()),
      cpu_(cpu),
      file_(file),
      owner_(owner),
      policy_(policy),
      observers_(observers) {}

PageState CacheView::state(PageIndex page) const {
  const FrameId id = cache_.find(file_, page);
  if (id == no_frame) {
    return PageState();
  }
  const Frame& frame = cache_.frame(id);
  return PageState(static_cast<std::uint8_t>(
      PageState::present_bit | (frame.uptodate ? PageState::uptodate_bit : 0) |
      (frame.marker ? PageState::marker_bit : 0) | (frame.referenced ? PageState::referenced_bit : 0) |
      (frame.active ? PageState::active_bit : 0)));
}

PageIndex CacheView::next_absent(PageIndex from, std::uint64_t limit) const {
  PageIndex page = from;
  for (; limit > 0 && cache_.find(file_, page) != no_frame; --limit) {
    ++page;
  }
  return page;
}

PageIndex CacheView::previous_absent(PageIndex from, std::uint64_t limit) const {
  PageIndex page = from;
  for (; limit > 0 && cache_.find(file_, page) != no_frame; --limit) {
    --page;  // below 0 it wraps to a page that no file has
  }
  return page;
}

std::uint64_t CacheView::cached_pages() const { return static_cast<std::uint64_t>(cache_.cached_of(file_)); }

std::uint64_t CacheView::vm_pages() const {
  return static_cast<std::uint64_t>(cache_.frames() - cache_.active());
}

// --- reading

std::uint64_t CacheView::submit(const Submission& wish) {
  cpu_.pay();
  const PageIndex file_end = end_page();
  const std::uint64_t count = wish.start >= file_end ? 0 : std::min(wish.count, file_end - wish.start);
  std::uint64_t inserted = 0;
  for (std::uint64_t i = 0; i < count; ++i) {
    inserted += insert(wish.start + i, wish.window_class, i == wish.mark_at) ? 1 : 0;
  }
  tell(wish, inserted);
  return inserted;
}

void CacheView::submit_page(PageIndex page, WindowClass window_class) {
  cpu_.pay();
  if (page >= end_page()) {  // old kernels: a page of zeroes, without I/O
    // The cache has room for the one at the end; those farther out, which nobody gets data from, are not
    // kept.
    if (page == end_page() && cache_.find(file_, page) == no_frame) {
      const FrameId id = memory_.allocate();
      if (cache_.find(file_, page) == no_frame) {
        cache_.insert(id, file_, page, window_class, false);
        cache_.frame(id).uptodate = true;
      } else {
        memory_.give_back(id);
      }
    }
    return;
  }
  const bool inserted = insert(page, window_class, false);
  tell({.start = page, .count = 1, .window_class = window_class}, inserted ? 1 : 0);
}

// Puts one page into the cache and its I/O on the way; false if another process was faster.
bool CacheView::insert(PageIndex page, WindowClass window_class, bool marker) {
  if (cache_.find(file_, page) != no_frame) {
    return false;
  }
  FrameId id = memory_.try_allocate();
  if (id == no_frame) {
    flush_run();  // what we hold back may be what others wait for
    id = memory_.allocate();
    if (cache_.find(file_, page) != no_frame) {
      memory_.give_back(id);
      return false;
    }
  }
  cache_.insert(id, file_, page, window_class, true);
  cache_.frame(id).marker = marker;  // before append(), which may wait
  append(id);
  return true;
}

void CacheView::append(FrameId id) {
  const RequestQueue& queue = *memory_.file(file_).queue;
  const std::int64_t longest = queue.options().limits.max_sectors / sectors_per_page;
  const bool continues = run_first_ != no_frame &&
                         cache_.frame(run_last_).page + 1 == cache_.frame(id).page && run_pages_ < longest;
  if (!continues) {
    flush_run();
  }
  if (run_first_ == no_frame) {
    run_first_ = id;
    run_pages_ = 0;
  } else {
    memory_.payload_next()[run_last_] = id;
  }
  run_last_ = id;
  ++run_pages_;
  if (memory_.rules().page_by_page) {
    flush_run();
  }
}

void CacheView::flush_run() {
  if (run_first_ != no_frame) {
    const FrameId first = std::exchange(run_first_, no_frame);
    memory_.submit(first, run_last_, run_pages_, false);
  }
}

void CacheView::tell(const Submission& wish, std::uint64_t read) {
  ClassCounters& counters = cache_.counters(wish.window_class);
  ++counters.windows;
  counters.pages_asked += static_cast<std::int64_t>(wish.count);
  counters.pages_read += static_cast<std::int64_t>(read);
  observers_.process.submissions += read > 0 ? 1 : 0;
  observers_.process.pages_read += static_cast<std::int64_t>(read);
  observers_.record.submitted(policy_, wish, read, end_page());
  if (observers_.probe != nullptr) {
    const CachedFile& file = memory_.file(file_);
    const PageIndex first = std::max(wish.start, demand_first_);
    const PageIndex past = std::min(wish.start + wish.count, demand_past_);
    observers_.probe->window({cpu_.now_ns(), owner_.process, owner_.command, owner_.pid, file.queue->name(),
                              file.name, position_, end_page(), wish, read, past > first ? past - first : 0});
  }
}

void CacheView::wait(PageIndex page) {
  flush_run();
  cpu_.pay();
  const FrameId id = cache_.find(file_, page);
  if (id != no_frame && cache_.frame(id).in_flight()) {
    memory_.wait(id);
  }
}

void CacheView::clear_marker(PageIndex page) {
  const FrameId id = cache_.find(file_, page);
  if (id != no_frame) {
    cache_.frame(id).marker = false;
  }
}

void CacheView::drop(PageIndex first, PageIndex last) {
  const PageIndex past = std::min(last, end_page()) + 1;
  for (PageIndex page = first; page < past; ++page) {
    const FrameId id = cache_.find(file_, page);
    if (id != no_frame && cache_.frame(id).evictable()) {
      memory_.drop(id);
    }
  }
}

// --- consuming

void CacheView::use(PageIndex page) {
  const FrameId id = cache_.find(file_, page);
  if (id != no_frame) {  // else it was evicted between its arrival and now; the reader had a hold on the data
    cache_.touch(id);
    cache_.mark_used(id);
    // Drop-behind: a page passed in sequence does not count as active memory (2.4). On 2.6 it never was.
    if (memory_.rules().page_by_page && page == last_used_ + 1) {
      const FrameId behind = cache_.find(file_, last_used_);
      if (behind != no_frame) {
        cache_.set_active(behind, false);
      }
    }
  }
  last_used_ = page;
}

void CacheView::copy(PageIndex page, std::uint64_t bytes) {
  use(page);
  cpu_.charge(owner_.cpu_per_page_ns * static_cast<TimeNs>(bytes) / static_cast<TimeNs>(page_bytes));
}

void CacheView::mark_accessed(PageIndex page) {
  const FrameId id = cache_.find(file_, page);
  if (id == no_frame) {
    return;
  }
  Frame& frame = cache_.frame(id);
  if (!frame.active && frame.referenced) {
    cache_.set_active(id, true);
    frame.referenced = false;
  } else if (!frame.referenced) {
    frame.referenced = true;
  }
}

std::uint64_t CacheView::rescue(PageIndex page, std::uint64_t count) {
  std::uint64_t moved = 0;
  for (const PageIndex held = page; count > 0; --count, ++page) {
    const FrameId id = cache_.find(file_, page);
    if (id == no_frame) {
      break;
    }
    const Frame& frame = cache_.frame(id);
    if (!frame.active && frame.uptodate && page != held) {
      cache_.touch(id);
      ++moved;
    }
  }
  return moved;
}

}  // namespace seekahead
