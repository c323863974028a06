// Interface of an I/O scheduler (elevator): it keeps the requests that wait for one device, decides what
// merges with what, and which request the driver gets next. It is plain C++: no engine, no clock of its own;
// a unit test calls it.
//
// The request queue (sim/block/request_queue) calls, in this order for each piece of I/O:
//   find_merge(bio)     may the bio be added to a waiting request? The queue then grows that request itself.
//   merged(request)     after it grew: the elevator may re-sort, and names a neighbour that now touches it.
//   add(request)        no merge: a new request takes its place.
//   next(now)           the driver can take a command: choose one, or none (then timer_ns() says when to ask
//   again). completed(request)  the device has finished it.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/engine/units.hpp"

namespace seekahead {

// One submission before merging: consecutive sectors of one device, one direction.
struct Bio {
  SectorNumber start = 0;
  std::int64_t sectors = 0;
  bool is_write = false;
  bool is_sync = false;  // somebody waits for it
};

// A request of the block layer: one or more bios, consecutive on the device.
struct Request {
  SectorNumber start = 0;
  std::int64_t sectors = 0;
  bool is_write = false;
  bool is_sync = false;
  bool started = false;  // given to the driver; nothing merges into it any more
  TimeNs queued_ns = 0;
  TimeNs dispatched_ns = 0;
  std::uint32_t segments = 0;  // scatter list entries
  std::uint32_t id = 0;        // slot of the request queue
  // Scratch of the elevator that holds the request.
  std::int64_t sequence = 0;  // linus: passes left before it must not be overtaken
  TimeNs deadline_ns = 0;     // deadline: expiry

  SectorNumber end() const { return start + sectors; }
};

struct MergeLimits {
  std::int64_t max_sectors = 255;
  std::uint32_t max_segments = 128;
};

enum class MergeKind { none, back, front };

struct Merge {
  MergeKind kind = MergeKind::none;
  Request* request = nullptr;
};

class Elevator {
 public:
  virtual ~Elevator() = default;

  // May change ageing state: called exactly once for each bio. REQUIRES: nothing is added between a
  // find_merge that returned none and the add() of that bio's request.
  virtual Merge find_merge(const Bio& bio, const MergeLimits& limits) = 0;

  // `request` has just grown by `bio`. Returns a waiting request that now touches it and should be joined
  // into it (the queue moves its bios over and the elevator has already forgotten it), or null.
  virtual Request* merged(Request& request, const Bio& bio, MergeKind kind, const MergeLimits& limits) = 0;

  virtual void add(Request& request, TimeNs now) = 0;

  // The request to start now, or null. The queue sets `started`.
  virtual Request* next(TimeNs now) = 0;

  virtual void completed(Request& request, TimeNs now) {
    static_cast<void>(request);
    static_cast<void>(now);
  }

  // Requests waiting (added, not yet given out by next).
  virtual std::size_t waiting() const = 0;

  // When next() should be asked again although nothing arrives or completes; never_ns if that is never.
  virtual TimeNs timer_ns() const { return never_ns; }
};

}  // namespace seekahead
