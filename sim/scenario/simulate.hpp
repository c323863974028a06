// Runs one checked scenario.
#pragma once

#include <cstddef>
#include <exception>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "sim/observe/probe_set.hpp"
#include "sim/observe/recording.hpp"
#include "sim/scenario/scenario.hpp"

namespace seekahead {

// The run itself failed: deadlock, an unfinished request, an exception of a plug-in, a crash.
class SimulationError : public std::runtime_error {
 public:
  explicit SimulationError(const std::string& message, std::optional<TimeNs> at_ns = {},
                           std::exception_ptr thrown = nullptr)
      : std::runtime_error(message), simulated_ns(at_ns), cause(std::move(thrown)) {}

  std::optional<TimeNs> simulated_ns;  // when it happened, if that is known
  std::exception_ptr cause;            // what a model or the machine threw; null: nothing was thrown
};

struct RunOptions {
  std::vector<TraceRequest> traces;
  Recorder* recorder = nullptr;  // is told everything; null: nobody
  std::int64_t stack_kib = 256;  // of each simulated process
};

// Runs the scenario in this process, which must be a child made for it: no SimGrid engine has existed here,
// and none can exist afterwards. SIGINT stops the run early; the result then says `interrupted`.
// Throws SimulationError when the run fails; its `cause` is what was thrown inside.
nlohmann::ordered_json run_here(const Scenario& scenario, const RunOptions& options);

// Forks a child, runs the scenario there and returns its result (docs/results.md gives the keys; key order is
// fixed). Throws SimulationError. REQUIRES: no SimGrid engine exists in this process.
nlohmann::ordered_json simulate(const Scenario& scenario, const std::vector<TraceRequest>& traces = {});

// What one of several simulations gave: a result, or why there is none.
struct Outcome {
  nlohmann::ordered_json result;
  std::string error;
  std::optional<TimeNs> failed_ns;  // the simulated time of the error, if that is known
};

// Runs `count` scenarios, up to `jobs` at once, each in its own child process; `done` is called here, in the
// parent, as they end, in any order. After an interrupt nothing new is started.
void simulate_all(std::size_t count, std::size_t jobs,
                  const std::function<Scenario(std::size_t)>& scenario_of,
                  const std::function<void(std::size_t, Outcome)>& done);

// The last simulate() or simulate_all() was interrupted (SIGINT).
bool interrupted();

}  // namespace seekahead
