// Adaptive readahead as last posted (V16, November 2006, on 2.6.19-rc5-mm2): the methods that differ from
// V15. Names are those of the specification, section 11. Its initial method is inferred, the posting is
// incomplete.
#include <algorithm>

#include "models/readahead/adaptive.hpp"

namespace seekahead {

namespace {

class AdaptiveV16 final : public AdaptivePolicy {
 public:
  using AdaptivePolicy::AdaptivePolicy;

  void visit_state(StateVisitor& visitor) const override;

 private:
  Bounds bounds(const PageCacheView& view) const override {
    const std::uint64_t vm_pages = view.vm_pages();
    const std::uint64_t max = std::min({ra_pages_, std::uint64_t{65535}, vm_pages / 2});
    return {std::min({4 + vm_pages / 16384, std::uint64_t{16}, max / 8}), max};
  }
  std::uint64_t initial_size(std::uint64_t request) const override {
    return std::max(request, device_.kernel.ra_pages0);
  }
  bool in_state(PageIndex index) const override { return index == prev_page_ + 1; }
  bool worth_rescue(std::uint64_t) const override { return true; }
  std::uint64_t pages_used(PageIndex index) const override { return index - ra_index_; }
  bool backward(PageIndex index, std::uint64_t size, const Bounds& bounds) override;
  Outcome context(PageCacheView& view, const Ask& ask, Bounds bounds) override;
  bool seek(PageIndex, std::uint64_t, const Bounds&) override { return false; }  // dropped in this posting
  void page_used(PageIndex page) override {
    device_.count(page >= ra_index_ ? class_new_ : class_old_, AdaptiveEvent::readahead_hit, 1);
  }

  Outcome find_start(PageCacheView& view, const Ask& ask, Bounds& bounds, PageIndex& index,
                     PageIndex& start) const;
  std::uint64_t history(const PageCacheView& view, PageIndex index, std::uint64_t max) const;
  std::int32_t sampled_hits(const PageCacheView& view, PageIndex first, PageIndex past) const;
};

// BACKWARD
bool AdaptiveV16::backward(PageIndex index, std::uint64_t size, const Bounds& bounds) {
  PageIndex end = prev_page_;
  if (index >= end) {
    return false;
  }
  size += device_.hit_rate;
  if (index + 2 * size <= end) {  // too far; so is everything on a fresh file
    return false;
  }
  if (class_new_ == AdaptiveClass::backward && has(end)) {
    end = la_index_;
    size += 2 * ra_size();
  } else {
    size *= 2;
  }
  size = std::min({size, bounds.max, end});
  const PageIndex start = end - size;
  if (index < start) {
    return false;
  }
  set_class(AdaptiveClass::backward);
  set_index(start, start);
  set_size(size, 0);
  return true;
}

// CONTEXT
AdaptivePolicy::Outcome AdaptiveV16::context(PageCacheView& view, const Ask& ask, Bounds bounds) {
  PageIndex index = ask.index;
  PageIndex start = 0;
  if (const Outcome found = find_start(view, ask, bounds, index, start); found != Outcome::dispatch) {
    return found;
  }
  const std::uint64_t count = history(view, index, bounds.max);
  if (count == 0) {
    return Outcome::not_mine;
  }
  const std::uint64_t la_old = start - index;
  std::uint64_t la = la_old;
  if (ask.page_in && count < la) {
    if (count < index) {
      rescue(view, index, la);
    }
    return Outcome::stop;
  }
  std::uint64_t ra;
  if (count >= index) {
    ra = index - std::min(index, la) + index;
    la = index;
    set_class(AdaptiveClass::contexta);
  } else {
    ra = std::max(bounds.min, count * device_.ratio / 100);
    if (!adjust(ra, la)) {
      return Outcome::stop;
    }
    set_class(AdaptiveClass::context);
  }
  limit(bounds.max, la_old, ra, la);
  set_index(index, start);
  set_size(ra, la);
  return Outcome::dispatch;
}

// Where the cached pages before the reader end, and where reading goes on. `index` moves back over a gap that
// sparse readers are allowed. `dispatch`: found.
AdaptivePolicy::Outcome AdaptiveV16::find_start(PageCacheView& view, const Ask& ask, Bounds& bounds,
                                                PageIndex& index, PageIndex& start) const {
  if (ask.page_in) {
    const std::uint64_t most = bounds.max + bounds.min;
    start = view.next_absent(index, most);
    return start - index < most ? Outcome::dispatch : Outcome::stop;
  }
  start = index;
  if (index == prev_page_ + 1) {
    return Outcome::dispatch;
  }
  if (device_.hit_rate > 0 && view.state(index - 1).present()) {
    bounds.min = std::min(bounds.min, 2 * device_.hit_rate);
    return Outcome::dispatch;
  }
  if (device_.hit_rate <= 1) {
    return Outcome::not_mine;
  }
  // The first look is at the missing page itself.
  for (std::uint64_t back = 1; back < bounds.min && back <= index; ++back) {
    if (view.state(index - back).present()) {
      bounds.min += back;
      index -= back - 1;
      start = index;
      return Outcome::dispatch;
    }
  }
  return Outcome::not_mine;
}

// COUNT: pages that the stream has read, as far as the cache remembers; 0 if they do not look used.
std::uint64_t AdaptiveV16::history(const PageCacheView& view, PageIndex index, std::uint64_t max) const {
  const PageIndex head = view.previous_absent(index - 1, max) + 1;  // wraps to 0 at the start of the file
  const std::uint64_t count = index - head;
  const std::uint64_t hits = static_cast<std::uint64_t>(sampled_hits(view, head, index)) *
                             std::max<std::uint64_t>(device_.hit_rate, 1);
  return look_back(view, index, hits < count ? 0 : count, max);
}

// HITS8: samples [first, past) for pages that were used once, and extrapolates.
std::int32_t AdaptiveV16::sampled_hits(const PageCacheView& view, PageIndex first, PageIndex past) const {
  const auto pages = static_cast<std::int32_t>(past - first);
  std::int32_t used = 0;
  std::int32_t probes = 0;
  while (probes < 8 && used < 2) {
    const std::int32_t step = pages * ((probes * 29) & 7) / 8;
    const PageState state = view.state(first + static_cast<std::uint64_t>(step));
    used += state.present() && !state.active() && state.referenced() ? 1 : 0;
    ++probes;
  }
  return pages * used / probes;
}

void AdaptiveV16::visit_state(StateVisitor& visitor) const {
  visit_chunks(visitor);
  visit_classes(visitor);
  visit_mapping(visitor);
}

}  // namespace

std::unique_ptr<ReadaheadPolicy> open_adaptive_v16(AdaptiveDevice& device) {
  return std::make_unique<AdaptiveV16>(device);
}

}  // namespace seekahead
