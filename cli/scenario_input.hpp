// What run, sweep and verify share: a scenario file and the options that change it, read into something that can be run
// point by point.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/verb_options.hpp"
#include "sim/scenario/load.hpp"
#include "sim/scenario/simulate.hpp"

namespace seekahead::cli {

class ScenarioInput {
 public:
  // Problems are printed on stderr; then ok() is false. `sets` are KEY=VALUE texts; `registry` must outlive this.
  ScenarioInput(const std::string& path, const std::vector<std::string>& sets, const Registry& registry);

  bool ok() const { return scenario_.has_value(); }
  const Scenario& scenario() const { return *scenario_; }

  // Points of the sweep; 1 without one.
  std::size_t points() const;
  Scenario point(std::size_t index) const;

  // Runs all points, up to `jobs` at once; `done` hears of each as it ends. Points not run after an interrupt have an
  // error that says so.
  std::vector<Outcome> run_all(std::size_t jobs, const std::function<void(std::size_t, const Outcome&)>& done) const;

 private:
  const Registry& registry_;
  std::optional<Document> document_;
  std::vector<Override> overrides_;
  std::optional<Scenario> scenario_;
};

// Fills a registry with the built-in models and those of --plugin; false after a message.
bool fill_registry(Registry& registry, const VerbOptions& options);

// Worth of -j: the processors of this machine when it was not given.
std::size_t jobs_of(VerbOptions& options);

}  // namespace seekahead::cli
