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

std::size_t DriveQueue::best(std::size_t of_first) const {
  std::size_t best = 0;
  if (of_first > 1 && order_ != Order::fcfs) {
    double least = cost(waiting_[0]);
    for (std::size_t i = 1; i < of_first; ++i) {
      const double c = cost(waiting_[i]);
      if (c < least) {
        least = c;
        best = i;
      }
    }
  }
  return best;
}

Command DriveQueue::take(std::size_t index) {
  const Command command = waiting_[index];
  waiting_.erase(waiting_.begin() + static_cast<std::ptrdiff_t>(index));
  last_lbn_ = command.request.lbn;
  return command;
}

Command DriveQueue::pop(Moment now) {
  std::size_t in_time = 1;
  while (in_time < waiting_.size() && waiting_[in_time].arrival < now - rounding_ns) {
    ++in_time;
  }
  return take(best(in_time));
}

}  // namespace seekahead
