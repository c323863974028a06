// seekahead replay: a device alone, fed with a trace. How a device model is validated.
#include <cstdio>
#include <deque>
#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>

#include "cli/replay/options.hpp"
#include "cli/replay/row_writer.hpp"
#include "models/builtin.hpp"
#include "sim/device/response_comparison.hpp"
#include "sim/scenario/drive_file.hpp"
#include "sim/scenario/drive_maker.hpp"
#include "sim/scenario/echo.hpp"

namespace seekahead::cli {

namespace {

constexpr const char* consequence = "nothing was replayed";

// The device under test and all that it hangs on.
struct Bench {
  Registry registry;
  Random random{1, "replay"};
  std::map<std::string, std::shared_ptr<void>> buses;
  std::unique_ptr<BlockDevice> device;
};

bool has_parameter(Parameters& parameters, const std::string& name) {
  for (const Description& description : describe(parameters)) {
    if (description.name == name) {
      return true;
    }
  }
  return false;
}

// Adds the overrides of the drive that --queue, --depth and --scheduler stand for.
void add_queue_settings(const ReplayCommand& command, Parameters& parameters, std::vector<std::string>& sets,
                        Diagnostics& diagnostics) {
  const std::string depth = has_parameter(parameters, "queue.depth") ? "queue.depth" : "queue_depth";
  if (command.depth) {
    if (has_parameter(parameters, depth)) {
      sets.push_back(depth + "=" + std::to_string(*command.depth));
    } else if (*command.depth > 1) {
      diagnostics.error({}, "--depth: this device has no queue");
    }
  }
  if (command.queue_in_drive && command.scheduler) {
    if (has_parameter(parameters, "queue.scheduling")) {
      sets.push_back("queue.scheduling=" + *command.scheduler);
    } else {
      diagnostics.error({},
                        "--scheduler " + *command.scheduler +
                            " --queue drive: this device serves its requests in its own order",
                        "leave --queue drive out");
    }
  }
}

bool make_device(const ReplayCommand& command, Bench& bench, Diagnostics& diagnostics) {
  register_builtin_models(bench.registry);
  std::vector<std::string> sets = command.sets;
  std::optional<LoadedDrive> drive = load_drive(bench.registry, command.drive, sets, diagnostics);
  if (drive && (command.depth || command.queue_in_drive)) {
    add_queue_settings(command, *drive->device.parameters, sets, diagnostics);
    if (diagnostics.ok()) {
      drive = load_drive(bench.registry, command.drive, sets, diagnostics);
    }
  }
  if (!drive || !diagnostics.ok()) {
    return false;
  }
  DeviceContext context;
  context.name = command.drive;
  context.random = &bench.random;
  context.buses = &bench.buses;
  context.make_drive = make_drive_maker(bench.registry);
  try {
    bench.device = drive->device.make(context);
  } catch (const std::exception& error) {
    diagnostics.error({}, "drive " + in_quotes(command.drive) + " cannot be made: " + error.what());
  }
  return bench.device != nullptr;
}

ReplayOptions options_of(const ReplayCommand& command, const RequestTrace& trace, const BlockDevice& device) {
  ReplayOptions options;
  const bool closed = command.closed || command.think_ns || trace.has(TraceColumn::gap);
  options.outstanding = closed ? command.closed.value_or(1) : 0;
  options.think_ns = command.think_ns;
  options.depth = command.depth.value_or(command.queue_in_drive ? device.queue_depth() : 1);
  if (!command.queue_in_drive && command.scheduler == "clook") {
    options.order = HostOrder::clook;
  } else if (!command.queue_in_drive && command.scheduler == "sstf") {
    options.order = HostOrder::sstf;
  }
  return options;
}

// Stands between the trace, the replay and what is printed.
class Job final : public ReplayUser {
 public:
  Job(RequestTrace& trace, bool compare, TimeNs rotation_ns)
      : trace_(trace), compare_(compare), writer_(trace), comparison_(rotation_ns) {}

  bool next(ReplayRequest& request) override {
    if (!trace_.next(row_)) {
      return false;
    }
    if (compare_) {
      references_.push_back({row_.reference_ns, row_.request.is_write, false});
    } else {
      writer_.add(row_);
    }
    request = row_.request;
    return true;
  }

