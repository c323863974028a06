// The simulated computer of one scenario: devices with their queues, memory, daemons and processes, built
// from the checked configuration, run once, and asked for its results.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "sim/engine/engine.hpp"
#include "sim/file/system_calls.hpp"
#include "sim/memory/write_back.hpp"
#include "sim/observe/probe.hpp"
#include "sim/scenario/scenario.hpp"

namespace seekahead {

class Machine {
 public:
  // `probe` may be null. REQUIRES: no other Engine has existed in this process.
  Machine(const Scenario& scenario, Probe* probe, std::int64_t stack_kib = 256);
  ~Machine();

  // Stops early when the flag becomes true. Throws what went wrong in the run (DeadlockError, a plug-in's
  // exception).
  void run(const std::atomic<bool>& stop_flag);

  struct RunProcess {
    std::string name;
    std::unique_ptr<Random> random;
    std::unique_ptr<Workload> workload;
    std::unique_ptr<SystemCalls> calls;
  };
  struct RunDevice {
    const DeviceConfig* config = nullptr;
    std::unique_ptr<Random> random;
    std::unique_ptr<ReadaheadDevice> readahead;
    std::unique_ptr<RequestQueue> queue;
  };

  const Scenario& scenario() const { return scenario_; }
  const std::vector<RunProcess>& processes() const { return processes_; }
  const std::vector<RunDevice>& devices() const { return devices_; }
  Memory& memory() { return *memory_; }
  const WriteBack& write_back() const { return *write_back_; }
  const Kernel& kernel() const { return *kernel_; }
  TimeNs end_ns() const { return end_ns_; }
  TimeNs now_ns() const { return engine_.now_ns(); }
  std::uint64_t events() const;

 private:
  class Cut;
  std::unique_ptr<BlockDevice> make_device(const DeviceConfig& config, Random& random);
  void build_devices(Probe* probe);
  void build_files();
  void build_processes();
  void run_process(RunProcess& process);
  TimeNs last_activity_ns() const;

  const Scenario& scenario_;
  Engine engine_;
  std::map<std::string, std::shared_ptr<void>> buses_;
  std::map<std::string, std::unique_ptr<HostChannel>> channels_;
  std::vector<std::unique_ptr<Random>> member_randoms_;
  std::unique_ptr<Memory> memory_;
  std::vector<RunDevice> devices_;
  std::unique_ptr<WriteBack> write_back_;
  std::unique_ptr<Kernel> kernel_;
  std::vector<RunProcess> processes_;
  std::unique_ptr<Cut> cut_;
  TimeNs end_ns_ = 0;
};

}  // namespace seekahead
