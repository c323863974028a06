// Replays a list of requests against one device, without an engine: the way a device is validated.
//
// Open: every request arrives at its own time. Closed: a given number is kept outstanding; the next one
// arrives when one completes, after a think time. Requests wait on the host's side when the device holds as
// many as it may. At one moment completions come first, then the next waiting request is picked, then new
// ones arrive (which cannot be picked any more): the order of the reference traces.
#pragma once

#include <cstdint>
#include <optional>

#include "sim/device/block_device.hpp"
#include "sim/device/host_queue.hpp"

namespace seekahead {

struct ReplayRequest {
  TimeNs arrival_ns = 0;  // open replay
  TimeNs think_ns = 0;    // closed replay: from the completion of this request to the arrival of the next
  SectorNumber lbn = 0;
  std::int64_t sectors = 0;
  bool is_write = false;
};

// Where the requests come from and where the outcome goes; rows are numbered from 0 in the order of next().
class ReplayUser {
 public:
  virtual ~ReplayUser() = default;
  // Fills in the next request; false: there is none. Arrivals of an open replay never go backwards.
  virtual bool next(ReplayRequest& request) = 0;
  // Called in order of completion.
  virtual void completed(std::uint64_t row, TimeNs arrival_ns, const Completion& completion) = 0;
};

struct ReplayOptions {
  std::int64_t outstanding = 0;       // requests kept outstanding by a closed replay; 0: open
  std::optional<TimeNs> think_ns;     // closed: instead of each request's own think time
  HostOrder order = HostOrder::fcfs;  // of requests that wait on the host's side
  std::int64_t depth = 1;             // requests handed to the device at once
};

// Returns the moment of the last completion. Throws std::runtime_error when simulated time exceeds a century
// (it is counted in int64 nanoseconds). REQUIRES: options.depth <= device.queue_depth().
TimeNs replay(BlockDevice& device, const ReplayOptions& options, ReplayUser& user);

}  // namespace seekahead
