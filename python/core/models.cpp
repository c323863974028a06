// What a scenario can name, as the registry and the drive catalogue describe it.
#include <memory>

#include "models/builtin.hpp"
#include "python/core/bindings.hpp"
#include "sim/scenario/drive_catalogue.hpp"
#include "sim/scenario/drive_file.hpp"
#include "sim/scenario/echo.hpp"
#include "sim/scenario/plugin.hpp"
#include "sim/scenario/scenario.hpp"

namespace seekahead::python {

namespace {

py::list described(Parameters& parameters) {
  py::list rows;
  for (const Description& description : describe(parameters)) {
    py::dict row;
    row["name"] = description.name;
    row["type"] = description.type;
    row["default"] = description.value;
    row["allowed"] = description.range;
    row["help"] = description.help;
    row["source"] = description.source;
    row["required"] = description.required;
    rows.append(row);
  }
  return rows;
}

py::dict described(const ModelEntry& model) {
  py::dict row;
  row["help"] = model.help;
  row["source"] = model.source;
  row["plugin"] = model.plugin;
  row["parameters"] = described(*model.parameters());
  return row;
}

template <class M>
py::dict described(const ModelKind<M>& kind) {
  py::dict rows;
  for (const M& model : kind.all()) {
    rows[py::str(model.name)] = described(model);
  }
  return rows;
}

template <class P>
py::dict described_section() {
  P parameters;
  py::dict row;
  row["parameters"] = described(parameters);
  return row;
}

// {kind: {name: {help, source, plugin, parameters: [...]}}}.
py::dict describe_models(const Models& models) {
  py::dict kinds;
  kinds["readahead"] = described(models.registry.readahead);
  kinds["elevator"] = described(models.registry.elevators);
  kinds["device"] = described(models.registry.devices);
  kinds["workload"] = described(models.registry.workloads);
  py::dict sections;
  sections["machine"] = described_section<MachineConfig>();
  sections["block"] = described_section<BlockConfig>();
  sections["writeback"] = described_section<WritebackConfig>();
  kinds["section"] = sections;
  return kinds;
}

// Drives of the catalogue: (id, model, name, description, file).
std::vector<std::vector<std::string>> describe_drives(const Models& models) {
  std::vector<std::vector<std::string>> rows;
  for (const std::string& id : drive_ids()) {
    Diagnostics diagnostics;
    if (const std::optional<LoadedDrive> drive = load_drive(id, {}, models.registry, diagnostics)) {
      rows.push_back({id, drive->device.model->name, drive->name, drive->description, drive->path});
    }
  }
  return rows;
}

std::shared_ptr<Models> make_models(const std::vector<std::string>& plugins) {
  auto models = std::make_shared<Models>();
  register_builtin_models(models->registry);
  load_plugins(models->registry, plugins);
  return models;
}

}  // namespace

void bind_models(py::module_& module) {
  static py::exception<PluginError> plugin_error(module, "PluginError", PyExc_RuntimeError);
  py::register_exception_translator([](std::exception_ptr thrown) {
    try {
      if (thrown) {
        std::rethrow_exception(thrown);
      }
    } catch (const PluginError& problem) {
      PyErr_SetString(plugin_error.ptr(), problem.what());
    }
  });
  py::class_<Models, std::shared_ptr<Models>>(module, "Models", "What a scenario can name.")
      .def(py::init(&make_models), py::arg("plugins"), "The built-in models and those of shared libraries.")
      .def("describe", &describe_models, "Every model with its parameters, as nested dictionaries.")
      .def("drives", &describe_drives, "The drive catalogue: [id, model, name, description, file] a row.");
}

}  // namespace seekahead::python
