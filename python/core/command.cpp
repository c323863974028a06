// The verbs of the program as functions, for those that need neither an engine nor Python models.
#include <sys/prctl.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <stdexcept>

#include "cli/commands.hpp"
#include "python/core/bindings.hpp"

namespace seekahead::python {

namespace {

// Results go to the process's stdout, messages to its stderr: the caller (a helper's child) has redirected
// both.
int run_command(const std::string& verb, const std::vector<std::string>& arguments) {
  const py::gil_scoped_release others_may_run;
  const auto& all = cli::commands();
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const cli::Command& command) { return command.name == verb; });
  if (found == all.end()) {
    throw std::invalid_argument("there is no command " + verb);
  }
  const int status = found->run(arguments);
  std::fflush(nullptr);
  return status;
}

}  // namespace

void bind_command(py::module_& module) {
  module.def(
      "die_with_parent", [] { prctl(PR_SET_PDEATHSIG, SIGKILL); },
      "From now on this process is killed when the one that forked it ends.");
  module.def("run_command", &run_command, py::arg("verb"), py::arg("arguments"),
             "Runs a verb of the program in this process; returns its exit status.");
}

}  // namespace seekahead::python
