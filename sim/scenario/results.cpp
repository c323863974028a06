#include "sim/scenario/results.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

namespace seekahead {

namespace {

using Json = nlohmann::ordered_json;

double seconds(TimeNs ns) { return static_cast<double>(ns) / 1e9; }
double milliseconds(double ns) { return ns / 1e6; }
double ratio(double part, double whole) { return whole > 0 ? part / whole : 0; }

Json latency_json(const LatencyHistogram& latency) {
  const auto percentile = [&](double percent) {
    return milliseconds(static_cast<double>(latency.percentile_ns(percent)));
  };
  return {{"count", latency.count()},   {"mean", milliseconds(latency.mean_ns())},
          {"p50", percentile(50)},      {"p90", percentile(90)},
          {"p99", percentile(99)},      {"p999", percentile(99.9)},
          {"p9999", percentile(99.99)}, {"max", milliseconds(static_cast<double>(latency.max_ns()))}};
}

Json process_json(const Machine::RunProcess& process, TimeNs end_ns) {
  const ProcessStatistics& s = process.calls->statistics();
  const double elapsed = seconds((s.ended ? s.end_ns : end_ns) - s.start_ns);
  const auto bytes = static_cast<double>(s.bytes_read + s.bytes_written);
  return {{"name", process.name},
          {"bytes_read", s.bytes_read},
          {"bytes_written", s.bytes_written},
          {"elapsed_s", elapsed},
          {"throughput_mb_s", ratio(bytes, elapsed) / 1e6},
          {"reads", s.reads},
          {"writes", s.writes},
          {"faults", s.faults},
          {"submissions", s.submissions},
          {"pages_read", s.pages_read},
          {"cpu_s", seconds(s.cpu_ns)},
          {"finished", s.ended},
          {"latency_ms", latency_json(s.latency)}};
}

// Sums over processes: all of them, or those of one [[process]] with `count`.
Json sum_json(const std::vector<Machine::RunProcess>& processes, const std::vector<ProcessConfig>& configs,
              const std::string& group, TimeNs end_ns) {
  std::uint64_t bytes_read = 0;
  std::uint64_t bytes_written = 0;
  std::int64_t count = 0;
  TimeNs first_ns = never_ns;
  TimeNs last_ns = 0;
  LatencyHistogram latency;
  for (std::size_t i = 0; i < processes.size(); ++i) {
    if (group.empty() || configs[i].group == group) {
      const ProcessStatistics& s = processes[i].calls->statistics();
      ++count;
      bytes_read += s.bytes_read;
      bytes_written += s.bytes_written;
      first_ns = std::min(first_ns, s.start_ns);
      last_ns = std::max(last_ns, s.ended ? s.end_ns : end_ns);
      latency.add_all(s.latency);
    }
  }
  const double elapsed = seconds(last_ns - first_ns);
  return {{"processes", count},
          {"bytes_read", bytes_read},
          {"bytes_written", bytes_written},
          {"elapsed_s", elapsed},
          {"throughput_mb_s", ratio(static_cast<double>(bytes_read + bytes_written), elapsed) / 1e6},
          {"latency_ms", latency_json(latency)}};
}

Json groups_json(Machine& machine) {
  Json groups = Json::array();
  std::string last;
  for (const ProcessConfig& config : machine.scenario().processes) {
    if (config.count > 0 && config.group != last) {
      Json group = {{"name", config.group}};
      group.update(
          sum_json(machine.processes(), machine.scenario().processes, config.group, machine.end_ns()));
      groups.push_back(std::move(group));
    }
    last = config.group;
  }
  return groups;
}

Json device_json(const Machine::RunDevice& device, TimeNs end_ns) {
  const DeviceStatistics& s = device.queue->statistics();
  Json sizes = Json::object();
  for (std::size_t i = 0; i < s.size_histogram.size(); ++i) {
    if (s.size_histogram[i] > 0) {
      sizes["up_to_" + std::to_string(4LL << i) + "_kib"] = s.size_histogram[i];
    }
  }
  return {{"name", device.config->name},
          {"requests", s.requests},
          {"reads", s.reads},
          {"bytes", s.bytes},
          {"bytes_read", s.bytes_read},
          {"mean_request_kib", ratio(static_cast<double>(s.bytes), static_cast<double>(s.requests)) / 1024},
          {"utilisation", ratio(seconds(s.busy_ns), seconds(end_ns))},
          {"seek_s", seconds(s.service.seek_ns)},
          {"rotation_s", seconds(s.service.rotation_ns)},
          {"transfer_s", seconds(s.service.transfer_ns)},
          {"bus_s", seconds(s.service.bus_ns)},
          {"overhead_s", seconds(s.service.overhead_ns)},
          {"queue_s", seconds(s.wait_ns + s.service.queue_ns)},
          {"cache_hits", s.cache_hits},
          {"merges", s.merges},
          {"slot_waits", s.slot_waits},
          {"mean_queue_depth", ratio(seconds(s.queue_time_integral_ns), seconds(end_ns))},
          {"max_queue_depth", s.queue_max},
          {"latency_ms", latency_json(s.latency)},
          {"request_sizes", sizes}};
}

Json class_json(const ClassCounters& c) {
  return {{"windows", c.windows},     {"pages_asked", c.pages_asked},   {"pages_read", c.pages_read},
          {"pages_hit", c.pages_hit}, {"pages_wasted", c.pages_wasted}, {"pages_thrashed", c.pages_thrashed}};
}

Json events_json(const ReadaheadEvents& events) {
  Json rows = Json::object();
  for (std::size_t i = 0; i < static_cast<std::size_t>(WindowClass::count_); ++i) {
    const auto window_class = static_cast<WindowClass>(i);
    const ReadaheadEvents::Row& row = events.row(window_class);
    if (row.windows > 0) {
      rows[std::string(window_class_name(window_class))] = {{"windows", row.windows},
                                                            {"full", row.full},
                                                            {"empty", row.empty},
                                                            {"eof_hit", row.eof_hit},
                                                            {"cache_hit", row.cache_hit},
                                                            {"pages_asked", row.pages_asked},
                                                            {"pages_async", row.pages_async},
                                                            {"pages_read", row.pages_read}};
    }
  }
  return rows;
}

Json profile_json(const ReadaheadProfile& profile) {
  const ReadaheadProfile::Sample average = profile.average();
  const ReadaheadProfile::Sample& last = profile.snapshot();
  return {{"samples", profile.samples()},
          {"async_percent", profile.async_percent()},
          {"average", {{"max", average.max}, {"len", average.len}, {"win", average.win}}},
          {"snapshot", {{"max", last.max}, {"len", last.len}, {"win", last.win}, {"raend", last.raend}}}};
}

// What the policies of the devices count for themselves (adaptive's own table), over all devices.
class OwnEvents final : public EventVisitor {
 public:
  void event(std::string_view window_class, std::string_view event, std::int64_t requests,
             std::int64_t pages) override {
    Json& cell = rows[std::string(window_class)][std::string(event)];
    if (cell.is_null()) {
      cell = {{"requests", 0}, {"pages", 0}};
    }
    cell["requests"] = cell["requests"].get<std::int64_t>() + requests;
    cell["pages"] = cell["pages"].get<std::int64_t>() + pages;
  }
  Json rows = Json::object();
};

// The readahead limit in the three units that people use.
Json limit_json(std::uint64_t pages) {
  return {{"max_readahead_pages", pages}, {"read_ahead_kb", pages * 4}, {"setra", pages * 8}};
}

Json readahead_json(Machine& machine) {
  ClassCounters total;
  Json classes = Json::object();
  const auto& all = machine.memory().cache().classes();
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].windows > 0) {
      classes[std::string(window_class_name(static_cast<WindowClass>(i)))] = class_json(all[i]);
      total.windows += all[i].windows;
      total.pages_asked += all[i].pages_asked;
      total.pages_read += all[i].pages_read;
      total.pages_hit += all[i].pages_hit;
      total.pages_wasted += all[i].pages_wasted;
      total.pages_thrashed += all[i].pages_thrashed;
    }
  }
  Json limits = Json::object();
  for (const Machine::RunDevice& device : machine.devices()) {
    limits[device.config->name] = limit_json(device.config->ra_pages);
  }
  const SubmissionRecord& record = machine.kernel().submissions;
  Json readahead = {{"policy", machine.scenario().readahead.policy.model->name},
                    {"limits", limits},
                    {"total", class_json(total)},
                    {"classes", classes},
                    {"events", events_json(record.events)}};
  OwnEvents own;
  for (const Machine::RunDevice& device : machine.devices()) {
    device.readahead->visit_events(own);
  }
  if (!own.rows.empty()) {
    readahead["policy_events"] = std::move(own.rows);
  }
  if (record.profile.samples() > 0) {
    readahead["profile"] = profile_json(record.profile);
  }
  return readahead;
}

