#include "sim/scenario/machine.hpp"

#include <algorithm>
#include <stdexcept>

namespace seekahead {

namespace {

QueueRules rules_of(const Scenario& scenario) {
  const QueueRules* rules = find_queue_rules(scenario.block.kernel);
  if (rules == nullptr) {
    throw std::logic_error("no request queue rules for kernel " + scenario.block.kernel);
  }
  return *rules;
}

RequestQueueOptions queue_options(const Scenario& scenario, const DeviceConfig& device,
                                  std::int64_t most_sectors) {
  RequestQueueOptions options;
  options.name = device.name;
  options.rules = rules_of(scenario);
  const std::int64_t wanted = scenario.block.max_request_bytes / sector_bytes;
  options.limits.max_sectors = std::min(wanted > 0 ? wanted : options.rules.max_sectors, most_sectors);
  // Who asks for larger requests than the kernel's means them: its scatter list then does not bind, unless it
  // is given.
  const std::int64_t segments = scenario.block.max_segments > 0
                                    ? scenario.block.max_segments
                                    : std::max(options.rules.max_segments, wanted / sectors_per_page);
  options.limits.max_segments = static_cast<std::uint32_t>(segments);
  const std::int64_t by_kernel =
      options.rules.slots > 0 ? options.rules.slots : slots_of_2_4(scenario.machine.memory_bytes);
  options.slots = scenario.block.request_slots > 0 ? scenario.block.request_slots : by_kernel;
  options.congestion = congestion_limits(options.rules, options.slots);
  // 2.4 gives slots back in lots of an eighth of all, that is a quarter of one direction's, but at most 32.
  options.give_back = options.rules.give_back > 0 ? options.rules.give_back
                                                  : std::clamp<std::int64_t>(options.slots / 4, 1, 32);
  options.host_turnaround_ns = device.host_turnaround_ns;
  return options;
}

}  // namespace

// The end of `duration`.
class Machine::Cut : public EventHandler {
 public:
  explicit Cut(Engine& engine) : engine_(engine) {}
  void on_event(TimeNs, std::uint64_t) override {
    if (!engine_.stopping()) {
      engine_.stop();
    }
  }

