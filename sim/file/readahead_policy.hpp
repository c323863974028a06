// Interface of a readahead policy: how a kernel walks over the pages of a read or a page fault, and which
// pages it asks for before anybody needs them.
//
// One ReadaheadPolicy object belongs to one open descriptor (and the mapping made through it) and lives as
// long; what the descriptors of a device share stands in its ReadaheadDevice, which opens them. Policies are
// plain C++: all they see and do goes through the PageCacheView that each call is handed.
//
// A new policy usually overrides a hook or two of the default loops:
//
//   page_absent    the page the reader wants now is not cached. Submit it, and as much more as you like; if
//   it
//                  is still absent then, the loop reads it as a single page.
//   marker_hit     the page is cached and carries the marker a window set: time for the next window.
//   page_present   the page is cached without a marker.
//
// What a hook submits, and the single page after it, are one batch. A page that is in flight is then waited
// for.
//
// The real kernels differ in the loop itself (per page, per request, in batches; what happens at the end of
// the file), so their policies override read() and fault().
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "sim/engine/units.hpp"
#include "sim/file/advice.hpp"
#include "sim/file/page_cache_view.hpp"

namespace seekahead {

// Receives the variables of a policy by name, in a fixed order (`decide` prints them). Names are the
// kernel's.
class StateVisitor {
 public:
  virtual ~StateVisitor() = default;
  virtual void field(std::string_view name, std::int64_t value) = 0;            // printed signed
  virtual void unsigned_field(std::string_view name, std::uint64_t value) = 0;  // printed unsigned
  virtual void boolean_field(std::string_view name, bool value) = 0;            // printed 0 or 1
};

class ReadaheadPolicy {
 public:
  virtual ~ReadaheadPolicy() = default;

  // read(2) of `length` > 0 bytes at byte `position`. Returns the bytes delivered (each page's share was
  // passed to view.copy()). All pages delivered are up to date. Does not return early except at the end of
  // the file.
  virtual std::uint64_t read(PageCacheView& view, std::uint64_t position, std::uint64_t length);

  // Page fault on `page` of a shared mapping; the page is up to date afterwards. False: past the end of the
  // file.
  virtual bool fault(PageCacheView& view, PageIndex page);

  // posix_fadvise. length 0 means to the end of the file. The default reads WILLNEED ranges, drops DONTNEED
  // ones and ignores the rest.
  virtual void fadvise(PageCacheView& view, FileAdvice advice, std::uint64_t position, std::uint64_t length);

  // madvise of the whole mapping.
  virtual void madvise(PageCacheView& view, MapHint hint);

  // The descriptor is being closed; `position` is the end of the last read.
  virtual void close(PageCacheView& view, std::uint64_t position);

  virtual void visit_state(StateVisitor& visitor) const;

 protected:
  // Hooks of the default loops. `remaining` counts the pages from `page` to the end of the current request,
  // at least 1 (a fault has 1); it is not clipped to the file.
  virtual void page_absent(PageCacheView& view, PageIndex page, std::uint64_t remaining);
  virtual void page_present(PageCacheView& view, PageIndex page, std::uint64_t remaining);
  // The marker has already been cleared.
  virtual void marker_hit(PageCacheView& view, PageIndex page, std::uint64_t remaining);
};

// Receives the event counters of a device's policy (adaptive's debugfs table): class, event, requests, pages.
class EventVisitor {
 public:
  virtual ~EventVisitor() = default;
  virtual void event(std::string_view window_class, std::string_view event, std::int64_t requests,
                     std::int64_t pages) = 0;
};

// What all open files of one device share: the readahead limit and whatever a policy learns per device (bdi).
class ReadaheadDevice {
 public:
  virtual ~ReadaheadDevice() = default;
  virtual std::unique_ptr<ReadaheadPolicy> open() = 0;
  // What the device has learnt, by name; `decide` prints it after the variables of the open file.
  virtual void visit_state(const PageCacheView& view, StateVisitor& visitor) const;
  virtual void visit_events(EventVisitor& visitor) const { static_cast<void>(visitor); }
};

// What the scenario decides for a device before its policy is made.
struct ReadaheadLimits {
  std::uint64_t ra_pages = 32;  // the device's limit: read_ahead_kb / 4, setra / 8, max_readahead
};

}  // namespace seekahead