Json files_json(Machine& machine) {
  Json files = Json::array();
  for (std::size_t i = 0; i < machine.memory().files().size(); ++i) {
    const CachedFile& file = machine.memory().files()[i];
    const auto device =
        std::find_if(machine.devices().begin(), machine.devices().end(),
                     [&](const Machine::RunDevice& d) { return d.queue.get() == file.queue; });
    files.push_back({{"name", file.name},
                     {"size_bytes", file.size_bytes},
                     {"start_sector", file.start_sector},
                     {"device", device->config->name},
                     {"readahead_limit", limit_json(device->config->ra_pages)},
                     {"bytes", machine.kernel().bytes_of_file[i]},
                     {"cached_pages", machine.memory().cache().cached_of(static_cast<FileId>(i))}});
  }
  return files;
}

// The swept keys with their values; empty without a sweep.
Json point_json(const SweepPoint& point) {
  Json json = Json::object();
  for (const SweepValue& value : point.values) {
    json[value.key] = value.value.kind == Node::Kind::integer ? Json(value.value.integer)
                      : value.value.is_number()               ? Json(value.value.number())
                      : value.value.is_text()                 ? Json(value.value.text)
                                                              : Json(value_text(value.value));
  }
  return json;
}

}  // namespace

nlohmann::ordered_json results_of(Machine& machine) {
  Json processes = Json::array();
  for (const Machine::RunProcess& process : machine.processes()) {
    processes.push_back(process_json(process, machine.end_ns()));
  }
  Json devices = Json::array();
  for (const Machine::RunDevice& device : machine.devices()) {
    devices.push_back(device_json(device, machine.end_ns()));
  }
  const PageCache& cache = machine.memory().cache();
  const RequestQueueOptions& queue = machine.devices().front().queue->options();
  return {{"schema", 1},
          {"version", SEEKAHEAD_VERSION},
          {"scenario", machine.scenario().title},
          {"seed", machine.scenario().seed},
          {"point", point_json(machine.scenario().point)},
          {"simulated_s", seconds(machine.end_ns())},
          {"total", sum_json(machine.processes(), machine.scenario().processes, "", machine.end_ns())},
          {"processes", processes},
          {"process_groups", groups_json(machine)},
          {"devices", devices},
          {"files", files_json(machine)},
          {"readahead", readahead_json(machine)},
          {"memory",
           {{"frames", cache.frames()},
            {"cached_pages", cache.cached()},
            {"dirty_pages_left", cache.dirty()},
            {"evictions", cache.evictions()},
            {"waits", machine.memory().memory_waits()},
            {"pages_written_by_daemons", machine.write_back().pages_by_daemon()},
            {"pages_written_by_writers", machine.write_back().pages_by_writers()}}},
          {"block",
           {{"kernel", machine.scenario().block.kernel},
            {"elevator", machine.scenario().elevator.model->name},
            {"max_request_kib", static_cast<double>(queue.limits.max_sectors) / 2},
            {"request_slots", queue.slots}}}};
}

}  // namespace seekahead
