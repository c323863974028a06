#include "python/core/bindings.hpp"
#include "sim/scenario/drive_catalogue.hpp"

namespace seekahead::python {

PYBIND11_MODULE(_core, module) {
  module.doc() = "The compiled part of seekahead; use the package's own names instead.";
  module.attr("version") = SEEKAHEAD_VERSION;
  module.def(
      "add_drive_directory", [](const std::string& directory) { add_drive_directory(directory); },
      py::arg("directory"), "Search this directory for drives of the catalogue, too.");
  bind_models(module);
  bind_scenario(module);
  bind_policy(module);
  bind_workload(module);
  bind_decide(module);
  bind_run(module);
  bind_command(module);
}

}  // namespace seekahead::python
