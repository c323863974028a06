// Simulated processes on SimGrid. This header hides SimGrid: engine.cpp is the one file that knows its API.
//
// One Engine exists in a program's life (SimGrid's is a singleton whose clock never resets): a simulation
// runs in a child process of its own, see sim/scenario/simulate.
//
// SimGrid runs one process at a time between blocking points, so the code of the simulated kernel changes its
// structures directly; only block(), sleep() and compute() let time pass and others run.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "sim/engine/agenda.hpp"

namespace seekahead {

// What a blocked process waits for; shown when nothing can ever wake it. The views must outlive the wait.
struct WaitReason {
  std::string_view what;    // "page", "a read request slot"
  std::string_view object;  // file or device
  std::uint64_t number = 0;
  bool has_number = false;
};

class Process;  // a simulated process; owned by the engine, valid until it ends

// Thrown out of block(), sleep() and compute() of a process that the run stops early (duration, interrupt).
class ProcessStopped : public std::exception {
 public:
  const char* what() const noexcept override { return "the run was stopped"; }
};

// REQUIRES: called in a handler. Whether what was caught only ends the process (the engine's own way, or
// ProcessStopped) and has to be thrown on.
bool caught_end_of_process();

// The run cannot go on: somebody waits for something that will never come.
class DeadlockError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class Engine {
 public:
  // `stack_kib`: stack of each process; models written in Python need more than the usual.
  explicit Engine(std::int64_t cores, std::int64_t stack_kib = 256);
  ~Engine();
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  Agenda& agenda();

  // Simulated time, never before the agenda's; after a run that failed, when that was.
  TimeNs now_ns() const;

  // REQUIRES: before run(), or inside a process. A service (flusher) does not keep the run alive: it must
  // return when stopping() is true; a sleeping one is woken for that.
  Process& spawn(std::string name, TimeNs start_ns, std::function<void()> body, bool service = false);

  // Runs until all processes have ended and the agenda is empty. Rethrows the first exception that left a
  // process; throws DeadlockError.
  void run();

  // --- inside a process
  Process& current() const;
  std::string_view name_of(const Process& process) const;
  void block(const WaitReason& reason);  // until wake(current())
  void sleep(TimeNs span_ns);
  void compute(
      TimeNs cpu_ns);  // occupies one core; shares them fluidly when there are more processes than cores

  // --- from a process or an event
  void wake(Process& process);  // REQUIRES: it is blocked or about to block; one wake ends one block

  // Ends every ordinary process at its next blocking point (or at once if it sleeps). Requests in flight
  // complete.
  void stop();
  bool stopped();

  // Called (once) when the run is stopped.
  void on_stop(std::function<void()> callback);
  // Called (once) when the last ordinary process has ended, to let services finish.
  void on_last_process_end(std::function<void()> callback);
  bool stopping() const;  // no ordinary process is left

  // Timers of services alone do not keep a run from being deadlocked when this returns true (default:
  // always).
  void services_idle_if(std::function<bool()> idle);

  // Watches a flag that a signal handler sets; when it is true the run stops as by stop().
  void stop_when(const std::atomic<bool>& flag);

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace seekahead
