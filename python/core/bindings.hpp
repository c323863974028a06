// The parts of the module seekahead._core, one function a file. The module is thin: texts in, texts out;
// names, units and conveniences belong to the Python files of the package. Nothing here is for users.
#pragma once

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#pragma GCC diagnostic pop

#include "sim/scenario/registry.hpp"

namespace seekahead::python {

namespace py = pybind11;

// What a scenario can name: the built-in models, those of plug-ins and those written in Python.
struct Models {
  Registry registry;
  bool has_python = false;
};

void bind_models(py::module_& module);    // Models, descriptions of models and drives
void bind_scenario(py::module_& module);  // Plan: a checked scenario
void bind_policy(py::module_& module);    // readahead policies written in Python
void bind_workload(py::module_& module);  // workloads written in Python
void bind_decide(py::module_& module);    // policies on a toy page cache
void bind_run(py::module_& module);       // one simulation in this process
void bind_command(py::module_& module);   // the verbs of the program

}  // namespace seekahead::python
