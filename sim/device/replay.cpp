#include "sim/device/replay.hpp"

#include <algorithm>
#include <functional>
#include <queue>
#include <stdexcept>
#include <vector>

namespace seekahead {

namespace {

constexpr TimeNs century_ns = std::int64_t{100} * 366 * 24 * 3600 * ns_per_s;

class Replay {
 public:
  Replay(BlockDevice& device, const ReplayOptions& options, ReplayUser& user)
      : device_(device), options_(options), user_(user), waiting_(options.order) {
    if (closed()) {
      for (std::int64_t i = 0; i < options.outstanding; ++i) {
        ready_.push(options.think_ns.value_or(0));
      }
    }
    more_ = user_.next(next_);
  }

  TimeNs run() {
    for (;;) {
      const TimeNs device_ns = device_.next_event_ns();
      const TimeNs arrival_ns = next_arrival_ns();
      if (device_ns == never_ns && arrival_ns == never_ns) {
        break;
      }
      if (std::min(device_ns, arrival_ns) > century_ns) {
        throw std::runtime_error("simulated time exceeds a century");
      }
      if (device_ns <= arrival_ns) {
        advance(device_ns);
      } else {
        arrive(arrival_ns);
      }
    }
    if (in_device_ > 0) {
      throw std::logic_error("the device holds requests and never completes them");
    }
    return now_ns_;
  }

 private:
  // A request between arrival and completion.
  struct Slot {
    std::uint64_t row;
    TimeNs arrival_ns;
    ReplayRequest request;
  };

  bool closed() const { return options_.outstanding > 0; }
  bool device_full() const { return in_device_ >= options_.depth; }

  // First come, first served needs no queue: the next request is fetched when the device can take it, so that
  // memory does not grow with a backlog.
  TimeNs next_arrival_ns() const {
    if (!more_ || (options_.order == HostOrder::fcfs && device_full()) || (closed() && ready_.empty())) {
      return never_ns;
    }
    return std::max(now_ns_, closed() ? ready_.top() : next_.arrival_ns);
  }

  void arrive(TimeNs now) {
    now_ns_ = now;
    TimeNs arrival_ns = next_.arrival_ns;
    if (closed()) {
      arrival_ns = ready_.top();
      ready_.pop();
    }
    const std::uint64_t slot = take_slot({row_++, arrival_ns, next_});
    if (device_full()) {
      waiting_.push({next_.lbn, slots_[slot].row, slot});
    } else {
      waiting_.started(next_.lbn);
      start(slot);
    }
    more_ = user_.next(next_);
  }

  void advance(TimeNs now) {
    now_ns_ = now;
    done_.clear();
    device_.advance(now, done_);
    for (const Completion& completion : done_) {
      --in_device_;
      complete(completion);
    }
    while (!device_full() && !waiting_.empty()) {
      start(waiting_.pop().id);
    }
  }

  void start(std::uint64_t slot) {
    const ReplayRequest& r = slots_[slot].request;
    ++in_device_;
    device_.submit(now_ns_, {slot, r.lbn, r.sectors, r.is_write});
  }

  void complete(const Completion& completion) {
    const Slot& slot = slots_[completion.id];
    if (closed()) {
      ready_.push(completion.time_ns + options_.think_ns.value_or(slot.request.think_ns));
    }
    user_.completed(slot.row, slot.arrival_ns, completion);
    free_slots_.push_back(completion.id);
  }

  std::uint64_t take_slot(const Slot& slot) {
    if (free_slots_.empty()) {
      slots_.push_back(slot);
      return slots_.size() - 1;
    }
    const std::uint64_t index = free_slots_.back();
    free_slots_.pop_back();
    slots_[index] = slot;
    return index;
  }

  BlockDevice& device_;
  const ReplayOptions& options_;
  ReplayUser& user_;
  TimeNs now_ns_ = 0;
  std::uint64_t row_ = 0;
  bool more_ = false;
  ReplayRequest next_;  // the request that arrives next, if more_
  std::int64_t in_device_ = 0;
  HostQueue waiting_;
  std::priority_queue<TimeNs, std::vector<TimeNs>, std::greater<>> ready_;  // closed: moments of arrivals
  std::vector<Slot> slots_;
  std::vector<std::uint64_t> free_slots_;
  std::vector<Completion> done_;
};

}  // namespace

TimeNs replay(BlockDevice& device, const ReplayOptions& options, ReplayUser& user) {
  return Replay(device, options, user).run();
}

}  // namespace seekahead
