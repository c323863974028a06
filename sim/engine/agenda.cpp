#include "sim/engine/agenda.hpp"

#include <algorithm>

namespace seekahead {

void Agenda::at(TimeNs time_ns, EventHandler& handler, std::uint64_t tag) {
  heap_.push_back({std::max(time_ns, now_ns_), next_order_++, &handler, tag});
  std::push_heap(heap_.begin(), heap_.end());
}

void Agenda::run_until(TimeNs until) {
  while (!heap_.empty() && heap_.front().time_ns <= until) {
    std::pop_heap(heap_.begin(), heap_.end());
    const Event event = heap_.back();
    heap_.pop_back();
    now_ns_ = std::max(now_ns_, event.time_ns);
    ++events_run_;
    event.handler->on_event(now_ns_, event.tag);
  }
  now_ns_ = std::max(now_ns_, until);
}

}  // namespace seekahead
