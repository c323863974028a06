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

constexpr std::int64_t python_stack_kib = 2048;  // pages of a stack are the host's only once they are touched

// Runs a scenario that make_plan() found good. Returns the JSON text of `run --json`.
std::string run(const Models& models, const std::string& effective,
                const std::vector<std::pair<std::string, std::string>>& values,
                const std::vector<std::string>& tables, std::size_t table_limit, int data) {
  const py::gil_scoped_release others_may_run;
  Diagnostics diagnostics;
  const Document document = parse_document(effective, "effective configuration", diagnostics);
  std::optional<Scenario> scenario = load_scenario(document, {}, models.registry, diagnostics);
  if (!scenario || !diagnostics.ok()) {
    throw std::logic_error("the effective configuration does not load:\n" + diagnostics.text());
  }
  scenario->point = point_of(values);
  Recorder recorder(tables, table_limit);
  RunOptions options;
  options.recorder = tables.empty() ? nullptr : &recorder;
  options.stack_kib = models.has_python ? python_stack_kib : options.stack_kib;
  const std::string text = run_here(*scenario, options).dump(2) + "\n";
  if (!tables.empty() && !recorder.write(data)) {
    throw SimulationError("the recorded tables could not be written");
  }
  return text;
}

// Python sees SimulationError with the simulated time in nanoseconds, or None, as its second argument.
void translate(const SimulationError& error, const py::handle& type) {
  const py::object at = error.simulated_ns ? py::cast(*error.simulated_ns) : py::object(py::none());
  PyErr_SetObject(type.ptr(), py::make_tuple(std::string(error.what()), at).ptr());
}

}  // namespace

void bind_run(py::module_& module) {
  static py::exception<SimulationError> simulation_error(module, "SimulationError", PyExc_RuntimeError);
  py::register_exception_translator([](std::exception_ptr thrown) {
    try {
      if (thrown) {
        std::rethrow_exception(thrown);
      }
    } catch (const SimulationError& error) {
      translate(error, simulation_error);
    }
  });
  module.def("run_here", &run, py::arg("models"), py::arg("effective"), py::arg("values"), py::arg("tables"),
             py::arg("table_limit"), py::arg("data"),
             "Runs an effective configuration in this process, which must be a child made for it. Recorded\n"
             "tables go to the file descriptor `data`. Returns the JSON text of the result.");
}

}  // namespace seekahead::python
