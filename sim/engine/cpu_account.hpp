// The CPU debt of one process. Executing on SimGrid's host for every page would cost more wall time than
// everything else; so small costs add up here and are paid at once: before anything is submitted to a queue,
// before a wait, at the end, and whenever the debt exceeds the granularity.
#pragma once

#include "sim/engine/engine.hpp"

namespace seekahead {

class CpuAccount {
 public:
  CpuAccount(Engine& engine, TimeNs granularity_ns) : engine_(engine), granularity_ns_(granularity_ns) {}

  void charge(TimeNs cpu_ns) {
    debt_ns_ += cpu_ns;
    total_ns_ += cpu_ns;
    if (debt_ns_ > granularity_ns_) {
      pay();
    }
  }
  void pay() {
    if (debt_ns_ > 0) {
      const TimeNs due_ns = debt_ns_;
      debt_ns_ = 0;
      engine_.compute(due_ns);
    }
  }
  // The process's own clock: the engine's plus what it still owes.
  TimeNs now_ns() const { return engine_.now_ns() + debt_ns_; }
  TimeNs total_ns() const { return total_ns_; }

 private:
  Engine& engine_;
  TimeNs granularity_ns_;
  TimeNs debt_ns_ = 0;
  TimeNs total_ns_ = 0;
};

}  // namespace seekahead
