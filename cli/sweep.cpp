// seekahead sweep: every point of a scenario's sweep, as a table.
#include <sys/stat.h>

#include <cstdio>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "cli/progress.hpp"
#include "cli/scenario_input.hpp"
#include "cli/sweep_table.hpp"
#include "cli/verb_options.hpp"
#include "sim/text/output_file.hpp"

namespace seekahead::cli {

namespace {

namespace po = boost::program_options;
using Json = nlohmann::ordered_json;

bool ends_with(const std::string& text, const std::string& end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

// Results of points that are done, kept beside the output file so that a killed sweep can go on: one JSON line a point,
// headed by what the point is. A half-written last line is skipped.
class Journal {
 public:
  explicit Journal(std::string path) : path_(std::move(path)) {}

  void read() {
    std::ifstream file(path_);
    for (std::string line; std::getline(file, line);) {
      const Json entry = Json::parse(line, nullptr, false);
      if (entry.is_object() && entry.contains("point") && entry.contains("result")) {
        done_[entry["point"].get<std::string>()] = entry["result"];
      }
    }
  }
  const Json* find(const std::string& point) const {
    const auto found = done_.find(point);
    return found == done_.end() ? nullptr : &found->second;
  }
  void append(const std::string& point, const Json& result) {
    std::ofstream file(path_, std::ios::app);
    file << Json({{"point", point}, {"result", result}}).dump() << "\n" << std::flush;
  }
  void remove() const { std::remove(path_.c_str()); }

 private:
  std::string path_;
  std::map<std::string, Json> done_;
};

}  // namespace

int run_sweep(const Arguments& arguments) {
  VerbOptions options("sweep SCENARIO|- [OPTION]...",
                      "Runs every point of the scenario's [sweep]. --set KEY=V1,V2,... adds an axis or replaces one.");
  options.add()("set", po::value<std::vector<std::string>>(), "KEY=VALUE, or KEY=V1,V2,... for an axis of the sweep")(
      "jobs,j", po::value<std::string>(), "runs at once (default: one a processor)")(
      "output,o", po::value<std::string>(), "FILE.csv or FILE.json; without it a table on stdout")(
      "resume", "go on with a sweep into the same file that was cut off: finished points are not run again")(
      "plugin", po::value<std::vector<std::string>>(), "FILE.so: a shared library with more models");
  if (const std::optional<int> over = options.parse(arguments, 1, 1)) {
    return *over;
  }
  const std::size_t jobs = jobs_of(options);
  const std::string output = options.has("output") ? options.text("output") : "";
  if (!output.empty() && !ends_with(output, ".csv") && !ends_with(output, ".json")) {
    return options.usage_error("--output must end in .csv or .json");
  }
  if (options.has("resume") && output.empty()) {
    return options.usage_error("--resume needs --output: what is finished is kept beside that file");
  }
  Registry registry;
  if (options.failed() || !fill_registry(registry, options)) {
    return 2;
  }
  const ScenarioInput input(options.positional()[0], options.texts("set"), registry, ScenarioInput::lists_are_axes);
  if (!input.ok()) {
    return 2;
  }
  Journal journal(output + ".points");
  if (options.has("resume")) {
    journal.read();
  } else if (!output.empty()) {
    journal.remove();
  }
  std::vector<Outcome> outcomes(input.points());
  std::vector<std::size_t> to_do;
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    if (const Json* known = output.empty() ? nullptr : journal.find(input.identity(i))) {
      outcomes[i].result = *known;
    } else {
      outcomes[i].error = "not run: interrupted";
      to_do.push_back(i);
    }
  }
  Progress progress(options.positional()[0], to_do.size());
  simulate_all(
      to_do.size(), jobs, [&](std::size_t k) { return input.point(to_do[k]); },
      [&](std::size_t k, Outcome outcome) {
        const std::size_t index = to_do[k];
        if (!output.empty() && outcome.error.empty() && !outcome.result.contains("interrupted")) {
          journal.append(input.identity(index), outcome.result);
        }
        outcomes[index] = std::move(outcome);
        progress.step();
      });
  progress.clear();
  const SweepTable table(input.scenario(), outcomes);
  if (output.empty()) {
    std::fputs(table.text().c_str(), stdout);
  } else if (!interrupted()) {
    try {
      OutputFile file(output);
      file.write(ends_with(output, ".csv") ? table.csv() : table.json());
      file.finish();
      journal.remove();
    } catch (const std::exception& problem) {
      std::fprintf(stderr, "seekahead sweep: %s\n", problem.what());
      return 1;
    }
  }
  if (interrupted()) {
    return 130;
  }
  return table.failures() > 0 ? 1 : 0;
}

}  // namespace seekahead::cli
