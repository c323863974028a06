#include "models/device/drive_queue.hpp"

namespace seekahead {

DriveQueue::DriveQueue(const std::string& scheduling, const Mechanism& mechanism, const Heads& heads)
    : order_(scheduling == "sptf"    ? Order::sptf
             : scheduling == "sstf"  ? Order::sstf
             : scheduling == "clook" ? Order::clook
                                     : Order::fcfs),
      mechanism_(mechanism),
      heads_(heads) {}

double DriveQueue::cost(const Command& command) const {
  const SectorNumber lbn = command.request.lbn;
  switch (order_) {
    case Order::fcfs:
      return 0;
    case Order::clook: {
      const auto ahead = static_cast<double>(lbn - last_lbn_);
      return ahead >= 0 ? ahead : ahead + 2 * static_cast<double>(mechanism_.geometry().capacity());
    }
    case Order::sstf: {
      // Reckoned in LBNs, as the reference does; of two equally near the higher.
      const auto ahead = static_cast<double>(lbn - last_lbn_);
      return ahead >= 0 ? ahead : 0.5 - ahead;
    }
    case Order::sptf:
      // As the drive's firmware reckons: from the last sector transferred, not from this moment.
      return mechanism_.approach(heads_.last_transfer, heads_.last_arm, lbn, command.request.is_write).start;
  }
  return 0;
}

namespace {
constexpr Moment rounding_ns = 1;  // completions are told in whole nanoseconds
}

Command DriveQueue::pop(Moment now) {
  std::size_t best = 0;
  if (waiting_.size() > 1 && order_ != Order::fcfs) {
    double least = cost(waiting_[0]);
    for (std::size_t i = 1; i < waiting_.size() && waiting_[i].arrival < now - rounding_ns; ++i) {
      const double c = cost(waiting_[i]);
      if (c < least) {
        least = c;
        best = i;
      }
    }
  }
  const Command command = waiting_[best];
  waiting_.erase(waiting_.begin() + static_cast<std::ptrdiff_t>(best));
  last_lbn_ = command.request.lbn;
  return command;
}

}  // namespace seekahead
