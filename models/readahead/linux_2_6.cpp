#include "models/readahead/linux_2_6.hpp"

namespace seekahead {

namespace {

constexpr std::uint64_t lots_of_misses = 100;
constexpr std::uint64_t willneed_chunk_pages = 512;

}  // namespace

bool Linux26Policy::fault(PageCacheView& view, PageIndex page) {
  if (page >= view.end_page()) {  // F1
    return false;
  }
  bool around = false;
  if (hint_ == MapHint::random) {
    note(view, "F2", "random mapping: the page alone");
    read_single(view, page);
  } else if (hint_ == MapHint::sequential) {
    note(view, "F3", "sequential mapping: readahead as for a read of one page");
    fault_readahead(view, page);
    if (view.state(page).absent()) {
      missed(view, page);
      read_single(view, page);
    }
  } else if (view.state(page).absent()) {
    ++mmap_miss_;
    if (mmap_miss_ > mmap_hit_ + lots_of_misses) {
      note(view, "F4", "far more misses than hits: the page alone");
    } else {
      note(view, "F4", "page absent: read around it");
      around = true;
      read_around(view, page);
    }
    read_single(view, page);
  }
  if (!around) {
    ++mmap_hit_;  // F5
  }
  if (view.state(page).in_flight()) {  // F6
    view.wait(page);
  }
  view.mark_accessed(page);
  return true;
}

void Linux26Policy::read_around(PageCacheView& view, PageIndex page) const {
  if (ra_pages_ != 0 && !view.congested()) {
    const PageIndex first = page > ra_pages_ / 2 ? page - ra_pages_ / 2 : 0;
    read_window(view, first, ra_pages_, WindowClass::around);
  }
}

void Linux26Policy::look_up(PageCacheView& view, PageIndex page) {
  if (view.state(page).absent()) {
    missed(view, page);
    read_single(view, page);
  }
  if (view.state(page).in_flight()) {
    view.wait(page);
  }
}

void Linux26Policy::read_single(PageCacheView& view, PageIndex page) {
  if (view.state(page).absent()) {
    view.close_batch();
    view.submit_page(page, WindowClass::page);
    view.close_batch();
  }
}

std::uint64_t Linux26Policy::read_window(PageCacheView& view, PageIndex first, std::uint64_t count,
                                         WindowClass window_class) {
  view.close_batch();
  const std::uint64_t started = view.submit({.start = first, .count = count, .window_class = window_class});
  view.close_batch();
  return started;
}

void Linux26Policy::fadvise(PageCacheView& view, FileAdvice advice, std::uint64_t position,
                            std::uint64_t length) {
  switch (advice) {
    case FileAdvice::normal:
      ra_pages_ = device_pages_;
      break;
    case FileAdvice::random:
      ra_pages_ = 0;
      break;
    case FileAdvice::sequential:
      ra_pages_ = 2 * device_pages_;
      break;
    case FileAdvice::willneed:
      read_range(view, position, length);
      break;
    case FileAdvice::noreuse:
      if (noreuse_reads_) {
        read_range(view, position, length);
      }
      break;
    case FileAdvice::dontneed: {
      const bool to_end = length == 0 || length > view.file_size() || position >= view.file_size() - length;
      const PageIndex first = pages_for(position);
      const PageIndex past = to_end ? view.end_page() : (position + length) / page_bytes;
      if (past > first) {
        view.drop(first, past - 1);
      }
      break;
    }
  }
}

// WILLNEED: in chunks, each a batch, whatever the queue's congestion.
void Linux26Policy::read_range(PageCacheView& view, std::uint64_t position, std::uint64_t length) {
  const std::uint64_t size = view.file_size();
  if (position >= size) {
    return;
  }
  const PageIndex past =
      length == 0 || length > size - position ? view.end_page() : pages_for(position + length);
  for (PageIndex first = position / page_bytes; first < past; first += willneed_chunk_pages) {
    read_window(view, first, std::min(willneed_chunk_pages, past - first), WindowClass::fadvise);
  }
}

void Linux26Policy::visit_mapping(StateVisitor& visitor) const {
  visitor.field("ra_pages", static_cast<std::int64_t>(ra_pages_));
  visitor.field("mmap_hit", static_cast<std::int64_t>(mmap_hit_));
  visitor.field("mmap_miss", static_cast<std::int64_t>(mmap_miss_));
}

}  // namespace seekahead
