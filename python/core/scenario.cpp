// Plan: a scenario text with overrides and axes, checked.
#include <memory>
#include <utility>

#include "python/core/bindings.hpp"
#include "sim/scenario/effective.hpp"
#include "sim/scenario/override_rules.hpp"
#include "sim/scenario/plan.hpp"

namespace seekahead::python {

namespace {

using Axis = std::pair<std::string, std::vector<std::string>>;

py::dict as_dict(const Problem& problem) {
  const Position& where = problem.where;
  py::dict result;
  result["file"] = where.text == nullptr ? "" : where.text->name;
  result["is_argument"] = where.text != nullptr && where.text->is_argument;
  result["line"] = where.line;
  result["column"] = where.column;
  const bool has_line = where.text != nullptr && where.line >= 1 &&
                        where.line <= static_cast<std::int64_t>(where.text->lines.size());
  result["text"] = has_line ? where.text->lines[static_cast<std::size_t>(where.line - 1)] : "";
  result["message"] = problem.message;
  result["hint"] = problem.hint;
  return result;
}

// A Plan keeps its registry alive.
struct BoundPlan {
  std::shared_ptr<Models> models;
  Plan plan;
};

// Returns (plan or None, problems, all problems as the program prints them).
py::tuple make_plan(std::shared_ptr<Models> models, const std::optional<std::string>& text,
                    const std::string& name, const std::vector<std::string>& sets,
                    const std::vector<Axis>& axes) {
  Diagnostics diagnostics;
  std::optional<Document> document =
      text ? std::optional(parse_document(*text, name, diagnostics)) : read_document(name, diagnostics);
  std::vector<Override> overrides;
  for (const std::string& set : sets) {
    if (std::optional<Override> parsed = parse_override(set, diagnostics, "override")) {
      overrides.push_back(*std::move(parsed));
    }
  }
  std::unique_ptr<BoundPlan> bound;
  if (document) {
    for (const Axis& axis : axes) {
      add_axis(*document, axis.first, axis.second, diagnostics, "axis");
    }
    std::optional<Plan> plan =
        Plan::make(*std::move(document), std::move(overrides), models->registry, diagnostics);
    if (plan && diagnostics.ok()) {
      bound = std::make_unique<BoundPlan>(BoundPlan{std::move(models), *std::move(plan)});
    }
  }
  py::list problems;
  for (const Problem& problem : diagnostics.sorted()) {
    problems.append(as_dict(problem));
  }
  py::object result = bound ? py::cast(std::move(bound)) : py::object(py::none());
  return py::make_tuple(std::move(result), problems, diagnostics.ok() ? "" : diagnostics.text());
}

// Coordinates of a point as (key, value as TOML).
std::vector<std::pair<std::string, std::string>> values_of(const Scenario& scenario, std::size_t index) {
  std::vector<std::pair<std::string, std::string>> values;
  if (!scenario.sweep.empty()) {
    for (const SweepValue& value : scenario.sweep.at(index).values) {
      values.emplace_back(value.key, value_text(value.value));
    }
  }
  return values;
}

bool keys_are_alternatives(const std::string& a, const std::string& b) {
  const std::optional<KeyPath> left = parse_key_path(a);
  const std::optional<KeyPath> right = parse_key_path(b);
  return left && right && are_alternatives(*left, *right);
}

}  // namespace

void bind_scenario(py::module_& module) {
  py::class_<BoundPlan>(module, "Plan", "A checked scenario with all points of its sweep.")
      .def_property_readonly("title", [](const BoundPlan& self) { return self.plan.scenario().title; })
      .def_property_readonly("seed", [](const BoundPlan& self) { return self.plan.scenario().seed; })
      .def("__len__", [](const BoundPlan& self) { return self.plan.points(); })
      .def(
          "values",
          [](const BoundPlan& self, std::size_t index) { return values_of(self.plan.scenario(), index); },
          py::arg("index"), "Coordinates of a point: pairs of key and value as TOML.")
      .def(
          "effective",
          [](const BoundPlan& self, std::size_t index) {
            return effective_configuration(self.plan.point(index));
          },
          py::arg("index"), "The point with every default filled in, as TOML that gives the same run.")
      .def(
          "flat_text", [](const BoundPlan& self) { return self.plan.flat_text(); },
          "The scenario's own text with what it includes, without overrides.")
      .def(
          "whole_effective",
          [](const BoundPlan& self) { return effective_configuration(self.plan.scenario()); },
          "The first point likewise, with the sweep and the expectations as comments: what `check` prints.");
  module.def("are_alternatives", &keys_are_alternatives, py::arg("a"), py::arg("b"),
             "Both keys say the same thing in another way: readahead.setra and readahead.read_ahead_kb.");
  module.def(
      "make_plan", &make_plan, py::arg("models"), py::arg("text"), py::arg("name"), py::arg("sets"),
      py::arg("axes"),
      "Reads a scenario from `text`, or without it from the file `name`. Returns (Plan or None, list of\n"
      "problems, the problems as text).");
}

}  // namespace seekahead::python
