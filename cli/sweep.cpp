// seekahead sweep: every point of a scenario's sweep, as a table.
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "cli/progress.hpp"
#include "cli/scenario_input.hpp"
#include "cli/scenario_options.hpp"
#include "cli/sweep_table.hpp"
#include "sim/text/output_file.hpp"

namespace seekahead::cli {

namespace {

using Json = nlohmann::ordered_json;

// Results of points that are done, kept beside the output file so that a killed sweep can go on: one JSON
// line a point, headed by what the point is. A half-written last line is skipped.
class Journal {
 public:
  explicit Journal(std::string path) : path_(std::move(path)) {}

  void read() {
    std::ifstream file(path_);
    for (std::string line; std::getline(file, line);) {
      const Json entry = Json::parse(line, nullptr, false);
      if (entry.is_object() && entry.contains("point") && entry["point"].is_string() && is_result(entry)) {
        done_[entry["point"].get<std::string>()] = entry["result"];
      }
    }
  }
  // What a damaged line holds is run again.
  static bool is_result(const Json& entry) {
    return entry.contains("result") && entry["result"].is_object() && entry["result"].contains("total") &&
           entry["result"].contains("devices") && entry["result"]["devices"].is_array();
  }
  const Json* find(const std::string& point) const {
    const auto found = done_.find(point);
    return found == done_.end() ? nullptr : &found->second;
  }
  // Begins a line of its own: the last one may be half-written. After a failure nothing more is written.
  void append(const std::string& point, const Json& result) {
    if (!failure_.empty()) {
      return;
    }
    std::ofstream file(path_, std::ios::app);
    file << "\n" << Json({{"point", point}, {"result", result}}).dump() << "\n" << std::flush;
    if (!file) {
      failure_ = path_ + " cannot be written: " + std::strerror(errno);
    }
  }
  // Why a point could not be kept; empty: all were.
  const std::string& failure() const { return failure_; }
  void remove() const { std::remove(path_.c_str()); }

 private:
  std::string path_;
  std::string failure_;
  std::map<std::string, Json> done_;
};

}  // namespace

int run_sweep(const Arguments& arguments) {
  OptionParser options(
      "sweep", "SCENARIO|- [OPTION]...",
      "Runs every point of the scenario's [sweep]. --set KEY=V1,V2,... adds an axis or replaces one.");
  add_scenario_options(options);
  add_run_options(options);
  options.value("output,o", "FILE", "FILE.csv or FILE.json; without it a table on stdout");
  options.flag("resume",
               "go on with a sweep into the same file that was cut off: finished points are not run again");
  options.positional(1, 1, "SCENARIO");
  options.example(
      "seekahead sweep scenarios/larsson-2001/diff.toml --set readahead.max_readahead=31,127,511");
  if (const std::optional<int> status = options.parse(arguments)) {
    return *status;
  }
  const std::string output = options.has("output") ? options.text("output") : "";
  if (!output.empty() && !output.ends_with(".csv") && !output.ends_with(".json")) {
    return options.mistake("--output must end in .csv or .json");
  }
  if (options.has("resume") && output.empty()) {
    return options.mistake("--resume needs --output: what is finished is kept beside that file");
  }
  if (!output.empty()) {
    try {
      OutputFile::check(output);
    } catch (const std::exception& problem) {
      return options.mistake(problem.what());
    }
  }
  Registry registry;
  if (!fill_registry(registry, options)) {
    return 2;
  }
  const std::string& path = options.arguments()[0];
  const ScenarioInput input(path, options, registry, ScenarioInput::Sets::with_axes);
  if (!input.ok()) {
    return 2;
  }
  Journal journal(output + ".points");
  if (options.has("resume")) {
    journal.read();
  } else if (!output.empty()) {
    journal.remove();
  }
  std::vector<Outcome> outcomes(input.plan().points());
  std::vector<std::size_t> to_do;
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    if (const Json* known = output.empty() ? nullptr : journal.find(input.plan().identity(i))) {
      outcomes[i].result = *known;
    } else {
      outcomes[i].error = "not run: interrupted";
      to_do.push_back(i);
    }
  }
  Progress progress(path, to_do.size());
  simulate_all(
      to_do.size(), jobs_of(options), [&](std::size_t k) { return input.plan().point(to_do[k]); },
      [&](std::size_t k, Outcome outcome) {
        const std::size_t index = to_do[k];
        if (!output.empty() && outcome.error.empty() && !outcome.result.contains("interrupted")) {
          journal.append(input.plan().identity(index), outcome.result);
        }
        outcomes[index] = std::move(outcome);
        progress.step();
      });
  progress.clear();
  const SweepTable table(input.plan().scenario(), outcomes);
  if (output.empty()) {
    std::fputs(table.text().c_str(), stdout);
  } else if (!interrupted()) {
    try {
      OutputFile file(output);
      file.write(output.ends_with(".csv") ? table.csv() : table.json());
      file.finish();
      journal.remove();
    } catch (const std::exception& problem) {
      std::fprintf(stderr, "seekahead sweep: %s\n", problem.what());
      return 1;
    }
  }
  if (!journal.failure().empty()) {
    std::fprintf(stderr, "seekahead sweep: %s\n", journal.failure().c_str());
    return 1;
  }
  if (interrupted()) {
    return 130;
  }
  return table.failures() > 0 ? 1 : 0;
}

}  // namespace seekahead::cli
