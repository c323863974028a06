// Adaptive readahead, Wu Fengguang's patch set of 2005-2006: window sizes follow how fast the reclaim list
// turns over (method "state"), and a reader whose state is lost is recognised by the cached pages around it
// (method "context").
//
// Two postings are offered. What they share is written here, in adaptive_windows.cpp (sections 4 and 5 of the
// specification) and in adaptive_loops.cpp (sections 6 to 9); what is different as a whole method stands in
// adaptive_v15.cpp and adaptive_v16.cpp, what is a number in AdaptiveKernel.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string_view>

#include "models/readahead/read_cursor.hpp"
#include "sim/file/readahead_policy.hpp"
#include "sim/scenario/registry.hpp"

namespace seekahead {

struct AdaptiveKernel {
  std::string_view name;
  bool smooth_aging;              // a page that becomes referenced also ages the inactive list
  bool asks_from_request_start;   // ADAPT is told the whole request, not only its rest
  std::uint64_t ra_pages0;        // windows at the start of a file
  std::uint64_t ra_expect_bytes;  // 0: the kernel has no such variable
  std::uint64_t ra_thrash_bytes;
  std::uint64_t thrash_memory;      // UPDATE_THRASH rises by one part in so many
  std::uint64_t snap_pages;         // a window that ends this close to the end of file is extended to it
  std::int64_t readahead_hit_rate;  // default of the tunable
};

// The classes by the kernel's number, and the events of its debug table.
enum class AdaptiveClass : std::uint8_t {
  unset,
  initial,
  state,
  context,
  contexta,
  backward,
  onthrash,
  onseek,
  none
};
enum class AdaptiveEvent : std::uint8_t {
  cache_miss,
  random_read,
  io_congestion,
  io_cache_hit,
  io_block,
  readahead,
  readahead_hit,
  lookahead,
  lookahead_hit,
  lookahead_ignore,
  readahead_mmap,
  readahead_eof,
  readahead_shrink,
  readahead_thrash,
  readahead_mutilt,
  readahead_rescue,
  count_
};

// What the open files of a device share (the kernel's bdi), and its event table.
class AdaptiveDevice final : public ReadaheadDevice {
 public:
  AdaptiveDevice(const AdaptiveKernel& kernel, std::uint64_t ratio, std::uint64_t hit_rate,
                 std::uint64_t ra_pages);

  std::unique_ptr<ReadaheadPolicy> open() override;
  void visit_state(const PageCacheView& view, StateVisitor& visitor) const override;
  void visit_events(EventVisitor& visitor) const override;

  void count(AdaptiveClass window_class, AdaptiveEvent event, std::uint64_t pages);
  void update_thrash(std::uint64_t pages);  // UPDATE_THRASH
  std::uint64_t aging(const PageCacheView& view) const { return view.aging() + newly_referenced_; }

  const AdaptiveKernel& kernel;
  const std::uint64_t ratio;     // readahead_ratio, percent
  const std::uint64_t hit_rate;  // readahead_hit_rate
  const std::uint64_t ra_pages;
  std::uint64_t ra_expect_bytes;
  std::uint64_t ra_thrash_bytes;

  void page_referenced() { newly_referenced_ += kernel.smooth_aging ? 1 : 0; }

 private:
  struct Counter {
    std::int64_t requests = 0;
    std::int64_t pages = 0;
  };
  static constexpr std::size_t class_count = 9;
  static constexpr std::size_t event_count = static_cast<std::size_t>(AdaptiveEvent::count_);

  std::uint64_t newly_referenced_ = 0;
  std::array<std::array<Counter, event_count>, class_count> events_{};
};

class AdaptivePolicy : public ReadaheadPolicy {
 public:
  explicit AdaptivePolicy(AdaptiveDevice& device) : device_(device), ra_pages_(device.ra_pages) {}

  std::uint64_t read(PageCacheView& view, std::uint64_t position, std::uint64_t length) override;
  bool fault(PageCacheView& view, PageIndex page) override;
  void fadvise(PageCacheView& view, FileAdvice advice, std::uint64_t position, std::uint64_t length) override;
  void madvise(PageCacheView&, MapHint hint) override { hint_ = hint; }

 protected:
  // A reader at page `index` of the request [begin, end).
  struct Ask {
    bool prev_in;  // the caller holds page index - 1
    bool page_in;  // page `index` is cached, and carries the marker
    PageIndex begin;
    PageIndex index;
    PageIndex end;
  };
  struct Bounds {
    std::uint64_t min;
    std::uint64_t max;
  };
  enum class Outcome : std::uint8_t { not_mine, stop, dispatch };

