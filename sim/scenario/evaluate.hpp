// Compares what runs gave with what the [[expect]] tables of a scenario say.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "sim/scenario/scenario.hpp"
#include "sim/scenario/simulate.hpp"

namespace seekahead {

// The number at a path like "process.diff.throughput_mb_s" of a result; nothing if there is none.
std::optional<double> result_at(const nlohmann::ordered_json& result, const std::string& path);

struct Verdict {
  std::string name;
  nlohmann::ordered_json published;  // number or list
  nlohmann::ordered_json simulated;  // number, list, or null if there is nothing to compare
  std::optional<double> deviation_percent;
  double tolerance_percent = 0;
  bool ok = false;
  std::string unmet;  // the reason given in the scenario
  std::string source;
  std::string problem;                              // why nothing could be compared
  std::optional<std::pair<double, double>> spread;  // smallest and largest of the points of a mean

  // "ok", "MISSED", "unmet", or "ok, but marked unmet": the mark must go.
  std::string word() const;
};

// One result for each point of the scenario's sweep, in its order; a single one without a sweep.
std::vector<Verdict> evaluate(const Scenario& scenario, const std::vector<Outcome>& outcomes);

}  // namespace seekahead