  void completed(std::uint64_t row, TimeNs arrival_ns, const Completion& completion) override {
    if (!trace_.problems().empty()) {
      return;  // nothing is printed any more
    }
    const TimeNs response_ns = completion.time_ns - arrival_ns;
    if (!compare_) {
      writer_.completed(row, arrival_ns, response_ns);
      return;
    }
    Reference& reference = references_[row - first_reference_];
    comparison_.add(reference.is_write, response_ns, reference.response_ns);
    reference.used = true;
    while (!references_.empty() && references_.front().used) {
      references_.pop_front();
      ++first_reference_;
    }
  }

  bool finish() { return compare_ || writer_.finish(); }
  ComparisonResult comparison() { return comparison_.result(); }

 private:
  struct Reference {
    TimeNs response_ns;
    bool is_write;
    bool used;
  };

  RequestTrace& trace_;
  bool compare_;
  RowWriter writer_;
  ResponseComparison comparison_;
  std::deque<Reference> references_;  // of the requests on their way, from first_reference_ on
  std::uint64_t first_reference_ = 0;
  TraceRow row_;
};

nlohmann::ordered_json json_of(const ComparisonFigures& f) {
  const auto figure = [&f](double value) {
    return f.requests == 0 ? nlohmann::ordered_json() : nlohmann::ordered_json(value);
  };
  return {{"requests", f.requests},
          {"mean_ms", figure(f.mean_ms)},
          {"reference_mean_ms", figure(f.reference_mean_ms)},
          {"demerit_ms", figure(f.demerit_ms)},
          // Of a mean of 0 there is no share.
          {"demerit_percent", f.reference_mean_ms > 0 ? figure(f.demerit_percent) : nlohmann::ordered_json()},
          {"rms_error_ms", figure(f.rms_error_ms)},
          {"max_error_ms", figure(f.max_error_ms)},
          {"off_by_revolutions", f.off_by_revolutions},
          {"rms_error_without_them_ms", figure(f.rms_error_without_them_ms)}};
}

void print_comparison(const ComparisonResult& result) {
  nlohmann::ordered_json json = json_of(result.all);
  json["reads"] = json_of(result.reads);
  json["writes"] = json_of(result.writes);
  std::puts(json.dump(2).c_str());
}

int refuse(const RequestTrace& trace) {
  for (const std::string& problem : trace.problems()) {
    std::fprintf(stderr, "%s\n", problem.c_str());
  }
  return 2;
}

int replay_trace(const ReplayCommand& command, Bench& bench) {
  RequestTrace trace(command.trace);
  if (!trace.read_header()) {
    return refuse(trace);
  }
  if (command.compare && trace.has(TraceColumn::response) == trace.has(TraceColumn::measured)) {
    std::fprintf(stderr,
                 "%s:1: error: --compare needs the reference in a column response_ms or measured_ms%s\n",
                 command.trace.c_str(), trace.has(TraceColumn::response) ? ", and not in both" : "");
    return 2;
  }
  const ReplayOptions options = options_of(command, trace, *bench.device);
  if (options.outstanding == 0 && !trace.require_arrivals()) {
    return refuse(trace);
  }
  trace.limit(bench.device->capacity_sectors(), bench.device->max_request_sectors());
  Job job(trace, command.compare, bench.device->rotation_ns());
  replay(*bench.device, options, job);
  if (!trace.problems().empty()) {
    trace.find_more_problems();
    return refuse(trace);
  }
  if (!job.finish()) {
    std::fprintf(stderr, "error: standard output cannot be written\n");
    return 1;
  }
  if (command.compare) {
    print_comparison(job.comparison());
  }
  return 0;
}

}  // namespace

int run_replay(const Arguments& arguments) {
  OptionParser options = replay_options();
  if (const std::optional<int> status = options.parse(arguments)) {
    return *status;
  }
  Diagnostics diagnostics;
  const ReplayCommand command = read_replay_command(options, diagnostics);
  Bench bench;
  if (!diagnostics.ok() || !make_device(command, bench, diagnostics)) {
    std::fputs(diagnostics.text(consequence).c_str(), stderr);
    return 2;
  }
  try {
    return replay_trace(command, bench);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s: error: %s\n", command.trace.c_str(), error.what());
    return 2;
  }
}

}  // namespace seekahead::cli
