// Adaptive readahead as posted in June 2006 (level V15, on 2.6.17-rc5): the methods that V16 replaced. Names
// and numbers are those of the specification, sections 3 to 6 and 9. Everything is 64-bit and wraps, except
// where a type says otherwise.
#include <algorithm>

#include "models/readahead/adaptive.hpp"
#include "models/readahead/shared.hpp"

namespace seekahead {

namespace {

constexpr std::uint64_t most_window_pages = 262144;  // 1 GiB, the argument of max_sane in BOUNDS

class AdaptiveV15 final : public AdaptivePolicy {
 public:
  using AdaptivePolicy::AdaptivePolicy;

  void close(PageCacheView& view, std::uint64_t position) override;
  void visit_state(StateVisitor& visitor) const override;

 private:
  Bounds bounds(const PageCacheView& view) const override;
  std::uint64_t initial_size(std::uint64_t request) const override {
    return std::max(request, device_.ra_expect_bytes / page_bytes);
  }
  bool in_state(PageIndex) const override { return hit_ok(); }
  bool worth_rescue(std::uint64_t ahead) const override { return ahead > 1; }
  std::uint64_t pages_used(PageIndex) const override { return hit0_; }
  bool backward(PageIndex index, std::uint64_t size, const Bounds& bounds) override;
  Outcome context(PageCacheView& view, const Ask& ask, Bounds bounds) override;
  bool seek(PageIndex index, std::uint64_t size, const Bounds& bounds) override;
  void set_class(AdaptiveClass window_class) override;
  void snapped_to_end(PageIndex end) override { flag_eof_ = flag_eof_ || end > 1; }
  void page_used(PageIndex page) override;

  // HIT_OK: enough of the chunk before the mark was used.
  bool hit_ok() const { return hit0_ * device_.hit_rate >= lookahead_index_ - la_index_; }
  bool find_start(PageCacheView& view, const Ask& ask, Bounds& bounds, PageIndex& index,
                  PageIndex& start) const;
  std::uint64_t history(const PageCacheView& view, PageIndex index, const Bounds& bounds,
                        std::uint64_t& remain) const;
  std::int32_t cache_hits(const PageCacheView& view, PageIndex first, PageIndex last) const;

