#include "cli/scenario_input.hpp"

#include <cstdio>
#include <stdexcept>
#include <thread>

#include "models/builtin.hpp"
#include "sim/scenario/plugin.hpp"

namespace seekahead::cli {

ScenarioInput::ScenarioInput(const std::string& path, const std::vector<std::string>& sets, const Registry& registry)
    : registry_(registry) {
  Diagnostics diagnostics;
  for (const std::string& set : sets) {
    if (std::optional<Override> parsed = parse_override(set, diagnostics)) {
      overrides_.push_back(std::move(*parsed));
    }
  }
  document_ = read_document(path, diagnostics);
  if (document_) {
    scenario_ = load_scenario(*document_, overrides_, registry_, diagnostics);
  }
  if (!diagnostics.ok()) {
    std::fputs(diagnostics.text().c_str(), stderr);
    scenario_.reset();
  }
}

std::size_t ScenarioInput::points() const { return scenario_->sweep.empty() ? 1 : scenario_->sweep.size(); }

Scenario ScenarioInput::point(std::size_t index) const {
  Diagnostics diagnostics;
  const SweepPoint whole;
  std::optional<Scenario> loaded = load_point(
      *document_, overrides_, scenario_->sweep.empty() ? whole : scenario_->sweep[index], registry_, diagnostics);
  if (!loaded || !diagnostics.ok()) {
    throw std::logic_error("a point that was checked does not load:\n" + diagnostics.text());
  }
  return std::move(*loaded);
}

std::vector<Outcome> ScenarioInput::run_all(
    std::size_t jobs, const std::function<void(std::size_t, const Outcome&)>& done) const {
  std::vector<Outcome> outcomes(points());
  for (Outcome& outcome : outcomes) {
    outcome.error = "not run: interrupted";
  }
  simulate_all(
      points(), jobs, [this](std::size_t index) { return point(index); },
      [&](std::size_t index, Outcome outcome) {
        outcomes[index] = std::move(outcome);
        done(index, outcomes[index]);
      });
  return outcomes;
}

bool fill_registry(Registry& registry, const VerbOptions& options) {
  register_builtin_models(registry);
  try {
    load_plugins(registry, options.texts("plugin"));
  } catch (const PluginError& problem) {
    std::fprintf(stderr, "%s\n", problem.what());
    return false;
  }
  return true;
}

std::size_t jobs_of(VerbOptions& options) {
  const auto processors = static_cast<std::int64_t>(std::max(std::thread::hardware_concurrency(), 1U));
  return static_cast<std::size_t>(options.whole_number("jobs", processors, 1, 1024));
}

}  // namespace seekahead::cli
