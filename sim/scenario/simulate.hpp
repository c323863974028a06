// Runs one checked scenario.
#pragma once

#include <nlohmann/json_fwd.hpp>
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

}  // namespace seekahead
