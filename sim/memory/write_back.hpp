// How dirty pages reach the disk, by the rules of Linux 2.4.5 - 2.4.7 (docs/elevators.md, write-back): the
// limits that a writer meets (balance), the daemon bdflush that writes the oldest dirty pages 64 at a time,
// kupdate that writes what is 30 s old, and the turns of kswapd that unplug the queues. Nobody waits for the
// end of a write: a writer is held up by request slots alone.
#pragma once

#include <cstdint>

#include "sim/memory/memory.hpp"

namespace seekahead {

struct WriteBackLimits {
  double flush_percent = 30;      // bdflush runs above it
  double sync_percent = 60;       // the writer flushes as well above it
  std::int64_t flush_batch = 64;  // pages written per flush round
  TimeNs interval_ns = 5 * ns_per_s;
  TimeNs age_ns = 30 * ns_per_s;
};

class WriteBack {
 public:
  WriteBack(Engine& engine, Memory& memory, const WriteBackLimits& limits);

  // Starts the daemons. Call before Engine::run.
  void start();
  // Lets the daemons end: nothing new is written.
  void finish();

  // After a page became dirty; inside the writer. May wait for request slots.
  void balance();
  // Writes up to flush_batch of the oldest dirty pages that are not on their way already; returns how many.
  std::int64_t flush_round();
  TimeNs age_ns() const { return limits_.age_ns; }

  std::int64_t pages_by_daemon() const { return by_daemon_; }
  std::int64_t pages_by_writers() const { return by_writers_; }

 private:
  bool above(double percent) const;
  void run_bdflush();
  void run_kupdate();
  void run_kswapd();

  Engine& engine_;
  Memory& memory_;
  WriteBackLimits limits_;
  Process* bdflush_ = nullptr;
  bool bdflush_asleep_ = false;
  std::int64_t by_daemon_ = 0;
  std::int64_t by_writers_ = 0;
};

}  // namespace seekahead