 private:
  Engine& engine_;
};

Machine::Machine(const Scenario& scenario, Probe* probe, std::int64_t stack_kib)
    : scenario_(scenario), engine_(scenario.machine.cores, stack_kib) {
  const std::int64_t frames = (scenario.machine.memory_bytes - scenario.machine.reserved_bytes) /
                              static_cast<std::int64_t>(page_bytes);
  memory_ = std::make_unique<Memory>(engine_, frames, rules_of(scenario));
  build_devices(probe);
  const WritebackConfig& w = scenario.writeback;
  write_back_ = std::make_unique<WriteBack>(
      engine_, *memory_,
      WriteBackLimits{w.flush_percent, w.sync_percent, w.flush_batch, w.interval_ns, w.age_ns});
  const MachineConfig& m = scenario.machine;
  kernel_ = std::make_unique<Kernel>(
      Kernel{engine_,
             *memory_,
             *write_back_,
             {m.cpu_per_page_ns, m.cpu_per_call_ns, m.cpu_per_fault_ns, m.cpu_granularity_ns},
             {},
             {},
             {},
             probe});
  build_files();
  build_processes();
}

Machine::~Machine() = default;

std::unique_ptr<BlockDevice> Machine::make_device(const DeviceConfig& config, Random& random) {
  DeviceContext context;
  context.name = config.name;
  context.random = &random;
  context.buses = &buses_;
  context.take_member = [this](const std::string& name) -> std::unique_ptr<BlockDevice> {
    for (const DeviceConfig& member : scenario_.devices) {
      if (member.name == name) {
        member_randoms_.push_back(std::make_unique<Random>(scenario_.seed, "device." + name));
        return make_device(member, *member_randoms_.back());
      }
    }
    return nullptr;
  };
  context.make_drive = scenario_.make_drive;
  return config.device.make(context);
}

void Machine::build_devices(Probe* probe) {
  for (const DeviceConfig& config : scenario_.devices) {
    if (config.is_member) {
      continue;  // its array makes it
    }
    RunDevice device;
    device.config = &config;
    device.random = std::make_unique<Random>(scenario_.seed, "device." + config.name);
    device.readahead = scenario_.readahead.policy.make(ReadaheadLimits{config.ra_pages});
    HostChannel* channel = nullptr;
    if (!config.channel.empty()) {
      std::unique_ptr<HostChannel>& shared = channels_[config.channel];
      shared = shared ? std::move(shared) : std::make_unique<HostChannel>();
      channel = shared.get();
    }
    std::unique_ptr<BlockDevice> hardware = make_device(config, *device.random);
    const RequestQueueOptions options = queue_options(scenario_, config, hardware->max_request_sectors());
    device.queue = std::make_unique<RequestQueue>(
        engine_, std::move(hardware), scenario_.elevator.make(), channel, memory_->payload_next(), options,
        [this](Payload payload, bool is_write) { memory_->page_done(payload, is_write); });
    if (probe != nullptr) {
      device.queue->observe(*probe);
    }
    memory_->add_queue(*device.queue);
    devices_.push_back(std::move(device));
  }
}

void Machine::build_files() {
  for (const FileConfig& file : scenario_.files) {
    const auto device = std::find_if(devices_.begin(), devices_.end(),
                                     [&](const RunDevice& d) { return d.config->name == file.device; });
    if (device == devices_.end()) {
      throw std::logic_error("file " + file.name + " on a device without a queue");
    }
    memory_->add_file(
        {file.name, device->queue.get(), file.start_sector, static_cast<std::uint64_t>(file.size_bytes)});
    kernel_->readahead_of_file.push_back(device->readahead.get());
    kernel_->bytes_of_file.push_back(0);
  }
}

void Machine::build_processes() {
  for (const ProcessConfig& config : scenario_.processes) {
    RunProcess process;
    process.name = config.name;
    process.random = std::make_unique<Random>(scenario_.seed, "process." + config.name);
    process.workload = config.workload.make(WorkloadContext{config.files, process.random.get()});
    process.calls = std::make_unique<SystemCalls>(*kernel_, config.name, config.command, config.pid);
    processes_.push_back(std::move(process));
  }
  for (std::size_t i = 0; i < processes_.size(); ++i) {
    engine_.spawn(processes_[i].name, scenario_.processes[i].start_ns,
                  [this, i] { run_process(processes_[i]); });
  }
}

void Machine::run_process(RunProcess& process) {
  ProcessStatistics& statistics = process.calls->statistics();
  statistics.start_ns = engine_.now_ns();
  process.workload->run(*process.calls);
  process.calls->finish();
  statistics.end_ns = engine_.now_ns();
  statistics.ended = true;
}

void Machine::run(const std::atomic<bool>& stop_flag) {
  engine_.stop_when(stop_flag);
  engine_.on_stop([this] {
    end_ns_ = engine_.now_ns();
    for (RunDevice& device : devices_) {
      device.queue->stop_counting();
    }
    memory_->unplug_all();
  });
  engine_.on_last_process_end([this] {
    write_back_->finish();
    memory_->unplug_all();
  });
  engine_.services_idle_if([this] {
    return memory_->cache().dirty() == 0 &&
           std::all_of(devices_.begin(), devices_.end(),
                       [](const RunDevice& d) { return !d.queue->plugged(); });
  });
  if (scenario_.duration_ns) {
    cut_ = std::make_unique<Cut>(engine_);
    engine_.agenda().at(*scenario_.duration_ns, *cut_);
  }
  write_back_->start();
  engine_.run();
  for (const RunDevice& device : devices_) {
    if (device.queue->outstanding() != 0) {
      throw std::runtime_error("device " + device.config->name + " ended the run with " +
                               std::to_string(device.queue->outstanding()) + " unfinished requests");
    }
  }
  if (!engine_.stopped()) {
    end_ns_ = last_activity_ns();
  }
  memory_->cache().count_leftovers();
}

TimeNs Machine::last_activity_ns() const {
  TimeNs last = 0;
  for (const RunProcess& process : processes_) {
    last = std::max(last, process.calls->statistics().end_ns);
  }
  for (const RunDevice& device : devices_) {
    last = std::max(last, device.queue->statistics().last_change_ns());
  }
  return last;
}

std::uint64_t Machine::events() const { return const_cast<Engine&>(engine_).agenda().events_run(); }

}  // namespace seekahead
