#include "sim/block/queue_rules.hpp"

#include <algorithm>

namespace seekahead {

const std::vector<QueueRules>& all_queue_rules() {
  static const std::vector<QueueRules> rules = [] {
    QueueRules k24;
    k24.kernel = "2.4.5";
    k24.page_by_page = true;
    k24.unplug_all_on_wait = true;
    k24.slots = 0;
    k24.give_back = 0;
    k24.slot_freed_at_dispatch = true;

    QueueRules k268;
    k268.kernel = "2.6.8";
    k268.slots = 128;
    k268.congests = true;
    k268.unplug_at = 4;
    k268.unplug_at_exactly = true;
    k268.unplug_timer_ns = 3 * ns_per_ms;
    k268.batch_requests = 32;
    k268.batch_ns = 20 * ns_per_ms;
    k268.max_sectors = 256;
    k268.max_segments = 256;

    QueueRules k269 = k268;
    k269.kernel = "2.6.9";
    QueueRules k2611 = k268;
    k2611.kernel = "2.6.11";
    k2611.congestion_slack = 1;
    QueueRules k2612 = k2611;
    k2612.kernel = "2.6.12";
    k2612.unplug_at_exactly = false;
    QueueRules k2618 = k2612;
    k2618.kernel = "2.6.18";
    k2618.hard_cap_percent = 150;
    QueueRules k2624 = k2618;
    k2624.kernel = "2.6.24";
    return std::vector<QueueRules>{k24, k268, k269, k2611, k2612, k2618, k2624};
  }();
  return rules;
}

const QueueRules* find_queue_rules(std::string_view kernel) {
  for (const QueueRules& rules : all_queue_rules()) {
    if (rules.kernel == kernel) {
      return &rules;
    }
  }
  return nullptr;
}

std::int64_t slots_of_2_4(std::int64_t memory_bytes) {
  constexpr std::int64_t step = 32 << 20;
  const std::int64_t rounded = (memory_bytes + step - 1) / step * step;
  return std::min<std::int64_t>(rounded / (512 << 10), 8192) / 2;
}

CongestionLimits congestion_limits(const QueueRules& rules, std::int64_t slots) {
  if (!rules.congests) {
    return {};
  }
  return {std::min(slots - slots / 8 + 1, slots),
          std::max<std::int64_t>(slots - slots / 8 - rules.congestion_slack * (slots / 16) - 1, 1)};
}

}  // namespace seekahead
