#include "sim/scenario/evaluate.hpp"

#include <algorithm>
#include <cmath>

#include "sim/file/page_cache_view.hpp"
#include "sim/scenario/sweep_axes.hpp"

namespace seekahead {

namespace {

using Json = nlohmann::ordered_json;

bool is_window_class(const std::string& name) {
  for (int i = 0; i < static_cast<int>(WindowClass::count_); ++i) {
    if (window_class_name(static_cast<WindowClass>(i)) == name) {
      return true;
    }
  }
  return false;
}

// `names` are arrays of objects with a name; a name may hold a dot.
const Json* named(const Json& array, std::string& rest) {
  for (const Json& item : array) {
    const std::string name = item.at("name").get<std::string>() + ".";
    if (rest.starts_with(name)) {
      rest.erase(0, name.size());
      return &item;
    }
  }
  return nullptr;
}

const Json* start_of(const Json& result, std::string& rest) {
  static const std::pair<const char*, const char*> arrays[] = {
      {"process.", "processes"}, {"process.", "process_groups"}, {"device.", "devices"}, {"file.", "files"}};
  for (const auto& [prefix, key] : arrays) {
    if (rest.starts_with(prefix) && result.contains(key)) {
      std::string after = rest.substr(std::string(prefix).size());
      if (const Json* item = named(result.at(key), after)) {
        rest = after;
        return item;
      }
    }
  }
  return &result;
}

bool selected(const SweepPoint& point, const Expectation& expectation, const Measure& measure) {
  return matches(point, expectation.where) && matches(point, measure.where);
}

class Evaluator {
 public:
  Evaluator(const Scenario& scenario, const std::vector<Outcome>& outcomes)
      : points_(scenario.sweep.empty() ? std::vector<SweepPoint>{scenario.point} : scenario.sweep),
        outcomes_(outcomes) {}

  std::vector<Verdict> verdicts(const Expectation& expectation) {
    base_ = Verdict{};
    base_.name = expectation.name;
    base_.tolerance_percent = expectation.tolerance_percent;
    base_.unmet = expectation.unmet;
    base_.source = expectation.source;
    if (expectation.claim == Claim::order) {
      return {order(expectation)};
    }
    if (expectation.claim == Claim::list) {
      return {list(expectation)};
    }
    if (expectation.function == "ratio") {
      return {ratio(expectation)};
    }
    if (!expectation.function.empty()) {
      return {summary(expectation)};
    }
    return each_point(expectation);
  }

 private:
  struct Value {
    std::size_t point;
    double value;
  };

  // The values of one measure at the points it selects. Sets base_.problem when some are missing.
  std::vector<Value> values(const Expectation& expectation, const Measure& measure) {
    std::vector<Value> found;
    for (std::size_t i = 0; i < points_.size(); ++i) {
      if (!selected(points_[i], expectation, measure)) {
        continue;
      }
      if (!outcomes_[i].error.empty()) {
        base_.problem = outcomes_[i].error;
        continue;
      }
      const std::optional<double> value = result_at(outcomes_[i].result, measure.path);
      if (value) {
        found.push_back({i, *value});
      } else {
        base_.problem = "the result has no number at " + measure.path;
      }
    }
    if (found.empty() && base_.problem.empty()) {
      base_.problem = "no point of the sweep is selected";
    }
    return found;
  }

  Verdict compare(const Expectation& expectation, double simulated) const {
    Verdict verdict = base_;
    verdict.published = expectation.value;
    verdict.simulated = simulated;
    if (expectation.value != 0) {
      verdict.deviation_percent = (simulated - expectation.value) / std::abs(expectation.value) * 100;
    }
    const double slack = std::abs(expectation.value) * expectation.tolerance_percent / 100;
    verdict.ok = expectation.claim == Claim::at_least  ? simulated >= expectation.value - slack
                 : expectation.claim == Claim::at_most ? simulated <= expectation.value + slack
                                                       : std::abs(simulated - expectation.value) <= slack;
    return verdict;
  }

  Verdict failed(const Expectation& expectation) const {
    Verdict verdict = base_;
    if (expectation.claim == Claim::list || expectation.claim == Claim::order) {
      verdict.published = expectation.numbers;
    } else {
      verdict.published = expectation.value;
    }
    return verdict;
  }

  std::vector<Verdict> each_point(const Expectation& expectation) {
    const std::vector<Value> all = values(expectation, expectation.measures[0]);
    if (!base_.problem.empty()) {
      return {failed(expectation)};
    }
    std::vector<Verdict> verdicts;
    for (const Value& value : all) {
      verdicts.push_back(compare(expectation, value.value));
      if (all.size() > 1) {
        verdicts.back().name += " {" + points_[value.point].label() + "}";
      }
    }
    return verdicts;
  }

