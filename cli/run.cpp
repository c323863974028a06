// seekahead run: one scenario, one run, a report.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "cli/report.hpp"
#include "cli/scenario_input.hpp"
#include "cli/scenario_options.hpp"
#include "sim/text/output_file.hpp"

namespace seekahead::cli {

namespace {

std::string format_names() {
  std::string names;
  for (const TraceFormat& format : trace_formats()) {
    names += std::string(names.empty() ? "" : ", ") + std::string(format.name);
  }
  return names;
}

// Splits FORMAT:FILE; false after a message.
bool read_traces(const OptionParser& options, std::vector<TraceRequest>& traces) {
  for (const std::string& text : options.texts("trace")) {
    const std::size_t colon = text.find(':');
    TraceRequest trace{text.substr(0, colon), colon == std::string::npos ? "" : text.substr(colon + 1)};
    bool known = false;
    for (const TraceFormat& format : trace_formats()) {
      known = known || format.name == trace.format;
    }
    if (!known || trace.file.empty()) {
      options.mistake("--trace takes FORMAT:FILE with a format of " + format_names() + ", not " +
                      in_quotes(text));
      return false;
    }
    std::error_code problem;
    const bool is_input = std::filesystem::equivalent(trace.file, options.arguments()[0], problem);
    const bool is_twice = std::any_of(traces.begin(), traces.end(),
                                      [&](const TraceRequest& other) { return other.file == trace.file; });
    if (is_input || is_twice) {
      options.mistake("--trace " + in_quotes(text) +
                      (is_input ? " would replace the scenario" : " names a file twice"));
      return false;
    }
    try {
      OutputFile::check(trace.file);
    } catch (const std::exception& error) {
      options.mistake(error.what());
      return false;
    }
    traces.push_back(std::move(trace));
  }
  return true;
}

}  // namespace

int run_run(const Arguments& arguments) {
  OptionParser options(
      "run", "SCENARIO|- [OPTION]...",
      "Simulates one scenario (a TOML file, or - for standard input) and prints a report.\n"
      "Of a scenario with a [sweep] the first point is run: fix keys with --set for another, or use sweep.");
  add_scenario_options(options);
  options.flag("json", "print the result as JSON");
  options.list("trace", "FORMAT:FILE", "write what happens; formats: " + format_names());
  options.list("plugin", "FILE.so", "a shared library with more models");
  options.flag("timing", "add the wall time to the JSON result");
  options.positional(1, 1, "SCENARIO");
  options.example("seekahead run scenarios/larsson-2001/diff.toml --json");
  if (const std::optional<int> status = options.parse(arguments)) {
    return *status;
  }
  std::vector<TraceRequest> traces;
  Registry registry;
  if (!read_traces(options, traces) || !fill_registry(registry, options)) {
    return 2;
  }
  const std::string& path = options.arguments()[0];
  const ScenarioInput input(path, options, registry);
  if (!input.ok()) {
    return 2;
  }
  if (input.plan().points() > 1) {
    std::fprintf(stderr, "seekahead run: the scenario has a sweep of %zu points; this is the first: %s\n",
                 input.plan().points(), input.plan().scenario().point.label().c_str());
  }
  try {
    const auto start = std::chrono::steady_clock::now();
    nlohmann::ordered_json result = simulate(input.plan().point(0), traces);
    if (options.has("timing")) {
      result["wall_s"] = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    }
    std::fputs(options.has("json") ? (result.dump(2) + "\n").c_str() : report(result).c_str(), stdout);
    return result.contains("interrupted") ? 130 : 0;
  } catch (const SimulationError& problem) {
    std::string when;
    if (const std::optional<TimeNs> at = problem.simulated_ns) {
      char text[48];
      std::snprintf(text, sizeof text, "after %.9g simulated seconds: ", static_cast<double>(*at) / 1e9);
      when = text;
    }
    std::fprintf(stderr, "seekahead run: %s: %s%s\n", path.c_str(), when.c_str(), problem.what());
    return 1;
  }
}

}  // namespace seekahead::cli