  std::uint16_t hit0_ = 0;  // pages of the current chunk used; hit1 to hit3: of the chunks before
  std::uint16_t hit1_ = 0;
  std::uint16_t hit2_ = 0;
  std::uint16_t hit3_ = 0;
  bool flag_eof_ = false;
};

AdaptivePolicy::Bounds AdaptiveV15::bounds(const PageCacheView& view) const {
  const std::uint64_t pages = max_sane(most_window_pages, view.vm_pages());
  const std::uint64_t max = std::min({pages, std::uint64_t{65535}, ra_pages_});
  return {std::min({4 + pages / 8192, std::uint64_t{32}, max / 2}), max};
}

void AdaptiveV15::set_class(AdaptiveClass window_class) {
  AdaptivePolicy::set_class(window_class);
  hit1_ = static_cast<std::uint16_t>(hit1_ + hit0_);
  hit0_ = 0;
  if (window_class != AdaptiveClass::state) {
    hit3_ = hit2_;
    hit2_ = hit1_;
    hit1_ = 0;
  }
}

void AdaptiveV15::page_used(PageIndex page) {
  ++hit0_;
  device_.count(page >= ra_index_ ? class_new_ : class_old_, AdaptiveEvent::readahead_hit, 1);
}

// BACKWARD
bool AdaptiveV15::backward(PageIndex index, std::uint64_t size, const Bounds& bounds) {
  if (index > prev_page_) {  // BACKWARD 1
    return false;
  }
  PageIndex end = prev_page_;
  if (class_new_ == AdaptiveClass::backward && has(prev_page_)) {  // BACKWARD 2
    size += 2 * std::uint64_t{hit0_};
    end = la_index_;
  } else {
    size += size + size * (device_.hit_rate - 1) / 2;
  }
  size = std::min(size, bounds.max);  // BACKWARD 3
  if (end > index + size) {
    return false;
  }
  const PageIndex start = end - size;  // BACKWARD 4: may wrap below 0, then nothing is read
  set_class(AdaptiveClass::backward);
  set_index(start, start);
  set_size(size, 0);
  return true;
}

// CONTEXT
AdaptivePolicy::Outcome AdaptiveV15::context(PageCacheView& view, const Ask& ask, Bounds bounds) {
  PageIndex index = ask.index;
  PageIndex start = 0;
  if (!find_start(view, ask, bounds, index, start)) {  // CONTEXT 1
    return Outcome::not_mine;
  }
  std::uint64_t remain = 0;
  std::uint64_t ra = history(view, index, bounds, remain);  // CONTEXT 2
  const std::uint64_t la_old = start - index;               // CONTEXT 3
  std::uint64_t la = la_old;
  if (ask.page_in && remain <= la && remain < index && worth_rescue(la)) {
    rescue(view, index, la);
    return Outcome::stop;
  }
  if (ra == index) {  // CONTEXT 4
    adjust_aggressive(ra, la);
    set_class(AdaptiveClass::contexta);
  } else {
    if (!adjust(ra, la)) {
      return Outcome::stop;
    }
    set_class(AdaptiveClass::context);
  }
  limit(bounds.max, la_old, ra, la);  // CONTEXT 5
  set_index(index, start);
  set_size(ra, la);
  return Outcome::dispatch;
}

// CONTEXT 1: where the cached pages before the reader end, and where reading goes on. `index` moves back over
// a gap that sparse readers are allowed.
bool AdaptiveV15::find_start(PageCacheView& view, const Ask& ask, Bounds& bounds, PageIndex& index,
                             PageIndex& start) const {
  if (ask.page_in) {
    start = view.next_absent(index, bounds.max * 5 / 4);
    return true;
  }
  if (ask.prev_in || view.state(index - 1).present()) {
    start = index;
    return true;
  }
  if (device_.hit_rate <= 1) {
    return false;
  }
  const std::uint64_t looks = std::min(device_.hit_rate + bounds.min, index);
  for (std::uint64_t back = 1; back <= looks; ++back) {
    if (view.state(index - back).present()) {
      bounds.min += 2 * (back - 1);
      index -= back - 1;
      start = index;
      return true;
    }
  }
  return false;
}

// CONTEXT 2: pages that the stream has read, as far as the cache remembers.
std::uint64_t AdaptiveV15::history(const PageCacheView& view, PageIndex index, const Bounds& bounds,
                                   std::uint64_t& remain) const {
  const PageIndex hole = view.previous_absent(index - 1, bounds.max);
  const PageIndex before = hole == ~PageIndex{0} ? 0 : hole;  // page 0 is never counted
  remain = index - 1 - before;
  std::uint64_t count = bounds.min;
  // NOLINTNEXTLINE(bugprone-misplaced-widening-cast): the patch multiplies ints as well
  if ((index == readahead_index_ && hit_ok()) ||
      static_cast<std::uint64_t>(cache_hits(view, before + 1, index) *
                                 static_cast<std::int32_t>(device_.hit_rate)) >= remain) {
    count = remain;
  }
  count = look_back(view, index, count, bounds.max);
  return count >= index ? index : std::max(bounds.min, count * device_.ratio / 100);
}

// CACHE_HITS: samples [first, last] for pages that were used once, and extrapolates.
std::int32_t AdaptiveV15::cache_hits(const PageCacheView& view, PageIndex first, PageIndex last) const {
  const auto pages = static_cast<std::int32_t>(last - first + 1);
  std::int32_t used = 0;
  std::int32_t probes = 0;
  while (probes < 16 && used < 2) {
    const std::int32_t step = pages * ((probes * 29) & 15) / 16;
    const PageState state = view.state(first + static_cast<std::uint64_t>(step));
    used += state.present() && !state.active() && state.referenced() ? 1 : 0;
    ++probes;
  }
  return pages * used / probes;
}

// SEEK: several seeks in a row, each followed by reads of about the same length.
bool AdaptiveV15::seek(PageIndex index, std::uint64_t size, const Bounds& bounds) {
  const std::uint64_t h2 = hit2_;
  const std::uint64_t h3 = hit3_;
  std::uint64_t h1 = std::uint64_t{hit1_} + hit0_;
  if (!has(prev_page_) || size >= h1 || h1 <= h2 / 2 || h2 <= h3 / 2 || h3 <= h1 / 2) {
    return false;
  }
  h1 = std::max(h1, h2);
  if (class_new_ == AdaptiveClass::backward) {
    index = index > h1 - size ? index - h1 + size : 0;
  }
  set_class(AdaptiveClass::onseek);
  set_index(index, index);
  set_size(std::min(h1, bounds.max), 0);
  return true;
}

// 9. CLOSE: a file that was read to its end tells how much the next one should read at its start.
void AdaptiveV15::close(PageCacheView& view, std::uint64_t position) {
  if (!flag_eof_ || position == 0) {
    return;
  }
  const std::uint64_t cached = view.cached_pages();
  if (cached > device_.kernel.ra_pages0) {
    return;
  }
  const std::uint64_t used = std::max<std::uint64_t>(hit0_, 1 + position / page_bytes);
  if (used >= cached) {
    if (device_.ra_expect_bytes < device_.kernel.ra_pages0 * page_bytes) {
      device_.ra_expect_bytes += cached * page_bytes / 8;
    }
    return;
  }
  const std::uint64_t missed = (cached - used) * page_bytes;
  if (device_.ra_expect_bytes >= missed / 2) {
    device_.ra_expect_bytes -= missed / 2;
  }
}

void AdaptiveV15::visit_state(StateVisitor& visitor) const {
  visit_chunks(visitor);
  visitor.unsigned_field("hit0", hit0_);
  visitor.unsigned_field("hit1", hit1_);
  visitor.unsigned_field("hit2", hit2_);
  visitor.unsigned_field("hit3", hit3_);
  visit_classes(visitor);
  visitor.boolean_field("flag_eof", flag_eof_);
  visit_mapping(visitor);
}

}  // namespace

std::unique_ptr<ReadaheadPolicy> open_adaptive_v15(AdaptiveDevice& device) {
  return std::make_unique<AdaptiveV15>(device);
}

}  // namespace seekahead
