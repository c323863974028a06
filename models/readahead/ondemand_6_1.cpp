// The on-demand kernel of Linux 6.1, pages only (no large folios). Rule numbers are those of its
// specification: 2 helpers, 3 the decision, 4 read(2), 5 page faults, 6 advice.
//
// Not modelled: fault-around, the mapping of up to 16 cached pages by one fault. Every fault here reaches the
// kernel's fault handler.
#include <algorithm>
#include <optional>

#include "models/readahead/ondemand.hpp"

namespace seekahead {

namespace {

constexpr std::uint64_t batch_pages = 15;
constexpr std::uint64_t forced_chunk_pages = 512;
constexpr std::int64_t lots_of_misses = 100;  // above them, mapped files get no read-around
constexpr std::int64_t most_misses = 1000;

class Ondemand61 final : public OndemandPolicy {
 public:
  using OndemandPolicy::OndemandPolicy;

  std::uint64_t read(PageCacheView& view, std::uint64_t position, std::uint64_t length) override;
  bool fault(PageCacheView& view, PageIndex page) override;
  void fadvise(PageCacheView& view, FileAdvice advice, std::uint64_t position, std::uint64_t length) override;
  void visit_state(StateVisitor& visitor) const override;

 private:
  void ondemand(PageCacheView& view, bool marker_hit, PageIndex off, std::uint64_t req) override;
  std::optional<WindowClass> set_window(PageCacheView& view, bool marker_hit, PageIndex off,
                                        std::uint64_t req, std::uint64_t max);
  void limited_merge_self_hit(PageCacheView& view, PageIndex off, std::uint64_t max);
  void sync(PageCacheView& view, PageIndex off, std::uint64_t req) override;
  void force(PageCacheView& view, PageIndex off, std::uint64_t count, WindowClass label) const;
  void submit_window(PageCacheView& view, WindowClass label) const override;

  std::uint64_t get_batch(PageCacheView& view, PageIndex index, PageIndex last);
  struct Batch {
    std::uint64_t count = 0;
    PageState tail;  // of its last page
  };
  Batch present_batch(const PageCacheView& view, PageIndex index, PageIndex last) const;
  void read_missing_fault(PageCacheView& view, PageIndex page);

  // Logical shift: 2^52-1 before the first access.
  PageIndex previous_page_61() const { return static_cast<std::uint64_t>(prev_pos_) >> 12; }

