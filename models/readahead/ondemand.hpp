// On-demand readahead, Linux 2.6.23 to today: one window per open file, a marker page inside it that triggers
// the next window, and decisions made only when a page is missing or a marker is met.
//
// The five kernels share the state and the helpers below. They are written as their specifications are:
//
//   ondemand_2_6_24.cpp       rules, read loop, faults and advice of 2.6.24; later kernels keep most of it
//   ondemand_mmap_2_6_31.cpp  the mmap work of 2007 and 2009, and 2.6.31
//   ondemand_6_1.cpp          the modern kernel: batched reads, forced readahead
//
// Differences that are one step inside a common rule are the columns of OndemandKernel.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "models/readahead/read_cursor.hpp"
#include "models/readahead/shared.hpp"
#include "sim/file/readahead_policy.hpp"

namespace seekahead {

// The sync and async calls made by a page fault ask for one page or for the whole readahead limit.
enum class FaultRequest : std::uint8_t { one_page, limit };

struct OndemandKernel {
  enum class Family : std::uint8_t { v2_6_24, mmap, v2_6_31, v6_1 };  // whose rules as a whole

  std::string_view name;
  Family family;
  bool limit_is_max_sane;         // windows are also limited by half of the free and inactive memory
  bool merges_self_hit;           // READIT: a window whose marker would be hit at once takes the next one in
  bool interleaved_adds_request;  // a marker hit without valid state counts the request into the old window
  FaultRequest sync_fault;        // pages asked by a sequential fault that misses
  FaultRequest async_fault;       // pages asked by a fault that meets a marker
};

struct OndemandOptions {
  std::uint64_t io_pages = 320;  // 6.1: the device's best request size
  bool quick_start = false;      // mmap-2007, mmap-2009: see QS in ondemand_mmap_2_6_31.cpp
  bool quick_start_detected = false;
};

class OndemandPolicy : public ReadaheadPolicy {
 public:
  OndemandPolicy(const OndemandKernel& kernel, const OndemandOptions& options, std::uint32_t device_ra_pages)
      : kernel_(kernel), options_(options), device_ra_pages_(device_ra_pages), ra_pages_(device_ra_pages) {}

  std::uint64_t read(PageCacheView& view, std::uint64_t position, std::uint64_t length) override;
  bool fault(PageCacheView& view, PageIndex page) override;
  void fadvise(PageCacheView& view, FileAdvice advice, std::uint64_t position, std::uint64_t length) override;
  void madvise(PageCacheView&, MapHint hint) override { hint_ = hint; }
  void visit_state(StateVisitor& visitor) const override;

 protected:
  // ONDEMAND: what to read for a reader at page `off` that asks for `req` pages.
  virtual void ondemand(PageCacheView& view, bool marker_hit, PageIndex off, std::uint64_t req);
  // The page is missing.
  virtual void sync(PageCacheView& view, PageIndex off, std::uint64_t req);
  // The page carries the marker.
  void async(PageCacheView& view, PageIndex off, std::uint64_t req);

  // SUBMIT of a wish that is no window. Returns the pages inserted.
  std::uint64_t submit(PageCacheView& view, const Submission& wish) const;
  std::uint64_t submit(PageCacheView& view, PageIndex start, std::uint64_t count, WindowClass label) const;
  // SUBMIT_RA: reads the window with its marker.
  virtual void submit_window(PageCacheView& view, WindowClass label) const;
  // The window [start, start + size): rule numbers say who sets it.
  void initial(PageIndex off, std::uint64_t req, std::uint64_t max);
  void next(std::uint64_t max);
  // A marker that this window did not set. Nothing: there is nothing to read.
  std::optional<WindowClass> interleaved(PageCacheView& view, std::string_view rule, PageIndex off,
                                         std::uint64_t req, std::uint64_t max);
  // READIT of the kernels between 2.6.24 and 6.1.
  void merge_self_hit(PageCacheView& view, PageIndex off, std::uint64_t max);
  // Reads `page` if it is absent, then waits until it is up to date.
  static void single_page(PageCacheView& view, PageIndex page);
  static void wait_if_in_flight(PageCacheView& view, PageIndex page);

  PageIndex window_end() const { return start_ + size_; }
  PageIndex marker() const { return start_ + size_ - async_size_; }
  bool expected(PageIndex off) const { return off == marker() || off == window_end(); }
  static WindowClass initial_class(PageIndex off) {
    return off == 0 ? WindowClass::init0 : WindowClass::init;
  }
  // The page of the last access; 2^64-1 before the first.
  PageIndex previous_page() const { return static_cast<PageIndex>(prev_pos_ >> 12); }
  std::uint64_t window_limit(const PageCacheView& view) const {
    return kernel_.limit_is_max_sane ? max_sane(ra_pages_, view.vm_pages()) : ra_pages_;
  }
  std::uint64_t fault_request(FaultRequest request) const {
    return request == FaultRequest::limit ? ra_pages_ : 1;
  }

  const OndemandKernel& kernel_;
  const OndemandOptions options_;
  const std::uint32_t device_ra_pages_;

  // Variables of the open file, named and as wide as the kernel's.
  PageIndex start_ = 0;
  std::uint32_t size_ = 0;
  std::uint32_t async_size_ = 0;
  std::uint32_t ra_pages_;
  std::int64_t mmap_miss_ = 0;  // i32 in 2.6.24 (may go negative), u32 later (clamped, so that both fit)
  std::int64_t prev_pos_ = -1;
  MapHint hint_ = MapHint::normal;
};

std::unique_ptr<ReadaheadPolicy> open_ondemand_2_6_31(const OndemandKernel&, const OndemandOptions&,
                                                      std::uint32_t device_ra_pages);
std::unique_ptr<ReadaheadPolicy> open_ondemand_6_1(const OndemandKernel&, const OndemandOptions&,
                                                   std::uint32_t device_ra_pages);

}  // namespace seekahead
