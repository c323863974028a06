// A model written in Python as the registry sees it: a list of parameters, and a function that makes objects.
//
// Everything here that touches Python objects REQUIRES the GIL. A process that runs such models keeps it for
// the whole run: simulated processes are stacks of one thread, and no other thread has work to do.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "python/core/bindings.hpp"
#include "sim/scenario/parameters.hpp"

namespace seekahead::python {

// One parameter as the Python class declares it.
struct DeclaredParameter {
  std::string name;
  std::string type;  // a word of value_types() below
  std::string help;
  std::vector<std::string> choices;
  IntegerRange integer_range{0, 0};
  RealRange real_range{0, 0};
  std::int64_t integer = 0;
  double real = 0;
  bool boolean = false;
  std::string text;
};

using Declaration = std::vector<DeclaredParameter>;

// From the tuples (name, type, default, low, high, choices, help) that the Python side collects.
std::shared_ptr<const Declaration> declaration_of(const py::list& rows);

// Values of the parameters of one class.
class PythonParameters final : public Parameters {
 public:
  explicit PythonParameters(std::shared_ptr<const Declaration> declaration);
  void visit(ParameterVisitor& v) override;
  py::dict values() const;

 private:
  std::shared_ptr<const Declaration> declaration_;
  std::vector<DeclaredParameter> values_;
};

// A reference to a Python object that may be copied and dropped without the GIL.
class SharedObject {
 public:
  explicit SharedObject(py::object object);
  const py::object& get() const { return *object_; }

 private:
  std::shared_ptr<py::object> object_;
};

template <class M>
void refuse_taken(const ModelKind<M>& kind, const std::string& name) {
  if (kind.find(name) != nullptr) {
    throw py::value_error("the name " + name + " is taken by another model: call it something else");
  }
}

// Name, help, source and parameters of a model; what it makes is for the caller to fill in.
template <class M>
M described_model(const std::string& name, const std::string& help, const std::string& source,
                  const py::list& parameters) {
  M model{};
  model.name = name;
  model.help = help;
  model.source = source;
  model.parameters = [declaration = declaration_of(parameters)] {
    return std::make_unique<PythonParameters>(declaration);
  };
  return model;
}

}  // namespace seekahead::python