  // What the two postings do differently.
  virtual Bounds bounds(const PageCacheView& view) const = 0;
  virtual std::uint64_t initial_size(std::uint64_t request) const = 0;
  virtual bool in_state(PageIndex index) const = 0;             // rule 5.6
  virtual bool worth_rescue(std::uint64_t ahead) const = 0;     // the "la > 1" of STATE and CONTEXT
  virtual std::uint64_t pages_used(PageIndex index) const = 0;  // of the chunk that thrashed
  virtual bool backward(PageIndex index, std::uint64_t size, const Bounds& bounds) = 0;
  virtual Outcome context(PageCacheView& view, const Ask& ask, Bounds bounds) = 0;
  virtual bool seek(PageIndex index, std::uint64_t size, const Bounds& bounds) = 0;
  virtual void set_class(AdaptiveClass window_class);
  virtual void snapped_to_end(PageIndex end) { static_cast<void>(end); }
  virtual void page_used(PageIndex page) = 0;  // the second half of CACHE_HIT

  // 4. Helpers
  std::uint64_t ra_size() const { return readahead_index_ - ra_index_; }         // RASIZE
  std::uint64_t la_size() const { return readahead_index_ - lookahead_index_; }  // LASIZE
  bool has(PageIndex page) const { return page >= la_index_ && page < readahead_index_; }
  void set_index(PageIndex la, PageIndex ra) {
    la_index_ = la;
    ra_index_ = ra;
  }
  void set_size(std::uint64_t ra, std::uint64_t la) {
    readahead_index_ = ra_index_ + ra;
    lookahead_index_ = readahead_index_ - la;
  }
  bool adjust(std::uint64_t& ra, std::uint64_t& la);
  void adjust_aggressive(std::uint64_t& ra, std::uint64_t& la) const;
  static void limit(std::uint64_t max, std::uint64_t la_old, std::uint64_t& ra, std::uint64_t& la);
  std::uint64_t look_back(const PageCacheView& view, PageIndex index, std::uint64_t count,
                          std::uint64_t max) const;
  void rescue(PageCacheView& view, PageIndex index, std::uint64_t pages);
  void count(AdaptiveEvent event, std::uint64_t pages) { device_.count(class_new_, event, pages); }
  // visit_state in three parts, between which V15 has more
  void visit_chunks(StateVisitor& visitor) const;
  void visit_classes(StateVisitor& visitor) const;
  void visit_mapping(StateVisitor& visitor) const;

  AdaptiveDevice& device_;

  // Variables of the open file, named as the kernel's.
  PageIndex la_index_ = 0;  // the old chunk's mark
  PageIndex ra_index_ = 0;  // the old chunk's end, the new one's start
  PageIndex lookahead_index_ = 0;
  PageIndex readahead_index_ = 0;
  std::uint64_t age_ = 0;
  AdaptiveClass class_new_ = AdaptiveClass::unset;
  AdaptiveClass class_old_ = AdaptiveClass::unset;
  bool flag_mmap_ = false;
  PageIndex prev_page_ = ~PageIndex{0};
  std::uint64_t mmap_hit_ = 0;
  std::uint64_t mmap_miss_ = 0;
  std::uint64_t ra_pages_;
  MapHint hint_ = MapHint::normal;

 private:
  // 5. Main
  void adapt(PageCacheView& view, Ask ask);
  void initial(PageCacheView& view, std::uint64_t request);
  void state(PageCacheView& view, const Ask& ask, std::uint64_t size, const Bounds& bounds);
  void thrash(PageCacheView& view, PageIndex index, const Bounds& bounds);
  void read_as_is(PageCacheView& view, PageIndex index, std::uint64_t size);
  void dispatch(PageCacheView& view);
  std::uint64_t submit(PageCacheView& view, const Submission& wish) const;

  // 6 to 8. Loops
  void cache_hit(PageIndex page, PageState state);
  void mark_accessed(PageCacheView& view, PageIndex page, PageState state);
  void read_around(PageCacheView& view, PageIndex page);
  static void submit_page(PageCacheView& view, PageIndex page);
};

std::unique_ptr<ReadaheadPolicy> open_adaptive_v15(AdaptiveDevice& device);
std::unique_ptr<ReadaheadPolicy> open_adaptive_v16(AdaptiveDevice& device);

}  // namespace seekahead