  bool fmode_random_ = false;
};

// 2. NEXT_MISS and PREV_MISS: like the holes of older kernels, but the last page looked at is returned even
// if it is cached.
PageIndex next_miss(const PageCacheView& view, PageIndex from, std::uint64_t limit) {
  return limit == 0 ? from : view.next_absent(from, limit - 1);
}
PageIndex previous_miss(const PageCacheView& view, PageIndex from, std::uint64_t limit) {
  return limit == 0 ? from : view.previous_absent(from, limit - 1);
}

// 2. SUBMIT_A: the marker is placed from the end of the window as the end of the file cuts it.
void Ondemand61::submit_window(PageCacheView& view, WindowClass label) const {
  const PageIndex end = view.end_page();
  const std::uint64_t clipped = start_ < end ? std::min<std::uint64_t>(size_, end - start_) : 0;
  submit(view, {.start = start_,
                .count = size_,
                .mark_at = async_size_ != 0 ? clipped - async_size_ : Submission::no_mark,
                .window_class = label,
                .async_size = async_size_,
                .previous_position = prev_pos_});
}

// 3. ONDEMAND(marker_hit, off, req)
void Ondemand61::ondemand(PageCacheView& view, bool marker_hit, PageIndex off, std::uint64_t req) {
  std::uint64_t max = ra_pages_;
  if (req > max && options_.io_pages > max) {
    max = std::min(req, options_.io_pages);
  }
  if (const std::optional<WindowClass> label = set_window(view, marker_hit, off, req, max)) {
    limited_merge_self_hit(view, off, max);
    submit_window(view, *label);
  }
}

// Sets the window by the first rule that matches; nothing: the window stays as it is.
std::optional<WindowClass> Ondemand61::set_window(PageCacheView& view, bool marker_hit, PageIndex off,
                                                  std::uint64_t req, std::uint64_t max) {
  if (off == 0) {  // 3.1
    note(view, "3.1", "start of file: initial window");
    initial(off, req, max);
    return WindowClass::init0;
  }
  if (expected(off)) {  // 3.2: never shrinks here, e.g. after an oversize window
    note(view, "3.2", "the expected page: next window");
    start_ += size_;
    size_ = std::max(size_, static_cast<std::uint32_t>(next_window(size_, max)));
    async_size_ = size_;
    return WindowClass::sequential;
  }
  if (marker_hit) {  // 3.3: goes on even where everything up to the limit is cached
    note(view, "3.3", "a stranger's marker: go on where its window ends");
    start_ = next_miss(view, off + 1, max);
    size_ = static_cast<std::uint32_t>(start_ - off + req);
    next(max);
    return WindowClass::interleaved;
  }
  if (req > max || off - previous_page_61() <= 1) {  // 3.4, 3.5
    note(view, req > max ? "3.4" : "3.5", "oversize request or sequential: initial window");
    initial(off, req, max);
    return WindowClass::init;
  }
  // 3.6
  std::uint64_t history = off - 1 - previous_miss(view, off - 1, max);
  if (history > req) {
    note(view, "3.6", "more cached pages right before than are asked: a stream found by its history");
    if (history >= off) {  // they reach the start of the file
      history *= 2;
    }
    start_ = off;
    size_ = static_cast<std::uint32_t>(std::min(history + req, max));
    async_size_ = 1;
    return WindowClass::context;
  }
  note(view, "3.7", "random: read as it is, window untouched");
  submit(view, off, req, WindowClass::random);
  return std::nullopt;
}

// READIT: as in the kernels before, but the sum stays within the limit.
void Ondemand61::limited_merge_self_hit(PageCacheView& view, PageIndex off, std::uint64_t max) {
  if (off != start_ || size_ != async_size_) {
    return;
  }
  note(view, "READIT", "the marker would be hit at once: take in as much of the next window as fits");
  const std::uint64_t add = next_window(size_, max);
  if (size_ + add <= max) {
    async_size_ = static_cast<std::uint32_t>(add);
    size_ += async_size_;
  } else {
    size_ = static_cast<std::uint32_t>(max);
    async_size_ = static_cast<std::uint32_t>(max / 2);
  }
}

void Ondemand61::force(PageCacheView& view, PageIndex off, std::uint64_t count, WindowClass label) const {
  count = std::min(count, std::max<std::uint64_t>(options_.io_pages, ra_pages_));
  for (std::uint64_t done = 0; done < count; done += forced_chunk_pages) {
    submit(view, off + done, std::min(forced_chunk_pages, count - done), label);
  }
}

void Ondemand61::sync(PageCacheView& view, PageIndex off, std::uint64_t req) {
  const bool page_by_page = ra_pages_ == 0 || view.congested();
  if (page_by_page || fmode_random_) {
    note(view, "SYNC", page_by_page ? "readahead off or congestion: one page" : "FADV_RANDOM: the request");
    force(view, off, page_by_page ? 1 : req, WindowClass::forced);
  } else {
    ondemand(view, false, off, req);
  }
}

// 4. READ(pos, len)
std::uint64_t Ondemand61::read(PageCacheView& view, std::uint64_t position, std::uint64_t length) {
  const std::uint64_t file_size = view.file_size();
  std::uint64_t cur = position;
  std::uint64_t remaining = length;
  while (remaining > 0 && cur < file_size) {  // 4.1, 4.4
    const PageIndex first = cur / page_bytes;
    const PageIndex last = (cur + remaining + page_bytes - 1) / page_bytes;  // not clipped by EOF
    const std::uint64_t count = get_batch(view, first, last);
    for (PageIndex page = first; page < first + count && cur < file_size; ++page) {  // 4.3
      const std::uint64_t bytes = std::min({remaining, file_size - cur, page_bytes - cur % page_bytes});
      if (page != first || page != (static_cast<std::uint64_t>(prev_pos_) - 1) / page_bytes) {
        view.mark_accessed(page);
      }
      view.copy(page, bytes);
      cur += bytes;
      remaining -= bytes;
      prev_pos_ = static_cast<std::int64_t>(cur);  // the byte after the last one read
    }
  }
  return length - remaining;
}

// 4.2 GET_BATCH: pages from `index` on that are up to date, at least one.
std::uint64_t Ondemand61::get_batch(PageCacheView& view, PageIndex index, PageIndex last) {
  for (;;) {
    Batch batch = present_batch(view, index, last);  // a
    if (batch.count == 0) {                          // b
      sync(view, index, last - index);
      batch = present_batch(view, index, last);
    }
    if (batch.count == 0) {
      note(view, "4.2b", "readahead left the page out: read it alone");
      single_page(view, index);
      return 1;
    }
    const PageIndex tail = index + batch.count - 1;
    if (batch.tail.marker()) {  // c
      async(view, tail, last - tail);
      batch.tail = view.state(tail);
    }
    if (!batch.tail.in_flight()) {
      return batch.count;
    }
    view.wait(tail);  // d: it comes back with the next batch
    if (batch.count > 1) {
      return batch.count - 1;
    }
  }
}

// A page in flight or with a marker ends the batch.
Ondemand61::Batch Ondemand61::present_batch(const PageCacheView& view, PageIndex index,
                                            PageIndex last) const {
  const std::uint64_t most = std::min(batch_pages, last - index);
  Batch batch;
  while (batch.count < most) {
    const PageState state = view.state(index + batch.count);
    if (state.absent()) {
      break;
    }
    ++batch.count;
    batch.tail = state;
    if (!state.uptodate() || state.marker()) {
      break;
    }
  }
  return batch;
}

// 5. Page fault. It leaves prev_pos alone, and what happens after the first look does not count again (5.4).
bool Ondemand61::fault(PageCacheView& view, PageIndex page) {
  if (page >= view.end_page()) {  // 5.1
    return false;
  }
  const bool readahead = hint_ != MapHint::random && ra_pages_ != 0;
  const PageState state = view.state(page);
  if (state.present() && readahead) {  // 5.2
    mmap_miss_ = std::max<std::int64_t>(mmap_miss_ - 1, 0);
    if (state.marker()) {
      async(view, page, fault_request(kernel_.async_fault));
    }
  } else if (readahead) {  // 5.3
    read_missing_fault(view, page);
  }
  single_page(view, page);
  view.mark_accessed(page);
  return true;
}

void Ondemand61::read_missing_fault(PageCacheView& view, PageIndex page) {
  if (hint_ == MapHint::sequential) {
    note(view, "5.3", "hinted sequential: synchronous readahead");
    sync(view, page, fault_request(kernel_.sync_fault));
    return;
  }
  mmap_miss_ = std::min(mmap_miss_ + 1, most_misses);
  if (mmap_miss_ > lots_of_misses) {
    note(view, "5.3", "too many misses on this mapping: no read-around");
    return;
  }
  note(view, "5.3", "read-around with a marker for sequential faults");
  start_ = page - std::min<PageIndex>(page, ra_pages_ / 2);
  size_ = ra_pages_;
  async_size_ = ra_pages_ / 4;
  submit_window(view, WindowClass::around);
}

// 6. fadvise
void Ondemand61::fadvise(PageCacheView& view, FileAdvice advice, std::uint64_t position,
                         std::uint64_t length) {
  const AdvisedRange range(position, length);
  switch (advice) {
    case FileAdvice::normal:
      ra_pages_ = device_ra_pages_;
      fmode_random_ = false;
      break;
    case FileAdvice::random:
      fmode_random_ = true;
      break;
    case FileAdvice::sequential:
      ra_pages_ = 2 * device_ra_pages_;
      fmode_random_ = false;
      break;
    case FileAdvice::willneed:
      force(view, range.first_touched(), range.touched(), WindowClass::fadvise);
      break;
    case FileAdvice::dontneed: {
      PageIndex last = range.last();
      if (range.end_byte % page_bytes != page_bytes - 1 && range.end_byte != view.file_size() - 1) {
        if (last == 0) {  // a partial last page is kept
          break;
        }
        --last;
      }
      if (last >= range.first_whole()) {
        view.drop(range.first_whole(), last);
      }
      break;
    }
    case FileAdvice::noreuse:
      break;
  }
}

void Ondemand61::visit_state(StateVisitor& visitor) const {
  OndemandPolicy::visit_state(visitor);
  visitor.boolean_field("fmode_random", fmode_random_);
}

}  // namespace

std::unique_ptr<ReadaheadPolicy> open_ondemand_6_1(const OndemandKernel& kernel,
                                                   const OndemandOptions& options,
                                                   std::uint32_t device_ra_pages) {
  return std::make_unique<Ondemand61>(kernel, options, device_ra_pages);
}

}  // namespace seekahead
