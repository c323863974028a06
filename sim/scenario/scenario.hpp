// A scenario after all checks: the typed configuration of one run. It is made by load_scenario()
// (sim/scenario/load) and built into a machine and run by simulate().
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/scenario/expectation.hpp"
#include "sim/scenario/registry.hpp"
#include "sim/scenario/sweep.hpp"

namespace seekahead {

// A model chosen by the scenario together with its filled-in parameters.
template <class M>
struct Chosen {
  const M* model = nullptr;
  std::unique_ptr<Parameters> parameters;

  // Makes the product of the model.
  template <class... Context>
  auto make(const Context&... context) const {
    return model->make(*parameters, context...);
  }
};

// [machine]
struct MachineConfig : Parameters {
  std::int64_t memory_bytes = 128 << 20;
  std::int64_t reserved_bytes = 16 << 20;  // kernel and programs: not available to the page cache
  std::int64_t cores = 1;
  TimeNs cpu_per_page_ns = 10 * ns_per_us;  // copy to user and page-cache bookkeeping, a page
  TimeNs cpu_per_call_ns = 3 * ns_per_us;   // a system call
  TimeNs cpu_per_fault_ns = 2 * ns_per_us;  // a page fault
  TimeNs cpu_granularity_ns = ns_per_ms;    // CPU debt of a process is paid when it exceeds this
  void visit(ParameterVisitor& v) override;
  void check(const ProblemSink& problem) const override;
};

// [[device]]: its own parameters are those of the model; these are common to all.
struct DeviceConfig {
  std::string name;
  Chosen<DeviceModel> device;
  std::uint64_t ra_pages = 32;          // effective readahead limit of files on it
  std::string readahead_echo;           // "31 pages = 124 KiB = setra 248"
  std::vector<std::string> built_from;  // its members, if they are devices of the scenario
  bool is_member = false;               // part of an array, a partition's disk: no queue of its own
  std::string channel;            // IDE devices of one channel share one command at a time; "" = its own
  TimeNs host_turnaround_ns = 0;  // end of transfer to the next command reaching the drive
};

// [[file]]
struct FileConfig {
  std::string name;
  std::string device;
  std::int64_t size_bytes = 0;
  SectorNumber start_sector = 0;  // contiguous layout
};

// [readahead]
struct ReadaheadConfig {
  Chosen<ReadaheadModel> policy;
};

// [block]
struct BlockConfig : Parameters {
  std::string kernel = "2.4.5";        // whose rules of slots, plugging and limits hold: all_queue_rules()
  std::int64_t max_request_bytes = 0;  // 0 = the kernel's own value, as below
  std::int64_t request_slots = 0;      // per direction; 0 = the kernel's own value
  std::int64_t max_segments = 0;
  void visit(ParameterVisitor& v) override;
  void check(const ProblemSink& problem) const override;
};

// [writeback]
struct WritebackConfig : Parameters {
  double flush_percent = 30;          // nfract: above it bdflush runs
  double sync_percent = 60;           // nfract_sync: above it the writer flushes as well
  std::int64_t flush_batch = 64;      // ndirty: buffers written per flush round
  TimeNs interval_ns = 5 * ns_per_s;  // kupdate period
  TimeNs age_ns = 30 * ns_per_s;      // age at which kupdate writes a buffer
  void visit(ParameterVisitor& v) override;
  void check(const ProblemSink& problem) const override;
};

// [[process]]
struct ProcessConfig {
  std::string name;
  Chosen<WorkloadModel> workload;
  std::vector<std::string> files;
  TimeNs start_ns = 0;
  std::string command;  // as the kernel's log names it
  std::int32_t pid = 1;
  // Copies of one [[process]] with `count`: its name and how many there are; 0: a single process.
  std::string group;
  std::int64_t count = 0;
};

struct Scenario {
  std::string path;                    // "-" for standard input
  std::vector<std::string> overrides;  // "--set KEY=VALUE", as given
  std::string title;
  std::string source;
  std::uint64_t seed = 1;
  std::optional<TimeNs> duration_ns;
  MachineConfig machine;
  std::vector<DeviceConfig> devices;
  std::vector<FileConfig> files;
  ReadaheadConfig readahead;
  Chosen<ElevatorModel> elevator;
  BlockConfig block;
  WritebackConfig writeback;
  std::vector<ProcessConfig> processes;
  std::vector<Expectation> expectations;
  std::vector<SweepPoint> sweep;  // every point of [sweep]; empty: there is none
  SweepPoint point;               // the point that this configuration is; without values: none
  // Makes drives of the catalogue for arrays (DeviceContext::make_drive); set by the loader.
  std::function<std::unique_ptr<BlockDevice>(const std::string& id_or_file, const DeviceContext& context)>
      make_drive;
};

}  // namespace seekahead
