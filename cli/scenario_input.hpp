// What run, sweep and verify share: a scenario file and the options that change it, read into something that
// can be run point by point.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/option_parser.hpp"
#include "sim/scenario/plan.hpp"
#include "sim/scenario/simulate.hpp"

namespace seekahead::cli {

class ScenarioInput {
 public:
  // What --set means: `with_axes`: KEY=V1,V2,... makes KEY an axis of the sweep (in place of one the scenario
  // has); otherwise the value is the whole text after the equals sign.
  enum class Sets { plain, with_axes };

  // Problems are printed on stderr; then ok() is false. `options` has those of add_scenario_options();
  // `registry` must outlive this.
  ScenarioInput(const std::string& path, const OptionParser& options, const Registry& registry,
                Sets kind = Sets::plain);

  bool ok() const { return plan_.has_value(); }
  const Plan& plan() const { return *plan_; }

  // Runs all points, up to `jobs` at once; `done` hears of each as it ends. Points not run after an interrupt
  // have an error that says so.
  std::vector<Outcome> run_all(std::size_t jobs,
                               const std::function<void(std::size_t, const Outcome&)>& done) const;

 private:
  std::optional<Plan> plan_;
};

// Fills a registry with the built-in models and those of --plugin; false after a message.
bool fill_registry(Registry& registry, const OptionParser& options);

// --plugin and -j, for verbs that run something.
void add_run_options(OptionParser& options);

// Runs at once: -j, or one a processor.
std::size_t jobs_of(const OptionParser& options);

}  // namespace seekahead::cli
