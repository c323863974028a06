// The way between host and drive. Alone on its bus, a drive gets it whenever it has data; drives that share
// one by name take turns: a transfer is given the first gap that holds it.
#pragma once

#include <deque>
#include <memory>

#include "models/device/disk_parameters.hpp"
#include "models/device/mechanism.hpp"

namespace seekahead {

// Busy times of a bus that several drives share. Transfers are laid out in the order in which the drives ask;
// one that is known early does not keep out another that fits before it.
class SharedBus {
 public:
  // Occupies the bus for `length` from the first moment at or after `ready` at which it is free so long, and
  // returns that moment.
  Moment occupy(Moment ready, double length);
  // Forgets what lies before `now`.
  void forget(Moment now);

 private:
  struct Busy {
    Moment from;
    Moment until;
  };
  std::deque<Busy> busy_;  // in ascending order, never overlapping
};

// One drive's end of its bus.
class TransferBus {
 public:
  // `shared` is null for a bus of its own.
  TransferBus(const BusParameters& parameters, std::shared_ptr<SharedBus> shared);

  double sector_ns() const { return sector_ns_; }
  // Time before a command is in the drive: host adapter, then arbitration and command phases on the bus.
  Moment command_arrives(Moment submitted);
  // Whether data moves sector by sector on a bus that is always free, with nothing to pay in between: then
  // sums need no call of transfer().
  bool plain() const { return plain_; }
  // Moves `sectors` that are ready at `ready`; returns the end.
  Moment transfer(Moment ready, std::int64_t sectors);
  std::int64_t burst_sectors() const { return burst_sectors_; }
  void forget(Moment now) {
    if (shared_) {
      shared_->forget(now);
    }
  }

 private:
  double sector_ns_;
  double adapter_ns_;
  double command_ns_;
  double reselect_ns_;
  std::int64_t burst_sectors_;
  bool plain_;
  std::shared_ptr<SharedBus> shared_;
};

// Largest command of a bus, in sectors.
std::int64_t max_request_sectors(const BusParameters& parameters);

}  // namespace seekahead
