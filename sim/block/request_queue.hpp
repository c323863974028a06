// The request queue of one device: bios come in, are merged into requests, wait in the elevator and go to the
// device one command after another. It is where slots run out, where plugging delays the disk and where
// congestion is judged.
//
// Each bio carries a chain of payload numbers (page frames); the queue gives them back when their request is
// complete.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "sim/block/elevator.hpp"
#include "sim/block/queue_rules.hpp"
#include "sim/device/block_device.hpp"
#include "sim/engine/engine.hpp"
#include "sim/observe/device_statistics.hpp"
#include "sim/observe/probe.hpp"

namespace seekahead {

using Payload = std::uint32_t;
inline constexpr Payload no_payload = ~Payload{0};

// A bio together with its payload: a chain through `next`, in ascending order on the device.
struct PayloadBio {
  Bio bio;
  Payload first = no_payload;
  Payload last = no_payload;
};

class RequestQueue;

// Devices that share one command at a time (the two drives of an IDE channel). The one served longest ago
// goes next.
class HostChannel {
 public:
  void add(RequestQueue& queue) { queues_.push_back(&queue); }
  bool busy() const { return active_ != nullptr; }
  void take(RequestQueue& queue);
  // The command has ended; the next one may reach a drive at `free_ns`. Lets the next queue start.
  void release(TimeNs free_ns);
  TimeNs free_ns() const { return free_ns_; }

 private:
  std::vector<RequestQueue*> queues_;  // served longest ago first
  RequestQueue* active_ = nullptr;
  TimeNs free_ns_ = 0;
};

struct RequestQueueOptions {
  std::string name;
  QueueRules rules;
  MergeLimits limits;
  std::int64_t slots = 0;      // per direction, after all rules
  std::int64_t give_back = 1;  // likewise
  CongestionLimits congestion;
  TimeNs host_turnaround_ns = 0;
};

class RequestQueue : public EventHandler {
 public:
  // Called for every payload of a completed request, in order.
  using PayloadDone = std::function<void(Payload payload, bool is_write)>;

  // `payload_next` is the chain link of each payload; the queue reads and writes it.
  RequestQueue(Engine& engine, std::unique_ptr<BlockDevice> device, std::unique_ptr<Elevator> elevator,
               HostChannel* channel, std::vector<Payload>& payload_next, RequestQueueOptions options,
               PayloadDone payload_done);
  ~RequestQueue() override;

  // Adds I/O; sleeps while no request slot is free. REQUIRES: inside a process.
  void submit(const PayloadBio& bio);

  // Lets the device start on what was held back.
  void unplug();
  bool plugged() const { return plugged_; }

  bool congested(bool write) const { return direction(write).congested; }
  // Requests in the queue or in the device.
  std::int64_t outstanding() const { return outstanding_; }

  const std::string& name() const { return options_.name; }
  const BlockDevice& device() const { return *device_; }
  const DeviceStatistics& statistics() const { return statistics_; }
  // What happens from now on (the run was cut) stays out of the statistics, and observers do not hear of it.
  void stop_counting();
  const RequestQueueOptions& options() const { return options_; }
  void observe(Probe& probe) { probe_ = &probe; }

  // Starts what the device and the channel can take now.
  void dispatch();

  void on_event(TimeNs now, std::uint64_t tag) override;

 private:
  struct Slot : Request {
    Payload first = no_payload;
    Payload last = no_payload;
    bool holds_slot = false;
    TimeNs host_ns = 0;  // from dispatch until the command reached the device
  };
  struct Direction {
    std::int64_t allocated = 0;  // slots in use
    std::int64_t freed = 0;      // freed, not yet given back (2.4)
    bool congested = false;
    std::deque<Process*> sleepers;  // FIFO
  };
  struct Batcher {
    Process* process = nullptr;
    std::int64_t left = 0;
    TimeNs until_ns = 0;
  };
  enum Tag : std::uint64_t { device_event, start_command, unplug_timer };

  Direction& direction(bool write) { return directions_[write ? 1 : 0]; }
  const Direction& direction(bool write) const { return directions_[write ? 1 : 0]; }
  bool try_merge(const PayloadBio& bio);
  void join(Slot& request, Slot& neighbour, bool behind);
  bool slot_available(bool write);
  void wait_for_slot(bool write);
  void become_batcher(Process& process);
  bool is_batcher(Process& process);
  void free_slot(Slot& slot);
  void add_request(const PayloadBio& bio);
  void plug();
  void start(Slot& slot);
  void hand_over(Slot& slot);
  void complete(const Completion& completion);
  void schedule_device();
  void count_level();
  Slot& new_slot();
  std::string_view wait_text(bool write) const;

  Engine& engine_;
  std::unique_ptr<BlockDevice> device_;
  std::unique_ptr<Elevator> elevator_;
  HostChannel* channel_;
  std::vector<Payload>& payload_next_;
  RequestQueueOptions options_;
  PayloadDone payload_done_;
  Probe* probe_ = nullptr;
  DeviceStatistics statistics_;
  bool counting_ = true;

  std::vector<std::unique_ptr<Slot>> slots_;
  std::vector<std::uint32_t> free_slots_;
  Direction directions_[2];
  std::vector<Batcher> batchers_;
  bool plugged_ = false;
  std::uint64_t plug_number_ = 0;  // tells the timer of an old plug from the present one
  std::int64_t outstanding_ = 0;
  std::int64_t in_device_ = 0;      // started, not complete
  TimeNs device_free_ns_ = 0;       // when the next command may reach the device
  TimeNs scheduled_ns_ = never_ns;  // earliest device event in the agenda
  std::vector<Completion> done_;
};

}  // namespace seekahead