  Verdict summary(const Expectation& expectation) {
    const std::vector<Value> all = values(expectation, expectation.measures[0]);
    if (!base_.problem.empty()) {
      return failed(expectation);
    }
    double sum = 0;
    double low = all.front().value;
    double high = low;
    for (const Value& value : all) {
      sum += value.value;
      low = std::min(low, value.value);
      high = std::max(high, value.value);
    }
    const double mean = sum / static_cast<double>(all.size());
    Verdict verdict = compare(expectation, expectation.function == "min"   ? low
                                           : expectation.function == "max" ? high
                                                                           : mean);
    if (all.size() > 1) {
      verdict.spread = {low, high};
    }
    return verdict;
  }

  // ratio(A, B): mean of A over the points it selects, through that of B.
  Verdict ratio(const Expectation& expectation) {
    double parts[2] = {0, 0};
    for (int side = 0; side < 2; ++side) {
      const std::vector<Value> all =
          values(expectation, expectation.measures[static_cast<std::size_t>(side)]);
      for (const Value& value : all) {
        parts[side] += value.value / static_cast<double>(all.size());
      }
    }
    if (base_.problem.empty() && parts[1] == 0) {
      base_.problem = "the divisor is 0";
    }
    return base_.problem.empty() ? compare(expectation, parts[0] / parts[1]) : failed(expectation);
  }

  Verdict list(const Expectation& expectation) {
    const std::vector<Value> all = values(expectation, expectation.measures[0]);
    Verdict verdict = failed(expectation);
    verdict.simulated = Json::array();
    bool good = base_.problem.empty() && all.size() == expectation.numbers.size();
    double worst = 0;
    for (std::size_t i = 0; i < all.size(); ++i) {
      verdict.simulated.push_back(all[i].value);
      if (i < expectation.numbers.size()) {
        const double published = expectation.numbers[i];
        const double off = all[i].value - published;
        good = good && std::abs(off) <= std::abs(published) * expectation.tolerance_percent / 100;
        worst = published != 0 && std::abs(off / published) > std::abs(worst) ? off / published : worst;
      }
    }
    verdict.deviation_percent = worst * 100;
    verdict.ok = good;
    return verdict;
  }

  // The values at the points that hold these items, in the order given, must rise.
  Verdict order(const Expectation& expectation) {
    const std::vector<Value> all = values(expectation, expectation.measures[0]);
    Verdict verdict = failed(expectation);
    verdict.published = Json::array();
    verdict.simulated = Json::array();
    bool rising = base_.problem.empty();
    double last = -HUGE_VAL;
    for (const Node& item : expectation.order) {
      verdict.published.push_back(value_text(item));
      const auto holder = std::find_if(all.begin(), all.end(), [&](const Value& value) {
        const auto& coordinates = points_[value.point].values;
        return std::any_of(coordinates.begin(), coordinates.end(),
                           [&](const SweepValue& c) { return same_value(c.value, item); });
      });
      if (holder == all.end()) {
        verdict.problem = "no point of the sweep has the value " + value_text(item);
        return verdict;
      }
      verdict.simulated.push_back(holder->value);
      rising = rising && holder->value > last;
      last = holder->value;
    }
    verdict.ok = rising;
    return verdict;
  }

  std::vector<SweepPoint> points_;
  const std::vector<Outcome>& outcomes_;
  Verdict base_;
};

}  // namespace

std::optional<double> result_at(const nlohmann::ordered_json& result, const std::string& path) {
  std::string rest = path;
  const Json* at = start_of(result, rest);
  const bool in_classes = path.starts_with("readahead.classes.") || path.starts_with("readahead.events.");
  while (!rest.empty()) {
    const std::size_t dot = rest.find('.');
    const std::string key = rest.substr(0, dot);
    rest = dot == std::string::npos ? "" : rest.substr(dot + 1);
    if (!at->is_object() || !at->contains(key)) {
      // A class that made no window is not listed.
      return in_classes && is_window_class(key) ? std::optional(0.0) : std::nullopt;
    }
    at = &at->at(key);
  }
  return at->is_number() ? std::optional(at->get<double>()) : std::nullopt;
}

std::string Verdict::word() const {
  if (!problem.empty()) {
    return "MISSED";  // there was nothing to compare: no mark excuses that
  }
  if (ok) {
    return unmet.empty() ? "ok" : "ok, but marked unmet";
  }
  return unmet.empty() ? "MISSED" : "unmet";
}

std::vector<Verdict> evaluate(const Scenario& scenario, const std::vector<Outcome>& outcomes) {
  Evaluator evaluator(scenario, outcomes);
  std::vector<Verdict> all;
  for (const Expectation& expectation : scenario.expectations) {
    for (Verdict& verdict : evaluator.verdicts(expectation)) {
      all.push_back(std::move(verdict));
    }
  }
  return all;
}

}  // namespace seekahead
