#include "sim/file/readahead_policy.hpp"

#include <algorithm>

namespace seekahead {

std::uint64_t ReadaheadPolicy::read(PageCacheView& view, std::uint64_t position, std::uint64_t length) {
  const std::uint64_t size = view.file_size();
  if (position >= size) {
    return 0;
  }
  const std::uint64_t end = position + std::min(length, size - position);
  const PageIndex request_end = (position + length + page_bytes - 1) / page_bytes;
  for (std::uint64_t at = position; at < end;) {
    const PageIndex page = at / page_bytes;
    const std::uint64_t remaining = request_end - page;
    PageState state = view.state(page);
    if (state.absent()) {
      page_absent(view, page, remaining);
      if (view.state(page).absent()) {
        view.submit_page(page, WindowClass::page);
      }
    } else if (state.marker()) {
      view.clear_marker(page);
      marker_hit(view, page, remaining);
    } else {
      page_present(view, page, remaining);
    }
    view.close_batch();
    if (view.state(page).in_flight()) {
      view.wait(page);
    }
    const std::uint64_t bytes = std::min(page_bytes - at % page_bytes, end - at);
    view.mark_accessed(page);
    view.copy(page, bytes);
    at += bytes;
  }
  return end - position;
}

bool ReadaheadPolicy::fault(PageCacheView& view, PageIndex page) {
  if (page >= view.end_page()) {
    return false;
  }
  const PageState state = view.state(page);
  if (state.absent()) {
    page_absent(view, page, 1);
    if (view.state(page).absent()) {
      view.submit_page(page, WindowClass::page);
    }
  } else if (state.marker()) {
    view.clear_marker(page);
    marker_hit(view, page, 1);
  } else {
    page_present(view, page, 1);
  }
  if (view.state(page).in_flight()) {
    view.wait(page);
  }
  view.mark_accessed(page);
  return true;
}

void ReadaheadPolicy::fadvise(PageCacheView& view, FileAdvice advice, std::uint64_t position,
                              std::uint64_t length) {
  const std::uint64_t size = view.file_size();
  if (position >= size) {
    return;
  }
  const std::uint64_t end = length == 0 || length > size - position ? size : position + length;
  const PageIndex first = position / page_bytes;
  const PageIndex past = pages_for(end);
  if (advice == FileAdvice::willneed) {
    view.close_batch();
    view.submit({.start = first, .count = past - first, .window_class = WindowClass::fadvise});
    view.close_batch();
  } else if (advice == FileAdvice::dontneed && past > first) {
    view.drop(first, past - 1);
  }
}

void ReadaheadPolicy::madvise(PageCacheView&, MapHint) {}
void ReadaheadPolicy::close(PageCacheView&, std::uint64_t) {}
void ReadaheadPolicy::visit_state(StateVisitor&) const {}
void ReadaheadDevice::visit_state(const PageCacheView&, StateVisitor&) const {}
void ReadaheadPolicy::page_absent(PageCacheView&, PageIndex, std::uint64_t) {}
void ReadaheadPolicy::page_present(PageCacheView&, PageIndex, std::uint64_t) {}
void ReadaheadPolicy::marker_hit(PageCacheView&, PageIndex, std::uint64_t) {}

}  // namespace seekahead
