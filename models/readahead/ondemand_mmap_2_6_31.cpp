// The on-demand kernels after the mmap work: the patches of 2007 and 2009 on 2.6.24, and 2.6.31. Rule numbers
// are those of their specification: 2 the decision of 2.6.31, 5 page faults. The decision of the mmap kernels
// is 2.6.24's, the read loop and advice of all three too.
//
// Quick start (QS) is an option of the mmap kernels: the posting of 2007 promised the full size at once for
// MADV_SEQUENTIAL, its text is lost. `quick_start` is that reading; `quick_start_detected` extends it to
// faults found to be sequential without a hint, as the published log of that kernel shows (a first window of
// 64 pages at page 150 of a mapping, after an access to page 149).
#include <algorithm>
#include <limits>
#include <optional>

#include "models/readahead/ondemand.hpp"

namespace seekahead {

namespace {

constexpr std::int64_t lots_of_misses = 100;  // above them, mapped files get no read-around
constexpr std::int64_t most_misses = std::numeric_limits<std::int32_t>::max();

class OndemandMmap : public OndemandPolicy {
 public:
  using OndemandPolicy::OndemandPolicy;

  bool fault(PageCacheView& view, PageIndex page) override;

 private:
  void fault_on_missing_page(PageCacheView& view, PageIndex page);
};

class Ondemand2631 final : public OndemandMmap {
 public:
  using OndemandMmap::OndemandMmap;

 private:
  void ondemand(PageCacheView& view, bool marker_hit, PageIndex off, std::uint64_t req) override;
  std::optional<WindowClass> set_window(PageCacheView& view, bool marker_hit, PageIndex off,
                                        std::uint64_t req, std::uint64_t max);
};

// 2. ONDEMAND(marker_hit, off, req) of 2.6.31
void Ondemand2631::ondemand(PageCacheView& view, bool marker_hit, PageIndex off, std::uint64_t req) {
  const std::uint64_t max = window_limit(view);
  if (const std::optional<WindowClass> label = set_window(view, marker_hit, off, req, max)) {
    merge_self_hit(view, off, max);  // READIT
    submit_window(view, *label);
  }
}

// Sets the window by the first rule that matches; nothing: the window stays as it is.
std::optional<WindowClass> Ondemand2631::set_window(PageCacheView& view, bool marker_hit, PageIndex off,
                                                    std::uint64_t req, std::uint64_t max) {
  if (off == 0) {  // 2.1
    note(view, "2.1", "start of file: initial window");
    initial(off, req, max);
    return WindowClass::init0;
  }
  if (expected(off)) {  // 2.2
    note(view, "2.2", "the expected page: next window");
    start_ += size_;
    next(max);
    return WindowClass::sequential;
  }
  if (marker_hit) {  // 2.3
    return interleaved(view, "2.3", off, req, max);
  }
  if (req > max || off - previous_page() <= 1) {
    note(view, req > max ? "2.4" : "2.5", "oversize request or sequential: initial window");
    initial(off, req, max);
    return WindowClass::init;
  }
  // 2.6
  std::uint64_t history = off - 1 - view.previous_absent(off - 1, max);
  if (history > 0) {
    note(view, "2.6", "cached pages right before: a stream found by its history");
    if (history >= off) {  // they reach the start of the file
      history *= 2;
    }
    start_ = off;
    size_ = static_cast<std::uint32_t>(initial_window(history + req, max));
    async_size_ = size_;
    return WindowClass::context;
  }
  note(view, "2.7", "random: read as it is, window untouched");
  submit(view, off, req, WindowClass::random);
  return std::nullopt;
}

// 5. Page fault
bool OndemandMmap::fault(PageCacheView& view, PageIndex page) {
  if (page >= view.end_page()) {  // 5.1
    return false;
  }
  const PageState state = view.state(page);
  if (state.present()) {  // 5.2
    if (hint_ != MapHint::random) {
      mmap_miss_ = std::max<std::int64_t>(mmap_miss_ - 1, 0);
      if (state.marker()) {
        async(view, page, fault_request(kernel_.async_fault));
      }
    }
  } else if (hint_ != MapHint::random) {  // 5.3
    fault_on_missing_page(view, page);
  }
  single_page(view, page);  // 5.4, unless the page is there; waits for it in any case
  view.mark_accessed(page);
  prev_pos_ = static_cast<std::int64_t>(page << 12);  // 5.5
  return true;
}

void OndemandMmap::fault_on_missing_page(PageCacheView& view, PageIndex page) {
  const bool hinted = hint_ == MapHint::sequential;
  if (hinted || page - 1 == previous_page()) {  // 5.3a; page 0 of a fresh file also matches
    note(view, "5.3a", "sequential fault: synchronous readahead");
    const bool quick = hinted ? options_.quick_start : options_.quick_start_detected;
    sync(view, page, quick ? ra_pages_ : fault_request(kernel_.sync_fault));
    return;
  }
  mmap_miss_ = std::min(mmap_miss_ + 1, most_misses);  // 5.3b
  const std::uint64_t around = max_sane(ra_pages_, view.vm_pages());
  if (mmap_miss_ > lots_of_misses) {
    note(view, "5.3b", "too many misses on this mapping: no read-around");
  } else if (around > 0) {
    note(view, "5.3b", "read-around, kept as the window");
    start_ = page - std::min(page, around / 2);
    size_ = static_cast<std::uint32_t>(around);
    async_size_ = 0;
    submit_window(view, WindowClass::around);
  }
}

}  // namespace

std::unique_ptr<ReadaheadPolicy> open_ondemand_2_6_31(const OndemandKernel& kernel,
                                                      const OndemandOptions& options,
                                                      std::uint32_t device_ra_pages) {
  if (kernel.family == OndemandKernel::Family::v2_6_31) {
    return std::make_unique<Ondemand2631>(kernel, options, device_ra_pages);
  }
  return std::make_unique<OndemandMmap>(kernel, options, device_ra_pages);
}

}  // namespace seekahead
