// What a readahead policy sees of the world and may do to it: the cached pages of one file, seen through one
// open descriptor. It knows no engine, no clock and no device. `seekahead decide` implements it with a toy
// cache (instant or lazy I/O), the simulation with its page cache and request queue; a policy cannot tell
// them apart.
#pragma once

#include <cstdint>
#include <string_view>

#include "sim/engine/units.hpp"

namespace seekahead {

// Why pages were asked for; the class of a readahead window in results and traces. The names are the kernels'
// own where those had some (specs of each policy), see window_class_name().
enum class WindowClass : std::uint8_t {
  page,         // one page, read by the reader itself because readahead left it out
  window,       // current window (linux-2.4 synchronous, linux-2.6-window, -request-size, fixed)
  ahead,        // asynchronous next window of the same policies
  random,       // request read as it is
  init0,        // on-demand: initial window at page 0
  init,         // on-demand: initial window elsewhere
  sequential,   // on-demand: expected position
  interleaved,  // on-demand: marker hit without valid state
  context,      // on-demand and adaptive: found by looking at cached history
  around,       // mmap read-around
  fadvise,      // POSIX_FADV_WILLNEED, readahead(2)
  forced,       // on-demand 6.1: FMODE_RANDOM, readahead off, congestion
  none,         // adaptive class names from here
  initial,
  state,
  contexta,
  backward,
  onthrash,
  onseek,
  cluster,  // linux-2.4 mmap cluster
  other,    // plug-ins
  count_,
};

std::string_view window_class_name(WindowClass window_class);

// State of one page, a set of flags; 0 = absent.
class PageState {
 public:
  static constexpr std::uint8_t present_bit = 1, uptodate_bit = 2, marker_bit = 4, referenced_bit = 8,
                                active_bit = 16;

  constexpr explicit PageState(std::uint8_t bits = 0) : bits_(bits) {}
  constexpr bool present() const { return (bits_ & present_bit) != 0; }
  constexpr bool absent() const { return !present(); }
  constexpr bool uptodate() const { return (bits_ & uptodate_bit) != 0; }
  constexpr bool in_flight() const {
    return (bits_ & (present_bit | uptodate_bit)) == present_bit;
  }                                                                    // locked
  constexpr bool marker() const { return (bits_ & marker_bit) != 0; }  // PG_readahead
  constexpr bool referenced() const { return (bits_ & referenced_bit) != 0; }
  constexpr bool active() const { return (bits_ & active_bit) != 0; }
  constexpr std::uint8_t bits() const { return bits_; }

 private:
  std::uint8_t bits_;
};

// One wish to read pages [start, start + count), as the policy states it. Cached pages and pages past the end
// of the file are left out by the view. The fields from async_size on are for observers only (the kernel's
// own debug line).
struct Submission {
  static constexpr std::uint64_t no_mark = ~std::uint64_t{0};

  PageIndex start = 0;
  std::uint64_t count = 0;
  std::uint64_t mark_at = no_mark;  // offset from start of the page that gets the marker, if it is inserted
  WindowClass window_class = WindowClass::other;
  std::uint64_t async_size = 0;
  std::int64_t previous_position = -1;  // the policy's memory of the last access, as its kernel prints it
};

// Listens to the rules that fire inside a policy; `decide --explain` is one.
class RuleListener {
 public:
  virtual ~RuleListener() = default;
  // `rule` is the rule's name in the policy's specification ("A7"), `text` what it decided, in a few words.
  virtual void rule(std::string_view rule, std::string_view text) = 0;
};

class PageCacheView {
 public:
  virtual ~PageCacheView() = default;

  // --- the file
  virtual std::uint64_t file_size() const = 0;  // bytes
  std::uint64_t end_page() const { return pages_for(file_size()); }

  // --- what is cached
  virtual PageState state(PageIndex page) const = 0;
  // First absent page at or after `from`, looking at no more than `limit` pages; from + limit if all are
  // present.
  virtual PageIndex next_absent(PageIndex from, std::uint64_t limit) const = 0;
  // The same going down from `from`; from - limit (wrapping) if all are present. Pages below 0 count as
  // absent.
  virtual PageIndex previous_absent(PageIndex from, std::uint64_t limit) const = 0;
  virtual std::uint64_t cached_pages() const = 0;  // of this file

  // --- reading
  // Pages submitted one after another join the same run of I/O while they are consecutive and the batch stays
  // open (the kernels' plugged queue). A batch is closed by close_batch(), wait() and the start and end of
  // every call of the policy.
  virtual void close_batch() = 0;
  // Inserts every absent page of the wish that lies inside the file and starts reading it, in ascending
  // order, extending the open batch. Returns how many pages were inserted. May wait for memory or request
  // slots.
  virtual std::uint64_t submit(const Submission& wish) = 0;
  // Inserts one page (REQUIRES: absent) and reads it. A page past the end of the file becomes up to date at
  // once, without I/O.
  virtual void submit_page(PageIndex page, WindowClass window_class) = 0;
  // Blocks until the page, which is in flight, is up to date. Closes the batch.
  virtual void wait(PageIndex page) = 0;
  virtual void clear_marker(PageIndex page) = 0;
  // Drops every up-to-date, clean page of [first, last] (POSIX_FADV_DONTNEED).
  virtual void drop(PageIndex first, PageIndex last) = 0;

  // --- consuming
  // The process gets `bytes` from the page: costs CPU time, counts as a use of the page for reclaim and
  // statistics.
  virtual void copy(PageIndex page, std::uint64_t bytes) = 0;
  // The kernel's note for reclaim that the page was used (mark_page_accessed): referenced, then active.
  virtual void mark_accessed(PageIndex page) = 0;
  // Moves up to `count` pages from `page` on away from the end of the reclaim list (adaptive's rescue).
  // The walk ends at the first absent page; `page` itself, which the caller holds, is counted but not moved.
  // Returns how many were moved.
  virtual std::uint64_t rescue(PageIndex page, std::uint64_t count) = 0;

  // --- the machine
  virtual bool congested() const = 0;          // the device's queue is read-congested
  virtual std::uint64_t vm_pages() const = 0;  // inactive + free pages
  // Pages that passed the inactive list since the start. mark_accessed() does not count here: a kernel that
  // adds referenced pages to it (adaptive v15) keeps that sum in its ReadaheadDevice.
  virtual std::uint64_t aging() const = 0;

  // --- observers: null in a normal run, so that telling costs one branch
  RuleListener* rules = nullptr;
};

}  // namespace seekahead
