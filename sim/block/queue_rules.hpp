// What the request layers of the kernels do differently, as numbers: slots, congestion, plugging, limits.
// Sources: read in 2.4.5, 2.6.8, 2.6.9, 2.6.11, 2.6.12 and 2.6.18 (docs/elevators.md).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/engine/units.hpp"

namespace seekahead {

struct QueueRules {
  std::string_view kernel;
  bool page_by_page = false;        // every 4 KiB buffer passes the elevator on its own (2.4)
  bool unplug_all_on_wait = false;  // a waiter starts all queues (2.4: "run tq_disk"), not just its own
  std::int64_t slots = 128;         // requests per direction; 0: from the size of memory (2.4.0-2.4.9)
  std::int64_t give_back = 1;       // freed slots are handed to sleepers in lots of so many; 0: from `slots`
  bool slot_freed_at_dispatch = false;  // for devices that queue commands (SCSI on 2.4)
  // Read- or write-congested when all but an eighth of the slots are allocated (+ 1); cleared below all but
  // an eighth and `congestion_slack` sixteenths (- 1). 128 slots: 113 and 111 or 103.
  bool congests = false;
  std::int64_t congestion_slack = 0;
  std::int64_t unplug_at = 0;       // requests waiting that unplug the queue; 0: no such rule
  bool unplug_at_exactly = false;   // only when the count hits the number (up to 2.6.11)
  TimeNs unplug_timer_ns = 0;       // 0: no timer
  std::int64_t batch_requests = 0;  // a task that filled the queue or slept may go on for so many requests...
  TimeNs batch_ns = 0;              // ...or so long
  std::int64_t hard_cap_percent = 0;  // no batcher above slots x this; 0: no cap
  std::int64_t max_sectors = 255;
  std::int64_t max_segments = 128;
};

// Kernels that have rules, oldest first.
const std::vector<QueueRules>& all_queue_rules();

// Null: no such kernel. `memory_bytes` decides the slots of 2.4.
const QueueRules* find_queue_rules(std::string_view kernel);

// A direction of a queue is congested at `on` allocated requests and until fewer than `off` are; never if
// `on` is 0.
struct CongestionLimits {
  std::int64_t on = 0;
  std::int64_t off = 0;
};
CongestionLimits congestion_limits(const QueueRules& rules, std::int64_t slots);

// Slots per direction of 2.4.5: RAM rounded up to 32 MiB, one request per 512 KiB, at most 8192, half for
// each.
std::int64_t slots_of_2_4(std::int64_t memory_bytes);

}  // namespace seekahead
