// The agenda: every future moment of devices, queues and timers, in one heap of int64 nanoseconds. Events at
// the same moment run in the order in which they were entered, so a run never depends on the heap's inner
// order.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/engine/units.hpp"

namespace seekahead {

class EventHandler {
 public:
  virtual ~EventHandler() = default;
  // `tag` is what was given to Agenda::at. Runs outside any process: it must not block.
  virtual void on_event(TimeNs now, std::uint64_t tag) = 0;
};

class Agenda {
 public:
  // REQUIRES: time_ns >= now_ns(). The handler must stay alive until then: events cannot be taken back.
  void at(TimeNs time_ns, EventHandler& handler, std::uint64_t tag = 0);

  // never_ns when nothing is entered.
  TimeNs next_ns() const { return heap_.empty() ? never_ns : heap_.front().time_ns; }
  std::size_t size() const { return heap_.size(); }
  TimeNs now_ns() const { return now_ns_; }
  std::uint64_t events_run() const { return events_run_; }

  // Runs every event up to and including `until`, those included that the handlers enter meanwhile; then it
  // is `until`.
  void run_until(TimeNs until);

 private:
  struct Event {
    TimeNs time_ns;
    std::uint64_t order;
    EventHandler* handler;
    std::uint64_t tag;
    bool operator<(const Event& other) const {  // std::push_heap keeps the largest first
      return time_ns != other.time_ns ? time_ns > other.time_ns : order > other.order;
    }
  };

  std::vector<Event> heap_;
  TimeNs now_ns_ = 0;
  std::uint64_t next_order_ = 0;
  std::uint64_t events_run_ = 0;
};

}  // namespace seekahead
