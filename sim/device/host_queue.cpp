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

HostQueue::Sorted::iterator HostQueue::nearest() {
  const auto above = sorted_.lower_bound({last_lbn_, 0, 0});
  if (above == sorted_.begin()) {
    return above;
  }
  // The first that came for the next lower LBN.
  const auto below = sorted_.lower_bound({std::prev(above)->lbn, 0, 0});
  if (above == sorted_.end()) {
    return below;
  }
  const SectorNumber up = above->lbn - last_lbn_;
  const SectorNumber down = last_lbn_ - below->lbn;
  if (up != down) {
    return up < down ? above : below;
  }
  tie_goes_down_ = !tie_goes_down_;
  return tie_goes_down_ ? above : below;
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
