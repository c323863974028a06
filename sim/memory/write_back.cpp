#include "sim/memory/write_back.hpp"

namespace seekahead {

namespace {
constexpr TimeNs kswapd_period_ns = ns_per_s;
}

WriteBack::WriteBack(Engine& engine, Memory& memory, const WriteBackLimits& limits)
    : engine_(engine), memory_(memory), limits_(limits) {
  memory_.on_pressure([this] { by_writers_ += flush_round(); });
}

void WriteBack::start() {
  bdflush_ = &engine_.spawn(
      "bdflush", 0, [this] { run_bdflush(); }, true);
  engine_.spawn(
      "kupdate", 0, [this] { run_kupdate(); }, true);
  engine_.spawn(
      "kswapd", 0, [this] { run_kswapd(); }, true);
}

void WriteBack::finish() {
  if (bdflush_asleep_) {
    bdflush_asleep_ = false;
    engine_.wake(*bdflush_);
  }
}

// Rules 5 and 6: the share of the pages that could be given up; active ones count by a sixteenth.
bool WriteBack::above(double percent) const {
  const PageCache& cache = memory_.cache();
  const double total =
      static_cast<double>(cache.frames() - cache.active()) + static_cast<double>(cache.active()) / 16;
  return static_cast<double>(cache.dirty()) * 100 > total * percent;
}

void WriteBack::balance() {
  if (!above(limits_.flush_percent)) {
    return;
  }
  if (bdflush_asleep_) {
    bdflush_asleep_ = false;
    engine_.wake(*bdflush_);
  }
  if (above(limits_.sync_percent)) {
    by_writers_ += flush_round();
  }
}

std::int64_t WriteBack::flush_round() {
  PageCache& cache = memory_.cache();
  std::int64_t written = 0;
  while (written < limits_.flush_batch) {
    FrameId id =
        cache.oldest_dirty();  // from the head each time: the list changes while a write waits for a slot
    while (id != no_frame && cache.frame(id).in_write) {
      id = cache.frame(id).dirty_next;
    }
    if (id == no_frame) {
      break;
    }
    memory_.write_page(id);
    ++written;
  }
  return written;
}

void WriteBack::run_bdflush() {
  while (!engine_.stopping()) {
    bdflush_asleep_ = true;
    engine_.block({"dirty pages", "", 0, false});
    std::int64_t written = 1;
    while (written > 0 && above(limits_.flush_percent) && !engine_.stopping()) {
      written = flush_round();
      by_daemon_ += written;
    }
    memory_.unplug_all();
  }
}

void WriteBack::run_kupdate() {
  while (true) {
    engine_.sleep(limits_.interval_ns);
    if (engine_.stopping()) {
      return;
    }
    PageCache& cache = memory_.cache();
    while (!engine_.stopping()) {
      const FrameId id = cache.oldest_dirty();
      if (id == no_frame || cache.frame(id).in_write || cache.frame(id).due_ns > engine_.now_ns()) {
        break;
      }
      memory_.write_page(id);
      ++by_daemon_;
    }
    memory_.unplug_all();
  }
}

void WriteBack::run_kswapd() {
  while (true) {
    engine_.sleep(kswapd_period_ns);
    if (engine_.stopping()) {
      return;
    }
    memory_.unplug_all();
  }
}

}  // namespace seekahead
