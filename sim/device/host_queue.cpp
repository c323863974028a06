#include "sim/device/host_queue.hpp"

#include <iterator>

namespace seekahead {

void HostQueue::push(WaitingRequest request) {
  if (order_ == HostOrder::fcfs) {
    arrived_.push_back(request);
  } else {
    sorted_.insert(request);
  }
}

HostQueue::Sorted::iterator HostQueue::next_upwards() const {
  const auto it = sorted_.lower_bound({last_lbn_, 0, 0});
  return it == sorted_.end() ? sorted_.begin() : it;
}

HostQueue::Sorted::iterator HostQueue::nearest() const {
  const auto above = sorted_.lower_bound({last_lbn_, 0, 0});
  if (above == sorted_.begin()) {
    return above;
  }
  const SectorNumber below_lbn = std::prev(above)->lbn;
  if (above != sorted_.end() && above->lbn - last_lbn_ <= last_lbn_ - below_lbn) {
    return above;
  }
  return sorted_.lower_bound({below_lbn, 0, 0});  // the first that came for that LBN
}

WaitingRequest HostQueue::pop() {
  WaitingRequest request;
  if (order_ == HostOrder::fcfs) {
    request = arrived_.front();
    arrived_.pop_front();
  } else {
    const auto it = order_ == HostOrder::clook ? next_upwards() : nearest();
    request = *it;
    sorted_.erase(it);
  }
  last_lbn_ = request.lbn;
  return request;
}

}  // namespace seekahead
