// Runs one checked scenario.
#pragma once

#include <cstddef>
#include <functional>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "sim/observe/probe_set.hpp"
#include "sim/scenario/scenario.hpp"

namespace seekahead {

// The run itself failed: deadlock, an unfinished request, an exception of a plug-in, a crash.
class SimulationError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Forks a child, runs the scenario there and returns its result (docs/results.md gives the keys; key order is
// fixed). Throws SimulationError or Interrupted. REQUIRES: no SimGrid engine exists in this process.
nlohmann::ordered_json simulate(const Scenario& scenario, const std::vector<TraceRequest>& traces = {});

// What one of several simulations gave: a result, or why there is none.
struct Outcome {
  nlohmann::ordered_json result;
  std::string error;
};

// Runs `count` scenarios, up to `jobs` at once, each in its own child process; `done` is called here, in the
// parent, as they end, in any order. After an interrupt nothing new is started.
void simulate_all(std::size_t count, std::size_t jobs,
                  const std::function<Scenario(std::size_t)>& scenario_of,
                  const std::function<void(std::size_t, Outcome)>& done);

// The last simulate() or simulate_all() was interrupted (SIGINT).
bool interrupted();

}  // namespace seekahead
