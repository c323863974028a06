// seekahead run: one scenario, one run, a report.
#include <chrono>
#include <cstdio>
#include <limits>
#include <nlohmann/json.hpp>

#include "cli/report.hpp"
#include "cli/scenario_input.hpp"
#include "cli/verb_options.hpp"

namespace seekahead::cli {

namespace {

namespace po = boost::program_options;

std::string format_names() {
  std::string names;
  for (const TraceFormat& format : trace_formats()) {
    names += std::string(names.empty() ? "" : ", ") + std::string(format.name);
  }
  return names;
}

// Splits FORMAT:FILE; false after a message.
bool read_traces(const VerbOptions& options, std::vector<TraceRequest>& traces) {
  for (const std::string& text : options.texts("trace")) {
    const std::size_t colon = text.find(':');
    TraceRequest trace{text.substr(0, colon), colon == std::string::npos ? "" : text.substr(colon + 1)};
    bool known = false;
    for (const TraceFormat& format : trace_formats()) {
      known = known || format.name == trace.format;
    }
    if (!known || trace.file.empty()) {
      options.usage_error("--trace takes FORMAT:FILE with a format of " + format_names() + ", not " + in_quotes(text));
      return false;
    }
    traces.push_back(std::move(trace));
  }
  return true;
}

}  // namespace

int run_run(const Arguments& arguments) {
  VerbOptions options("run SCENARIO|- [OPTION]...",
                      "Simulates one scenario (a TOML file, or - for standard input) and prints a report.\n"
                      "A scenario with a [sweep] is run at one point: fix its keys with --set, or use sweep.");
  options.add()("set", po::value<std::vector<std::string>>(), "KEY=VALUE: change any key of the scenario, as in block.elevator=noop")(
      "seed", po::value<std::string>(), "use this seed instead of the scenario's")("json", "print the result as JSON")(
      "trace", po::value<std::vector<std::string>>(), ("FORMAT:FILE, FORMAT one of " + format_names()).c_str())(
      "plugin", po::value<std::vector<std::string>>(), "FILE.so: a shared library with more models")(
      "timing", "add the wall time to the result");
  if (const std::optional<int> over = options.parse(arguments, 1, 1)) {
    return *over;
  }
  std::vector<std::string> sets = options.texts("set");
  const std::int64_t seed = options.whole_number("seed", -1, 0, std::numeric_limits<std::int64_t>::max());
  if (seed >= 0) {
    sets.push_back("scenario.seed=" + std::to_string(seed));
  }
  std::vector<TraceRequest> traces;
  if (options.failed() || !read_traces(options, traces)) {
    return 2;
  }
  Registry registry;
  if (!fill_registry(registry, options)) {
    return 2;
  }
  const ScenarioInput input(options.positional()[0], sets, registry);
  if (!input.ok()) {
    return 2;
  }
  if (input.points() > 1) {
    return options.usage_error("the scenario has a sweep of " + std::to_string(input.points()) +
                               " points: use seekahead sweep, or fix its keys with --set");
  }
  try {
    const auto start = std::chrono::steady_clock::now();
    nlohmann::ordered_json result = simulate(input.point(0), traces);
    if (options.has("timing")) {
      result["wall_s"] = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    }
    std::fputs(options.has("json") ? (result.dump(2) + "\n").c_str() : report(result).c_str(), stdout);
    return result.contains("interrupted") ? 130 : 0;
  } catch (const SimulationError& problem) {
    std::fprintf(stderr, "seekahead run: %s: %s\n", options.positional()[0].c_str(), problem.what());
    return 1;
  }
}

}  // namespace seekahead::cli
