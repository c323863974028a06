#include "python/core/python_class.hpp"

#include <stdexcept>
#include <string_view>
#include <utility>

namespace seekahead::python {

namespace {

bool is_real(const DeclaredParameter& p) { return p.type == "real" || p.type == "percent"; }
bool is_text(const DeclaredParameter& p) { return p.type == "text" || p.type == "choice"; }

DeclaredParameter declared(const py::tuple& row) {
  DeclaredParameter p;
  p.name = row[0].cast<std::string>();
  p.type = row[1].cast<std::string>();
  p.choices = row[5].cast<std::vector<std::string>>();
  p.help = row[6].cast<std::string>();
  if (p.type == "boolean") {
    p.boolean = row[2].cast<bool>();
  } else if (is_text(p)) {
    p.text = row[2].cast<std::string>();
  } else if (is_real(p)) {
    p.real = row[2].cast<double>();
    p.real_range = {row[3].cast<double>(), row[4].cast<double>()};
  } else {
    p.integer = row[2].cast<std::int64_t>();
    p.integer_range = {row[3].cast<std::int64_t>(), row[4].cast<std::int64_t>()};
  }
  return p;
}

using WholeNumber = void (ParameterVisitor::*)(std::string_view, std::int64_t&, IntegerRange,
                                               std::string_view, std::string_view);

WholeNumber whole_number(const std::string& type) {
  if (type == "integer") return &ParameterVisitor::integer;
  if (type == "bytes") return &ParameterVisitor::bytes;
  if (type == "time") return &ParameterVisitor::time;
  if (type == "rate") return &ParameterVisitor::rate;
  if (type == "pages") return &ParameterVisitor::pages;
  if (type == "sectors") return &ParameterVisitor::sectors;
  throw std::invalid_argument("unknown type of parameter: " + type);
}

}  // namespace

std::shared_ptr<const Declaration> declaration_of(const py::list& rows) {
  auto declaration = std::make_shared<Declaration>();
  for (const py::handle row : rows) {
    declaration->push_back(declared(row.cast<py::tuple>()));
  }
  return declaration;
}

PythonParameters::PythonParameters(std::shared_ptr<const Declaration> declaration)
    : declaration_(std::move(declaration)), values_(*declaration_) {}

void PythonParameters::visit(ParameterVisitor& v) {
  for (DeclaredParameter& p : values_) {
    if (p.type == "boolean") {
      v.boolean(p.name, p.boolean, p.help);
    } else if (p.type == "choice") {
      v.choice(p.name, p.text, {p.choices.begin(), p.choices.end()}, p.help);
    } else if (p.type == "text") {
      v.text(p.name, p.text, p.help);
    } else if (p.type == "real") {
      v.real(p.name, p.real, p.real_range, p.help);
    } else if (p.type == "percent") {
      v.percent(p.name, p.real, p.real_range, p.help);
    } else {
      (v.*whole_number(p.type))(p.name, p.integer, p.integer_range, p.help, "");
    }
  }
}

py::dict PythonParameters::values() const {
  py::dict values;
  for (const DeclaredParameter& p : values_) {
    const py::str name(p.name);
    if (p.type == "boolean") {
      values[name] = p.boolean;
    } else if (is_text(p)) {
      values[name] = p.text;
    } else if (is_real(p)) {
      values[name] = p.real;
    } else {
      values[name] = p.integer;
    }
  }
  return values;
}

SharedObject::SharedObject(py::object object)
    : object_(new py::object(std::move(object)), [](py::object* last) {
        const py::gil_scoped_acquire gil;
        delete last;
      }) {}

}  // namespace seekahead::python
