// Commands that wait in the drive, and the choice of the next.
#pragma once

#include <string>
#include <vector>

#include "models/device/media_reader.hpp"
#include "sim/device/block_device.hpp"

namespace seekahead {

struct Command {
  DeviceRequest request;
  TimeNs submitted_ns = 0;
  Moment arrival = 0;        // in the drive
  bool after_write = false;  // the last command completed before it arrived was a write

  SectorNumber end() const { return request.lbn + request.sectors; }
};

class DriveQueue {
 public:
  DriveQueue(const std::string& scheduling, const Mechanism& mechanism, const Heads& heads);

  bool empty() const { return waiting_.empty(); }
  std::size_t size() const { return waiting_.size(); }
  Moment first_arrival() const { return waiting_.front().arrival; }
  void push(const Command& command) { waiting_.push_back(command); }
  // Takes out the command to be served next, among those that arrived before `now` (a command that arrives at
  // the very moment of the choice comes too late for it). REQUIRES: first_arrival() <= now.
  Command pop(Moment now);
  // The best of all that wait, the newest included. REQUIRES: !empty().
  const Command& next() const { return waiting_[best(waiting_.size())]; }
  Command pop_next() { return take(best(waiting_.size())); }

 private:
  enum class Order { fcfs, clook, sstf, sptf };
  // The smaller the earlier.
  double cost(const Command& command) const;
  std::size_t best(std::size_t of_first) const;
  Command take(std::size_t index);

  Order order_;
  const Mechanism& mechanism_;
  const Heads& heads_;
  SectorNumber last_lbn_ = 0;
  std::vector<Command> waiting_;  // in order of arrival
};

}  // namespace seekahead
