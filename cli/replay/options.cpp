#include "cli/replay/options.hpp"

#include <algorithm>

#include "sim/scenario/quantities.hpp"

namespace seekahead::cli {

namespace {

constexpr std::int64_t most_outstanding = 1'000'000;

std::optional<std::string> choice_of(const OptionParser& options, const std::string& name,
                                     const std::vector<std::string>& choices, Diagnostics& diagnostics) {
  if (!options.has(name)) {
    return std::nullopt;
  }
  std::string text = options.text(name);
  if (std::find(choices.begin(), choices.end(), text) != choices.end()) {
    return text;
  }
  diagnostics.error({}, "--" + name + " " + in_quotes(text) + " is unknown", suggestion(text, choices));
  return std::nullopt;
}

std::optional<TimeNs> time_of(const OptionParser& options, const std::string& name,
                              Diagnostics& diagnostics) {
  if (!options.has(name)) {
    return std::nullopt;
  }
  const Quantity<std::int64_t> time = parse_quantity(Dimension::time, options.text(name));
  if (!time.value || *time.value < 0) {
    diagnostics.error({}, "--" + name + " " + in_quotes(options.text(name)) + ": " +
                              (time.value ? "must not be negative" : time.problem));
  }
  return time.value;
}

}  // namespace

OptionParser replay_options() {
  OptionParser options(
      "replay", "--drive ID|FILE [OPTION]... TRACE.csv[.gz]|-",
      "Runs the requests of a trace against one drive and prints the rows with our arrival_ms and\n"
      "response_ms. Columns are found by name: lbn, blocks, is_read; arrival_ms (open), or\n"
      "gap_to_next_arrival_ms (closed, think time after each completion).");
  options.value("drive", "ID|FILE", "drive of the catalogue, or a drive file");
  options.list("set", "KEY=VALUE", "another value of a parameter of the drive");
  options.number("closed", "N", 1, most_outstanding, "keep N requests outstanding; arrival_ms is ignored");
  options.value("think", "TIME",
                "from a completion to the next arrival, instead of the trace's gaps; closed");
  options.value("scheduler", "NAME", "order of waiting requests: fcfs, clook, sstf; in the drive also sptf");
  options.value("queue", "WHERE", "where requests wait: host (default) or drive");
  options.number("depth", "N", 1, most_outstanding,
                 "requests in the drive at once; default 1, with --queue drive the drive's own depth");
  options.flag("compare", "print one JSON object that compares with response_ms or measured_ms");
  options.positional(1, 1, "one trace, TRACE.csv[.gz], or - for standard input");
  options.example("seekahead replay --drive atlas10k --closed 1 --think \"5 ms\" --compare trace.csv.gz");
  options.example(
      "seekahead replay --drive cheetah9lp --closed 8 --queue drive --depth 8 --scheduler sptf trace.csv");
  return options;
}

ReplayCommand read_replay_command(const OptionParser& options, Diagnostics& diagnostics) {
  ReplayCommand command;
  command.trace = options.arguments().front();
  if (options.has("drive")) {
    command.drive = options.text("drive");
  } else {
    diagnostics.error({}, "--drive ID or --drive FILE is needed", "`seekahead drives` lists the ids");
  }
  command.sets = options.texts("set");
  command.compare = options.has("compare");
  if (options.has("closed")) {
    command.closed = options.integer("closed");
  }
  if (options.has("depth")) {
    command.depth = options.integer("depth");
  }
  command.think_ns = time_of(options, "think", diagnostics);
  command.scheduler = choice_of(options, "scheduler", {"fcfs", "clook", "sstf", "sptf"}, diagnostics);
  command.queue_in_drive = choice_of(options, "queue", {"host", "drive"}, diagnostics) == "drive";
  if (command.scheduler == "sptf" && !command.queue_in_drive) {
    diagnostics.error({}, "--scheduler sptf: only a drive knows where its head and platter are",
                      "add --queue drive");
  }
  return command;
}

}  // namespace seekahead::cli
