// seekahead verify: runs scenarios and holds their results against the published figures they quote.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "cli/progress.hpp"
#include "cli/scenario_input.hpp"
#include "cli/scenario_options.hpp"
#include "sim/scenario/evaluate.hpp"

namespace seekahead::cli {

namespace {

using Json = nlohmann::ordered_json;

// Files as they are; a folder stands for the .toml files below it, sorted, but for *.part.toml, which others
// include, and drives/, the catalogue. False after a message.
bool collect(const std::string& path, std::vector<std::string>& files) {
  namespace fs = std::filesystem;
  std::error_code problem;
  if (!fs::is_directory(path, problem)) {
    files.push_back(path);
    return true;
  }
  std::vector<std::string> found;
  for (fs::recursive_directory_iterator it(path, problem), end; !problem && it != end;
       it.increment(problem)) {
    const std::string name = it->path().filename().string();
    if (it->is_directory() && name == "drives") {
      it.disable_recursion_pending();
    }
    if (name.ends_with(".toml") && !name.ends_with(".part.toml") && it->is_regular_file()) {
      found.push_back(it->path().string());
    }
  }
  std::sort(found.begin(), found.end());
  files.insert(files.end(), found.begin(), found.end());
  if (found.empty()) {
    std::fprintf(stderr, "seekahead verify: no .toml file below %s\n", path.c_str());
  }
  return !found.empty();
}

std::string number_text(const Json& value) {
  if (value.is_number()) {
    char text[32];
    const double number = value.get<double>();
    std::snprintf(text, sizeof text, std::abs(number) >= 1000 ? "%.0f" : "%.4g", number);
    return text;
  }
  if (value.is_array()) {
    std::string text;
    for (const Json& item : value) {
      text += (text.empty() ? "" : ", ") + (item.is_string() ? item.get<std::string>() : number_text(item));
    }
    return text;
  }
  return "-";
}

void print_row(const Verdict& verdict) {
  char deviation[32] = "";
  if (verdict.deviation_percent) {
    std::snprintf(deviation, sizeof deviation, "%+.1f %%", *verdict.deviation_percent);
  }
  char tolerance[32];
  std::snprintf(tolerance, sizeof tolerance, "%.3g %%", verdict.tolerance_percent);
  const bool is_list = verdict.published.is_array();
  std::printf("  %-46s %10s %10s %9s %8s  %s\n", verdict.name.c_str(),
              is_list ? "" : number_text(verdict.published).c_str(),
              is_list ? "" : number_text(verdict.simulated).c_str(), deviation, tolerance,
              verdict.word().c_str());
  if (is_list) {
    std::printf("      published %s\n      simulated %s\n", number_text(verdict.published).c_str(),
                number_text(verdict.simulated).c_str());
  }
  if (verdict.spread) {
    std::printf("  %-46s from %.4g to %.4g\n", "", verdict.spread->first, verdict.spread->second);
  }
  if (!verdict.problem.empty()) {
    std::printf("      %s\n", verdict.problem.c_str());
  }
  if (!verdict.unmet.empty()) {
    std::printf("      unmet: %s\n", verdict.unmet.c_str());
  }
}

Json to_json(const std::string& scenario, const Verdict& verdict) {
  Json json = {{"scenario", scenario},
               {"name", verdict.name},
               {"published", verdict.published},
               {"simulated", verdict.simulated},
               {"deviation_percent", nullptr},
               {"tolerance_percent", verdict.tolerance_percent},
               {"ok", verdict.ok},
               {"verdict", verdict.word()},
               {"source", verdict.source}};
  if (verdict.deviation_percent) {
    json["deviation_percent"] = *verdict.deviation_percent;
  }
  if (verdict.spread) {
    json["smallest"] = verdict.spread->first;
    json["largest"] = verdict.spread->second;
  }
  if (!verdict.unmet.empty()) {
    json["unmet"] = verdict.unmet;
  }
  if (!verdict.problem.empty()) {
    json["problem"] = verdict.problem;
  }
  return json;
}

struct Tally {
  int met = 0;
  int missed = 0;
  int unmet = 0;
  int unmarked = 0;  // ok although marked unmet
  void count(const Verdict& verdict) {
    met += verdict.ok ? 1 : 0;
    unmarked += verdict.ok && !verdict.unmet.empty() ? 1 : 0;
    const bool excused = !verdict.unmet.empty() && verdict.problem.empty();
    missed += !verdict.ok && !excused ? 1 : 0;
    unmet += !verdict.ok && excused ? 1 : 0;
  }
};

}  // namespace

int run_verify(const Arguments& arguments) {
  OptionParser options(
      "verify", "PATH... [OPTION]...",
      "Runs scenarios (files, or folders of them) and compares the results with their [[expect]] tables.\n"
      "Exit status 1 if one is missed; those marked unmet count as missed without --allow-unmet.");
  add_scenario_options(options);
  add_run_options(options);
  options.flag("json", "print one list of verdicts as JSON");
  options.flag("allow-unmet", "expectations marked unmet do not fail");
  options.positional(1, 10'000, "PATH");
  options.example("seekahead verify scenarios/larsson-2001/");
  if (const std::optional<int> status = options.parse(arguments)) {
    return *status;
  }
  std::vector<std::string> files;
  for (const std::string& path : options.arguments()) {
    if (!collect(path, files)) {
      return 2;
    }
  }
  Registry registry;
  if (!fill_registry(registry, options)) {
    return 2;
  }
  Json list = Json::array();
  Tally tally;
  bool bad_input = false;
  for (const std::string& file : files) {
    const ScenarioInput input(file, options, registry);
    if (!input.ok()) {
      bad_input = true;
      continue;
    }
    if (input.plan().scenario().expectations.empty()) {
      if (!options.has("json")) {
        std::printf("%s: no expectations\n", file.c_str());
      }
      continue;
    }
    Progress progress(file, input.plan().points());
    const std::vector<Outcome> outcomes =
        input.run_all(jobs_of(options), [&](std::size_t, const Outcome&) { progress.step(); });
    progress.clear();
    if (interrupted()) {
      return 130;
    }
    if (!options.has("json")) {
      std::printf("%s: %s\n  %-46s %10s %10s %9s %8s\n", file.c_str(), input.plan().scenario().title.c_str(),
                  "", "published", "simulated", "", "within");
    }
    for (const Verdict& verdict : evaluate(input.plan().scenario(), outcomes)) {
      tally.count(verdict);
      if (options.has("json")) {
        list.push_back(to_json(file, verdict));
      } else {
        print_row(verdict);
      }
    }
  }
  if (options.has("json")) {
    std::printf("%s\n", list.dump(2).c_str());
  } else if (!bad_input || tally.met + tally.missed + tally.unmet > 0) {
    std::printf("%d met, %d missed, %d unmet\n", tally.met, tally.missed, tally.unmet);
  }
  if (tally.unmarked > 0) {
    std::fprintf(stderr, "seekahead verify: %d marked unmet came out right: the mark must go\n",
                 tally.unmarked);
  }
  if (bad_input) {
    return 2;
  }
  return tally.missed > 0 || tally.unmarked > 0 || (tally.unmet > 0 && !options.has("allow-unmet")) ? 1 : 0;
}

}  // namespace seekahead::cli
