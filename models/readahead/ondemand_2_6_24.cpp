// The on-demand kernel of 2.6.24. Rule numbers are those of its specification: 3 the decision, 4 read(2),
// 5 page faults, 6 advice. The mmap kernels of 2007 and 2009 use the decision with two more columns of
// OndemandKernel, 2.6.31 the read loop.
#include <algorithm>
#include <optional>

#include "models/readahead/ondemand.hpp"

namespace seekahead {

namespace {

constexpr std::uint64_t advice_chunk_pages = 512;
constexpr std::int64_t lots_of_misses = 100;  // above them, mapped files get no read-around

}  // namespace

// 3. ONDEMAND(marker_hit, off, req)
void OndemandPolicy::ondemand(PageCacheView& view, bool marker_hit, PageIndex off, std::uint64_t req) {
  const std::uint64_t max = window_limit(view);
  WindowClass label = WindowClass::sequential;

  if (off != 0 && expected(off)) {  // 3.1
    note(view, "3.1", "the expected page: next window");
    start_ += size_;
    next(max);
  } else if (const bool sequential = off - previous_page() <= 1 || req > max;  // 3.2
             !marker_hit && !sequential) {                                     // 3.3
    note(view, "3.3", "random: read as it is, window untouched");
    submit(view, off, req, WindowClass::random);
    return;
  } else if (marker_hit) {  // 3.4
    if (!interleaved(view, "3.4", off, req, max)) {
      return;
    }
    label = WindowClass::interleaved;
  } else {  // 3.5
    note(view, "3.5", "start of file, sequential or oversize: initial window");
    initial(off, req, max);
    label = initial_class(off);
  }

  if (kernel_.merges_self_hit) {
    merge_self_hit(view, off, max);
  }
  submit_window(view, label);
}

std::optional<WindowClass> OndemandPolicy::interleaved(PageCacheView& view, std::string_view rule,
                                                       PageIndex off, std::uint64_t req, std::uint64_t max) {
  const PageIndex hole = view.next_absent(off + 1, max);
  if (hole == 0 || hole - off > max) {
    note(view, rule, "a stranger's marker, but everything up to the limit is cached");
    return std::nullopt;
  }
  note(view, rule, "a stranger's marker: go on where its window ends");
  start_ = hole;
  size_ = static_cast<std::uint32_t>(hole - off + (kernel_.interleaved_adds_request ? req : 0));
  next(max);
  return WindowClass::interleaved;
}

void OndemandPolicy::merge_self_hit(PageCacheView& view, PageIndex off, std::uint64_t max) {
  if (off == start_ && size_ == async_size_) {
    note(view, "READIT", "the marker would be hit at once: take the next window in");
    async_size_ = static_cast<std::uint32_t>(next_window(size_, max));
    size_ += async_size_;
  }
}

// 4. READ(pos, len)
std::uint64_t OndemandPolicy::read(PageCacheView& view, std::uint64_t position, std::uint64_t length) {
  const std::uint64_t file_size = view.file_size();
  const PageIndex last_index = (position + length + page_bytes - 1) / page_bytes;  // not clipped by EOF
  ReadCursor cursor(position, length);
  PageIndex prev_index = previous_page();
  std::uint64_t prev_offset = static_cast<std::uint64_t>(prev_pos_) % page_bytes;

  for (bool more = length > 0; more;) {
    const PageIndex index = cursor.index;
    PageState state = view.state(index);
    if (state.absent()) {  // 4.1
      sync(view, index, last_index - index);
      state = view.state(index);
    }
    if (state.absent()) {
      note(view, "4.1", "readahead left the page out: read it alone");
      single_page(view, index);
    } else {
      if (state.marker()) {  // 4.2: also on the page that 4.1 has just read
        async(view, index, last_index - index);
        state = view.state(index);
      }
      if (state.in_flight()) {  // 4.3
        view.wait(index);
      }
    }

    const std::uint64_t available = cursor.available(file_size);
    if (available == 0) {  // 4.4: only now; page END was looked up and may have moved the window
      break;
    }
    if (prev_index != index || prev_offset != cursor.offset) {
      view.mark_accessed(index);
    }
    prev_index = index;
    more = cursor.deliver(view, available);  // 4.5, 4.6
    prev_offset = cursor.offset;
  }
  // The last page touched, not the byte after it.
  prev_pos_ = static_cast<std::int64_t>(prev_index << 12 | prev_offset);
  return cursor.copied;
}

// 5. FAULT(page)
bool OndemandPolicy::fault(PageCacheView& view, PageIndex page) {
  if (page >= view.end_page()) {  // 5.1
    return false;
  }
  bool did_around = false;
  if (hint_ == MapHint::random) {  // 5.2
    single_page(view, page);
  }
  for (;; single_page(view, page)) {  // 5.6 leads back to 5.3
    wait_if_in_flight(view, page);    // 5.3
    if (hint_ == MapHint::sequential) {
      if (view.state(page).absent()) {
        sync(view, page, fault_request(kernel_.sync_fault));
        wait_if_in_flight(view, page);
        if (view.state(page).absent()) {
          continue;
        }
      }
      if (view.state(page).marker()) {
        async(view, page, fault_request(kernel_.sync_fault));
      }
    } else if (view.state(page).absent()) {  // 5.4
      if (++mmap_miss_ > lots_of_misses) {
        note(view, "5.4", "too many misses on this mapping: no read-around");
        continue;
      }
      did_around = true;
      const std::uint64_t around = max_sane(ra_pages_, view.vm_pages());
      if (around > 0 && !view.congested()) {
        note(view, "5.4", "read-around, window untouched");
        submit(view, page - std::min(page, around / 2), around, WindowClass::around);
        wait_if_in_flight(view, page);
      }
      if (view.state(page).absent()) {
        continue;
      }
    }
    break;
  }
  if (!did_around) {  // 5.5
    --mmap_miss_;
  }
  view.mark_accessed(page);
  prev_pos_ = static_cast<std::int64_t>(page << 12);
  return true;
}

// 6. fadvise
void OndemandPolicy::fadvise(PageCacheView& view, FileAdvice advice, std::uint64_t position,
                             std::uint64_t length) {
  const AdvisedRange range(position, length);
  switch (advice) {
    case FileAdvice::normal:
      ra_pages_ = device_ra_pages_;
      break;
    case FileAdvice::random:
      ra_pages_ = 0;
      break;
    case FileAdvice::sequential:
      ra_pages_ = 2 * device_ra_pages_;
      break;
    case FileAdvice::willneed: {
      const std::uint64_t count = max_sane(range.touched(), view.vm_pages());
      for (std::uint64_t done = 0; done < count; done += advice_chunk_pages) {
        const std::uint64_t chunk = std::min(advice_chunk_pages, count - done);
        submit(view, range.first_touched() + done, chunk, WindowClass::fadvise);
      }
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

}  // namespace seekahead
