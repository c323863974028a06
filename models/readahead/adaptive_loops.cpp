// Adaptive readahead: page references (section 6 of the specification), read(2) (7), page faults (8) and
// advice (9).
#include <algorithm>

#include "models/readahead/adaptive.hpp"
#include "models/readahead/shared.hpp"

namespace seekahead {

namespace {

constexpr std::uint64_t advice_chunk_pages = 512;
constexpr std::uint64_t lots_of_misses = 100;  // more misses than hits by so many: no read-around

}  // namespace

void AdaptivePolicy::submit_page(PageCacheView& view, PageIndex page) {
  view.close_batch();
  view.submit_page(page, WindowClass::page);
  view.close_batch();
}

// 6. MARK_ACCESSED; `state` is the page's.
void AdaptivePolicy::mark_accessed(PageCacheView& view, PageIndex page, PageState state) {
  if (!state.referenced()) {
    device_.page_referenced();
  }
  view.mark_accessed(page);
}

// 6. CACHE_HIT: the first use of a page, whose state is `state`.
void AdaptivePolicy::cache_hit(PageIndex page, PageState state) {
  if (state.active() || state.referenced()) {
    return;
  }
  if (!state.uptodate()) {
    count(AdaptiveEvent::io_block, 1);
  }
  if (has(page)) {
    page_used(page);
  }
}

// 7. read(2)
std::uint64_t AdaptivePolicy::read(PageCacheView& view, std::uint64_t position, std::uint64_t length) {
  const std::uint64_t file_size = view.file_size();
  const PageIndex first = position / page_bytes;
  const PageIndex last_index = (position + length + page_bytes - 1) / page_bytes;  // not clipped by EOF
  ReadCursor cursor(position, length);
  PageIndex prev_index = prev_page_;
  bool held = false;  // the page before

  for (bool more = length > 0; more;) {
    const PageIndex index = cursor.index;
    const std::uint64_t available = cursor.available(file_size);
    if (available == 0) {  // 7.1
      break;
    }
    PageState state = view.state(index);
    if (state.absent() || state.marker()) {  // 7.2
      prev_page_ = prev_index;
      adapt(view, {held, state.present(), first, index, last_index});
      state = view.state(index);
    }
    if (state.absent()) {  // 7.3
      note(view, "7.3", "readahead left the page out: read it alone");
      submit_page(view, index);
      state = view.state(index);
    } else {
      cache_hit(index, state);
    }
    if (state.in_flight()) {
      view.wait(index);
    }
    held = true;
    if (prev_index != index) {  // 7.4
      mark_accessed(view, index, state);
    }
    prev_index = index;
    more = cursor.deliver(view, available);  // 7.5
  }
  prev_page_ = prev_index;
  return cursor.copied;
}

// 8. Page fault
bool AdaptivePolicy::fault(PageCacheView& view, PageIndex page) {
  flag_mmap_ = true;  // even past the end of the file
  if (page >= view.end_page()) {
    return false;
  }
  bool did_around = false;
  bool alone = hint_ == MapHint::random;  // 8.1
  for (;;) {
    if (alone && view.state(page).absent()) {  // 8.5
      submit_page(view, page);
    }
    const PageState found = view.state(page);
    if (hint_ == MapHint::sequential && (found.absent() || found.marker())) {  // 8.2
      adapt(view, {false, found.present(), page, page, page + 1});
    }
    if (view.state(page).present()) {
      break;
    }
    alone = true;  // 8.3, unless read-around gets the page
    if (hint_ == MapHint::sequential) {
      continue;
    }
    if (++mmap_miss_ > mmap_hit_ + lots_of_misses) {
      note(view, "8.3", "too many misses on this mapping: no read-around");
      continue;
    }
    did_around = true;
    read_around(view, page);
    if (view.state(page).present()) {
      break;
    }
  }
  if (!did_around) {  // 8.4
    ++mmap_hit_;
  }
  const PageState state = view.state(page);
  cache_hit(page, state);
  if (state.in_flight()) {
    view.wait(page);
  }
  mark_accessed(view, page, state);
  prev_page_ = page;
  return true;
}

void AdaptivePolicy::read_around(PageCacheView& view, PageIndex page) {
  const std::uint64_t around = max_sane(ra_pages_, view.vm_pages());
  if (around == 0 || view.congested()) {
    return;
  }
  note(view, "8.3", "read-around");
  const std::uint64_t actual =
      submit(view, {.start = page - std::min(page, around / 2),
                    .count = around,
                    .window_class = WindowClass::around,
                    .previous_position = static_cast<std::int64_t>(prev_page_ << 12)});
  device_.count(AdaptiveClass::none, AdaptiveEvent::readahead, actual);
}

// 9. fadvise
void AdaptivePolicy::fadvise(PageCacheView& view, FileAdvice advice, std::uint64_t position,
                             std::uint64_t length) {
  const AdvisedRange range(position, length);
  switch (advice) {
    case FileAdvice::normal:
      ra_pages_ = device_.ra_pages;
      break;
    case FileAdvice::random:
      ra_pages_ = 0;
      break;
    case FileAdvice::sequential:
      ra_pages_ = 2 * device_.ra_pages;
      break;
    case FileAdvice::willneed: {
      const std::uint64_t pages = max_sane(range.touched(), view.vm_pages());
      std::uint64_t actual = 0;
      for (std::uint64_t done = 0; done < pages; done += advice_chunk_pages) {
        actual += submit(view, {.start = range.first_touched() + done,
                                .count = std::min(advice_chunk_pages, pages - done),
                                .window_class = WindowClass::fadvise,
                                .previous_position = static_cast<std::int64_t>(prev_page_ << 12)});
      }
      device_.count(AdaptiveClass::none, AdaptiveEvent::readahead, actual);
      break;
    }
    case FileAdvice::dontneed:
      if (range.last() >= range.first_whole()) {
        view.drop(range.first_whole(), range.last());
      }
      break;
    case FileAdvice::noreuse:
      break;
  }
}

void AdaptivePolicy::visit_chunks(StateVisitor& visitor) const {
  visitor.unsigned_field("la_index", la_index_);
  visitor.unsigned_field("ra_index", ra_index_);
  visitor.unsigned_field("lookahead_index", lookahead_index_);
  visitor.unsigned_field("readahead_index", readahead_index_);
}

void AdaptivePolicy::visit_classes(StateVisitor& visitor) const {
  visitor.unsigned_field("age", age_);
  visitor.unsigned_field("class_new", static_cast<std::uint64_t>(class_new_));
  visitor.unsigned_field("class_old", static_cast<std::uint64_t>(class_old_));
}

void AdaptivePolicy::visit_mapping(StateVisitor& visitor) const {
  visitor.boolean_field("flag_mmap", flag_mmap_);
  visitor.field("prev_page", static_cast<std::int64_t>(prev_page_));
  visitor.unsigned_field("mmap_hit", mmap_hit_);
  visitor.unsigned_field("mmap_miss", mmap_miss_);
  visitor.unsigned_field("ra_pages", ra_pages_);
}

}  // namespace seekahead
