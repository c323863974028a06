// One simulation in the present process, which must be a child made for it: SimGrid's engine exists once.
#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
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

// As deep as Python's own limit of recursion reaches through C functions, but 8 GiB of addresses for all:
// pages of a stack are the host's only once they are touched.
std::int64_t python_stack_kib(std::size_t processes) {
  const auto count = static_cast<std::int64_t>(std::max<std::size_t>(processes, 1));
  return std::clamp<std::int64_t>((std::int64_t{8} << 20) / count, 1024, 8192);
}

// Runs a scenario that make_plan() found good. Returns the JSON text of `run --json`.
std::string run(const Models& models, const std::string& effective,
                const std::vector<std::pair<std::string, std::string>>& values,
                const std::vector<std::string>& tables, std::size_t table_limit, int data) {
  // Models in Python keep the GIL: this process has one thread, and they run on stacks that SimGrid switches.
  std::optional<py::gil_scoped_release> others_may_run;
  if (!models.has_python) {
    others_may_run.emplace();
  }
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
  options.stack_kib = models.has_python ? python_stack_kib(scenario->processes.size()) : options.stack_kib;
  const std::string text = run_here(*scenario, options).dump(2) + "\n";
  if (!tables.empty() && !recorder.write(data)) {
    throw SimulationError("the recorded tables could not be written");
  }
  return text;
}

// What a model written in Python raised; else nothing.
py::object python_cause(const SimulationError& error) {
  try {
    if (error.cause) {
      std::rethrow_exception(error.cause);
    }
  } catch (py::error_already_set& raised) {
    PyException_SetTraceback(raised.value().ptr(), raised.trace() ? raised.trace().ptr() : Py_None);
    return py::reinterpret_borrow<py::object>(raised.value());
  } catch (const py::builtin_exception& refused) {
    refused.set_error();
    const py::error_already_set raised;
    return py::reinterpret_borrow<py::object>(raised.value());
  } catch (...) {
  }
  return py::none();
}

// Python sees SimulationError with the simulated time in nanoseconds, or None, as its second argument, and
// what a Python model raised, or None, as its third.
void translate(const SimulationError& error, const py::handle& type) {
  const py::object at = error.simulated_ns ? py::cast(*error.simulated_ns) : py::object(py::none());
  PyErr_SetObject(type.ptr(), py::make_tuple(std::string(error.what()), at, python_cause(error)).ptr());
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
