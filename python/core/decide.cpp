// The cases of `seekahead decide`, one at a time.
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <utility>

#include "cli/decide/answer.hpp"
#include "cli/decide/case_reader.hpp"
#include "cli/decide/replay.hpp"
#include "cli/decide/story.hpp"
#include "python/core/bindings.hpp"

namespace seekahead::python {

namespace {

// A checked case; keeps its registry alive.
struct BoundCase {
  std::shared_ptr<Models> models;
  cli::Case the_case;
};

// Returns (Case or None, problems as pairs of column and message); column 0 is the line as a whole.
py::tuple read_case(std::shared_ptr<Models> models, const std::map<std::string, std::string>& overrides,
                    const std::string& line) {
  std::vector<cli::CaseProblem> problems;
  std::optional<cli::Case> found = cli::read_case(models->registry, {overrides}, line, problems);
  py::list told;
  for (const cli::CaseProblem& problem : problems) {
    told.append(py::make_tuple(problem.column, problem.message));
  }
  if (!found) {
    return py::make_tuple(py::none(), told);
  }
  return py::make_tuple(BoundCase{std::move(models), *std::move(found)}, told);
}

std::string explained(const BoundCase& self) {
  char* text = nullptr;
  std::size_t size = 0;
  std::FILE* out = open_memstream(&text, &size);
  const std::unique_ptr<char*, void (*)(char**)> owner(&text, [](char** memory) { std::free(*memory); });
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(out, &std::fclose);
  cli::print_legend(out);
  cli::tell_story(self.the_case, out);
  std::fflush(out);
  return {text, size};
}

void run_case(const BoundCase& self) {
  cli::Replay replay(self.the_case);
  for (std::size_t i = 0; i < self.the_case.operations.size(); ++i) {
    replay.step(i);
  }
}

}  // namespace

void bind_decide(py::module_& module) {
  py::class_<BoundCase>(module, "Case", "A checked case of `decide`.")
      .def_property_readonly("name", [](const BoundCase& self) { return self.the_case.name; })
      .def_property_readonly("unread_keys", [](const BoundCase& self) { return self.the_case.unread_keys; })
      .def(
          "answer",
          [](const BoundCase& self, bool everything) {
            return cli::answer_line(self.the_case,
                                    everything ? cli::AnswerFields::all : cli::AnswerFields::as_recorded);
          },
          py::arg("everything"),
          "Runs it; the line that the program prints, or one with all fields whatever the policy.")
      .def("run", &run_case, "Runs it and tells nothing: what a policy costs.")
      .def("explain", &explained, "Runs it; the story that the program tells.");
  module.def("read_case", &read_case, py::arg("models"), py::arg("overrides"), py::arg("line"),
             "Reads a JSON line. Returns (Case or None, [(column, message), ...]).");
  module.def(
      "case_keys", [](const Models& models) { return cli::input_keys(models.registry); }, py::arg("models"),
      "Every key that a case may have as input.");
}

}  // namespace seekahead::python
