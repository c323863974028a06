// Adaptive readahead: how a window is chosen and sent off. Names and numbers are those of the specification:
// section 4 helpers, section 5 ADAPT and its methods. Everything is 64-bit and wraps.
#include <algorithm>

#include "models/readahead/adaptive.hpp"
#include "models/readahead/shared.hpp"

namespace seekahead {

namespace {

WindowClass label_of(AdaptiveClass window_class) {
  static constexpr std::array<WindowClass, 9> labels = {
      WindowClass::none,     WindowClass::initial,  WindowClass::state,
      WindowClass::context,  WindowClass::contexta, WindowClass::backward,
      WindowClass::onthrash, WindowClass::onseek,   WindowClass::none};
  return labels[static_cast<std::size_t>(window_class)];
}

}  // namespace

// --- 4. Helpers

void AdaptivePolicy::set_class(AdaptiveClass window_class) {
  class_old_ = class_new_;
  class_new_ = window_class;
}

// ADJUST: takes the pages that are still ahead out of the window; false if nothing is left to read.
bool AdaptivePolicy::adjust(std::uint64_t& ra, std::uint64_t& la) {
  if (ra <= la) {
    device_.count(AdaptiveClass::none, AdaptiveEvent::readahead_shrink, ra);
    return false;
  }
  ra -= la;
  la = ra / 8;
  return true;
}

// ADJUST_AGGR
void AdaptivePolicy::adjust_aggressive(std::uint64_t& ra, std::uint64_t& la) const {
  const std::uint64_t index = ra;
  ra -= std::min(ra, la);
  ra = ra * device_.ratio / 100;
  la = index * device_.ratio / 100;
  ra += la;
}

// LIMIT: at least a quarter of the window lies between two marks.
void AdaptivePolicy::limit(std::uint64_t max, std::uint64_t la_old, std::uint64_t& ra, std::uint64_t& la) {
  ra = std::min(ra, max);
  la = std::min(la, ra);
  const std::uint64_t shift = la_old + (ra - la);
  if (shift < ra / 4) {
    la -= ra / 4 - shift;
  }
}

// CONTEXT: a history of `max` pages and more is followed further back in steps of `max`.
std::uint64_t AdaptivePolicy::look_back(const PageCacheView& view, PageIndex index, std::uint64_t count,
                                        std::uint64_t max) const {
  if (count < max) {
    return count;
  }
  const std::uint64_t furthest = max * 900 / (device_.ratio | 1);
  count += max;
  while (count < furthest && view.state(index - count).present()) {
    count += max;
  }
  return count;
}

void AdaptivePolicy::rescue(PageCacheView& view, PageIndex index, std::uint64_t pages) {
  note(view, "RESCUE", "reclaim is close behind: save the pages that are still ahead");
  // The kernel counts down to 0, so that 0 is no bound.
  const std::uint64_t most = pages != 0 ? pages : ~std::uint64_t{0};
  device_.count(AdaptiveClass::none, AdaptiveEvent::readahead_rescue, view.rescue(index, most));
}

std::uint64_t AdaptivePolicy::submit(PageCacheView& view, const Submission& wish) const {
  view.close_batch();
  const std::uint64_t inserted = view.submit(wish);
  view.close_batch();
  return inserted;
}

void AdaptivePolicy::dispatch(PageCacheView& view) {
  const PageIndex end = view.end_page();
  if (ra_index_ >= end) {
    return;  // no I/O, no accounting, and the state stays as it was set
  }
  if (readahead_index_ + device_.kernel.snap_pages + ra_size() / 4 > end) {  // DISPATCH 1
    readahead_index_ = end;
    lookahead_index_ = std::min(lookahead_index_, end);
    snapped_to_end(end);
  }
  age_ = device_.aging(view);  // DISPATCH 2
  const std::uint64_t pages = ra_size();
  const std::uint64_t ahead = la_size();
  const std::uint64_t actual =
      submit(view, {.start = ra_index_,  // DISPATCH 3
                    .count = pages,
                    .mark_at = pages - ahead,  // = pages: no marker
                    .window_class = label_of(class_new_),
                    .async_size = ahead,
                    .previous_position = static_cast<std::int64_t>(prev_page_ << 12)});
  if (flag_mmap_) {  // DISPATCH 4
    count(AdaptiveEvent::readahead_mmap, actual);
  }
  if (readahead_index_ == end) {
    count(AdaptiveEvent::readahead_eof, actual);
  }
  if (ahead > 0) {
    count(AdaptiveEvent::lookahead, ahead);
  }
  if (pages > actual) {
    count(AdaptiveEvent::io_cache_hit, pages - actual);
  }
  count(AdaptiveEvent::readahead, actual);
}

// --- 5. ADAPT

void AdaptivePolicy::adapt(PageCacheView& view, Ask ask) {
  const PageIndex index = ask.index;
  if (!device_.kernel.asks_from_request_start) {
    ask.begin = index;
  }
  if (ask.page_in) {  // 5.1
    view.clear_marker(index);
    if (view.congested()) {
      note(view, "5.1", "the queue is congested: no readahead");
      count(AdaptiveEvent::io_congestion, ask.end - index);
      return;
    }
    count(AdaptiveEvent::lookahead_hit, la_size());  // 5.2
  } else if (index != 0) {
    count(AdaptiveEvent::cache_miss, ask.end - ask.begin);
  }
  const std::uint64_t size = ask.end - index;  // 5.3
  const Bounds limits = bounds(view);
  if (limits.max == 0 || device_.ratio == 0) {  // 5.4
    note(view, "5.4", "readahead off: the rest of the request");
    return read_as_is(view, index, max_sane(size, view.vm_pages()));
  }
  if (index == 0) {  // 5.5
    note(view, "5.5", "start of file: INITIAL");
    return initial(view, size);
  }
  if (index == lookahead_index_ && in_state(index)) {  // 5.6
    note(view, "5.6", "the expected mark: STATE");
    return state(view, ask, size, limits);
  }
  if (!ask.page_in && index == prev_page_ + 1 && has(index)) {  // 5.7
    note(view, "5.7", "read ahead before, gone now: THRASH");
    return thrash(view, index, limits);
  }
  if (!ask.page_in && ask.begin == index && backward(index, size, limits)) {  // 5.8
    note(view, "5.8", "reading backwards: BACKWARD");
    return dispatch(view);
  }
  const Outcome outcome = context(view, ask, limits);  // 5.9
  if (outcome == Outcome::dispatch) {
    note(view, "5.9", "a stream found by its cached pages: CONTEXT");
    return dispatch(view);
  }
  if (outcome == Outcome::stop) {
    return;
  }
  if (ask.page_in) {
    note(view, "5.9", "a mark without history: ignored");
    count(AdaptiveEvent::lookahead_ignore, readahead_index_ - index);
    return;
  }
  if (seek(index, size, limits)) {  // 5.10
    note(view, "5.10", "seeks with reads of similar length: SEEK");
    return dispatch(view);
  }
  note(view, "5.11", "random: read as it is");
  read_as_is(view, index, std::min(size, limits.max));  // 5.11
}

void AdaptivePolicy::read_as_is(PageCacheView& view, PageIndex index, std::uint64_t size) {
  const std::uint64_t actual =
      submit(view, {.start = index,
                    .count = size,
                    .window_class = WindowClass::none,
                    .previous_position = static_cast<std::int64_t>(prev_page_ << 12)});
  count(AdaptiveEvent::random_read, actual);
}

// INITIAL. The device's limit is not applied here.
void AdaptivePolicy::initial(PageCacheView& view, std::uint64_t request) {
  const std::uint64_t ra = std::min(initial_size(request), device_.ra_thrash_bytes / page_bytes);
  set_class(AdaptiveClass::initial);
  set_index(0, 0);
  set_size(ra, ra / 8);
  dispatch(view);
}

// STATE: as much as the reader will use before reclaim reaches it, estimated from how far it came while the
// inactive list moved by `shift` pages.
void AdaptivePolicy::state(PageCacheView& view, const Ask& ask, std::uint64_t size, const Bounds& bounds) {
  const std::uint64_t vm_pages = view.vm_pages();
  const std::uint64_t la_old = readahead_index_ - ask.index;
  const std::uint64_t ra_old = ra_size();
  const std::uint64_t shift = (device_.aging(view) - age_) | 1;
  const std::uint64_t stream = lookahead_index_ - la_index_;
  std::uint64_t ra = stream * (vm_pages / 512) * device_.ratio * 5 / shift;
  const std::uint64_t remain = vm_pages > shift ? stream * (vm_pages - shift) / shift : 0;
  if (ask.page_in && remain <= la_old && worth_rescue(la_old)) {  // STATE 1
    return rescue(view, ask.index, la_old);
  }
  std::uint64_t growth = size + bounds.max / 16 + (2 + device_.ratio / 64) * ra_old;  // STATE 2
  growth = std::min(growth, bounds.max);
  std::uint64_t la = la_old;
  if (!adjust(ra, la)) {  // STATE 3
    return;
  }
  limit(growth, la_old, ra, la);
  if (ask.page_in && ra_old + ra_old / 8 >= ra) {  // STATE 4
    device_.update_thrash(ra);
  }
  set_class(AdaptiveClass::state);  // STATE 5
  set_index(ask.index, readahead_index_);
  set_size(ra, la);
  dispatch(view);
}

// THRASH
void AdaptivePolicy::thrash(PageCacheView& view, PageIndex index, const Bounds& bounds) {
  if (view.state(index - 1).present()) {
    count(AdaptiveEvent::readahead_mutilt, readahead_index_ - index);
  }
  count(AdaptiveEvent::readahead_thrash, readahead_index_ - index);
  std::uint64_t ra;
  if (index < ra_index_) {
    ra = ra_index_ - index;
  } else {
    ra = pages_used(index);
    device_.update_thrash(ra);
    ra = ra * 3 / 4;
  }
  ra = std::min(ra, bounds.max);
  set_class(AdaptiveClass::onthrash);
  set_index(index, index);
  set_size(ra, ra / 8);  // may be empty: nothing is read, but counted
  dispatch(view);
}

}  // namespace seekahead
