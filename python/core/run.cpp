// One simulation in the present process, which must be a child made for it: SimGrid's engine exists once.
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <utility>

#include "python/core/bindings.hpp"
#include "sim/scenario/load.hpp"
#include "sim/scenario/simulate.hpp"

namespace seekahead::python {

namespace {

// The coordinates that a point has in its sweep; they only label the result.
SweepPoint point_of(const std::vector<std::pair<std::string, std::string>>& values) {
  SweepPoint point;
  Diagnostics diagnostics;
  for (const auto& [key, value] : values) {
    if (const std::optional<Override> parsed = parse_override("x=" + value, diagnostics)) {
      point.values.push_back({key, parsed->value});
    }
  }
  return point;
}

// Runs a scenario that make_plan() found good. Returns the JSON text of `run --json`.
std::string run_here(const Models& models, const std::string& effective,
                     const std::vector<std::pair<std::string, std::string>>& values) {
  const py::gil_scoped_release others_may_run;
  Diagnostics diagnostics;
  const Document document = parse_document(effective, "effective configuration", diagnostics);
  std::optional<Scenario> scenario = load_scenario(document, {}, models.registry, diagnostics);
  if (!scenario || !diagnostics.ok()) {
    throw std::logic_error("the effective configuration does not load:\n" + diagnostics.text());
  }
  scenario->point = point_of(values);
  return simulate(*scenario).dump(2) + "\n";
}

}  // namespace

void bind_run(py::module_& module) {
  module.def("run_here", &run_here, py::arg("models"), py::arg("effective"), py::arg("values"),
             "Runs an effective configuration in this process. Returns the JSON text of the result.");
}

}  // namespace seekahead::python
