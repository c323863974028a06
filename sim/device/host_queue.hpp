// Requests that wait on the host's side of a device, and the order in which they are handed over. The host
// knows sectors only, nothing of cylinders or angles: schedulers that need those live in the drive.
#pragma once

#include <compare>
#include <cstdint>
#include <deque>
#include <set>

#include "sim/engine/units.hpp"

namespace seekahead {

enum class HostOrder {
  fcfs,   // as they came
  clook,  // upwards: the lowest LBN at or behind the one started last, else the lowest of all
  sstf,  // the LBN nearest to the one started last; of two equally near ones the higher and the lower in turn
};

struct WaitingRequest {
  SectorNumber lbn = 0;
  std::uint64_t order = 0;  // ascends in order of arrival
  std::uint64_t id = 0;     // the user's own number
  auto operator<=>(const WaitingRequest&) const = default;
};

class HostQueue {
 public:
  explicit HostQueue(HostOrder order) : order_(order) {}

  bool empty() const { return arrived_.empty() && sorted_.empty(); }
  void push(WaitingRequest request);
  // Takes out the request to be started next. Requests for the same LBN go in order of arrival.
  // REQUIRES: !empty()
  WaitingRequest pop();
  // Tells of a request that was started without waiting.
  void started(SectorNumber lbn) { last_lbn_ = lbn; }

 private:
  using Sorted = std::set<WaitingRequest>;

  Sorted::iterator next_upwards() const;
  Sorted::iterator nearest();

  HostOrder order_;
  SectorNumber last_lbn_ = 0;
  bool tie_goes_down_ = false;
  std::deque<WaitingRequest> arrived_;  // fcfs
  Sorted sorted_;                       // the others
};

}  // namespace seekahead
