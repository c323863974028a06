// Workloads written in Python: generators that yield operations. An operation is performed here, while the
// generator is suspended, so that no Python frame lies on a stack that waits.
#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "python/core/numbers.hpp"
#include "python/core/python_class.hpp"
#include "sim/scenario/diagnostics.hpp"
#include "sim/scenario/quantities.hpp"

namespace seekahead::python {

namespace {

// What is wrong with an operation; raised where the generator yielded it.
struct Refused {
  PyObject* type;
  std::string message;
};

// What a workload may know about its process while it thinks.
struct RunningProcess {
  const ProcessApi* process;
  std::vector<std::string> files;
  Random* random;
};

struct WorkloadClass {
  std::string name;
  SharedObject start;      // (values, process) -> iterator of operations
  SharedObject operation;  // the class of what it yields: a tuple of a word and arguments
};

// --- arguments of an operation

template <class Value>
Value parsed(Dimension dimension, const std::string& text) {
  const Quantity<std::int64_t> quantity = parse_quantity(dimension, text);
  if (!quantity.value || *quantity.value < 0) {
    throw Refused{PyExc_ValueError,
                  in_quotes(text) + (quantity.value ? ": must not be negative" : ": " + quantity.problem)};
  }
  return static_cast<Value>(*quantity.value);
}

// Bytes, or nanoseconds: a whole number, or a text with its unit.
std::uint64_t amount(const py::handle& value, Dimension dimension, const char* what) {
  if (py::isinstance<py::str>(value)) {
    return parsed<std::uint64_t>(dimension, value.cast<std::string>());
  }
  const auto index = py::reinterpret_steal<py::object>(PyNumber_Index(value.ptr()));
  int overflow = 0;
  const long long number = index ? PyLong_AsLongLongAndOverflow(index.ptr(), &overflow) : -1;
  PyErr_Clear();
  if (number < 0 || overflow != 0) {
    throw Refused{index ? PyExc_ValueError : PyExc_TypeError,
                  std::string(what) + " is " + std::string(py::repr(value)) +
                      ", not a whole number from 0 to 2^63-1" + " or a text with a unit"};
  }
  return static_cast<std::uint64_t>(number);
}

template <class Words>
auto word(const py::handle& value, const Words& words, const char* what) {
  const std::string given = py::isinstance<py::str>(value) ? value.cast<std::string>() : "";
  std::vector<std::string> known;
  for (const auto& [name, meaning] : words) {
    if (given == name) {
      return meaning;
    }
    known.emplace_back(name);
  }
  throw Refused{PyExc_ValueError, "unknown " + std::string(what) + " " + std::string(py::repr(value)) + "; " +
                                      suggestion(given, known, what)};
}

const std::vector<std::pair<std::string, FileAdvice>> advices = {
    {"normal", FileAdvice::normal},         {"random", FileAdvice::random},
    {"sequential", FileAdvice::sequential}, {"willneed", FileAdvice::willneed},
    {"dontneed", FileAdvice::dontneed},     {"noreuse", FileAdvice::noreuse}};
const std::vector<std::pair<std::string, MapHint>> hints = {
    {"normal", MapHint::normal}, {"random", MapHint::random}, {"sequential", MapHint::sequential}};

// An operation as C++ sees it: read while no process waits, performed when no Python frame is left.
enum class Kind : std::uint8_t {
  open,
  close,
  file_size,
  read,
  write,
  fsync,
  fault,
  fadvise,
  madvise,
  compute,
  sleep,
  exec
};
const std::vector<std::pair<std::string, Kind>> kinds = {
    {"open", Kind::open},       {"close", Kind::close},     {"file_size", Kind::file_size},
    {"read", Kind::read},       {"write", Kind::write},     {"fsync", Kind::fsync},
    {"fault", Kind::fault},     {"fadvise", Kind::fadvise}, {"madvise", Kind::madvise},
    {"compute", Kind::compute}, {"sleep", Kind::sleep},     {"exec", Kind::exec}};

struct Action {
  Kind kind = Kind::open;
  Descriptor fd = -1;
  std::string name;  // of the file, when it is not open yet; of the program, for exec
  std::uint64_t position = 0;
  std::uint64_t length = 0;
  FileAdvice advice = FileAdvice::normal;
  MapHint hint = MapHint::normal;
};

// --- the workload

class PythonWorkload final : public Workload {
 public:
  PythonWorkload(std::shared_ptr<const WorkloadClass> shared, const PythonParameters& parameters,
                 const WorkloadContext& context)
      : class_(std::move(shared)), parameters_(parameters), files_(context.files), random_(context.random) {}

  void run(ProcessApi& process) override;

 private:
  struct Step {
    PySendResult result;
    py::object value;
  };

  Step first_step(const ProcessApi& process);
  Step resume(const py::object& sent) const;
  Step refuse(const Refused& problem) const;
  Action action_of(const py::handle& yielded) const;
  void set_file(Action& action, const py::handle& file) const;
  std::string known_file(const py::handle& file) const;
  py::object perform(ProcessApi& process, Action& action);

  const std::shared_ptr<const WorkloadClass> class_;
  const PythonParameters parameters_;
  const std::vector<std::string> files_;
  Random* const random_;
  py::object generator_;
  std::vector<bool> is_open_;                  // by descriptor
  std::map<std::string, Descriptor> by_name_;  // files that are used by name
};

PythonWorkload::Step PythonWorkload::first_step(const ProcessApi& process) {
  const py::object facts = py::cast(RunningProcess{&process, files_, random_});
  const py::object made = class_->start.get()(parameters_.values(), facts);
  generator_ = py::reinterpret_steal<py::object>(PyObject_GetIter(made.ptr()));
  if (!generator_) {
    PyErr_Clear();
    throw py::type_error("workload " + class_->name + " returned " + std::string(py::repr(made)) +
                         ": it must yield operations, such as `yield seekahead.read(...)`");
  }
  return resume(py::none());
}

PythonWorkload::Step PythonWorkload::resume(const py::object& sent) const {
  PyObject* value = nullptr;
  const bool listens = PyGen_Check(generator_.ptr()) != 0;  // a list of operations hears no results
  const PySendResult result = PyIter_Send(generator_.ptr(), listens ? sent.ptr() : Py_None, &value);
  if (result == PYGEN_ERROR) {
    throw py::error_already_set();
  }
  return {result, py::reinterpret_steal<py::object>(value)};
}

// Raises the problem in the generator, so that its traceback shows the line that yielded.
PythonWorkload::Step PythonWorkload::refuse(const Refused& problem) const {
  const py::object error = py::reinterpret_borrow<py::object>(problem.type)(problem.message);
  if (!py::hasattr(generator_, "throw")) {
    PyErr_SetObject(problem.type, error.ptr());
    throw py::error_already_set();
  }
  try {
    return {PYGEN_NEXT, generator_.attr("throw")(error)};
  } catch (py::error_already_set& raised) {
    if (raised.matches(PyExc_StopIteration)) {
      return {PYGEN_RETURN, py::none()};
    }
    throw;
  }
}

void PythonWorkload::run(ProcessApi& process) {
  Step step = first_step(process);
  while (step.result == PYGEN_NEXT) {
    std::optional<Action> action;
    std::optional<Refused> problem;
    try {
      action = action_of(step.value);
    } catch (const Refused& refused) {
      problem = refused;
    }
    step.value = py::none();
    step = problem ? refuse(*problem) : resume(perform(process, *action));
  }
  generator_ = py::object();
}

std::string PythonWorkload::known_file(const py::handle& file) const {
  std::string name = file.cast<std::string>();
  if (std::find(files_.begin(), files_.end(), name) == files_.end()) {
    throw Refused{PyExc_ValueError,
                  "the process has no file " + in_quotes(name) + "; " + suggestion(name, files_, "files")};
  }
  return name;
}

// A file is a descriptor, or a name, which is opened when it is used first.
void PythonWorkload::set_file(Action& action, const py::handle& file) const {
  if (py::isinstance<py::str>(file)) {
    action.name = known_file(file);
    const auto known = by_name_.find(action.name);
    action.fd = known == by_name_.end() ? -1 : known->second;
    return;
  }
  if (PyLong_Check(file.ptr()) == 0) {
    throw Refused{PyExc_TypeError,
                  "a file is a name or what open() sent back, not " + std::string(py::repr(file))};
  }
  const long long fd = PyLong_AsLongLong(file.ptr());
  PyErr_Clear();
  if (fd < 0 || fd >= static_cast<long long>(is_open_.size()) || !is_open_[static_cast<std::size_t>(fd)]) {
    throw Refused{PyExc_ValueError, "descriptor " + std::string(py::str(file)) + " is not open"};
  }
  action.fd = static_cast<Descriptor>(fd);
}

Action PythonWorkload::action_of(const py::handle& yielded) const {
  if (!py::isinstance(yielded, class_->operation.get())) {
    throw Refused{PyExc_TypeError, "workload " + class_->name + " yielded " + std::string(py::repr(yielded)) +
                                       ", which is no operation such as seekahead.read(...)"};
  }
  const auto operation = py::reinterpret_borrow<py::tuple>(yielded);
  Action action;
  action.kind = word(operation[0], kinds, "operations");
  const auto argument = [&](std::size_t i) { return py::object(operation[i]); };
  switch (action.kind) {
    case Kind::open:
      action.name = known_file(argument(1));
      break;
    case Kind::exec:
      action.name = py::str(argument(1));
      break;
    case Kind::compute:
    case Kind::sleep:
      action.length = amount(argument(1), Dimension::time, "the time");
      break;
    case Kind::read:
    case Kind::write:
    case Kind::fault:
    case Kind::fadvise:
    case Kind::madvise:
    case Kind::close:
    case Kind::file_size:
    case Kind::fsync:
      set_file(action, argument(1));
      break;
  }
  if (action.kind == Kind::read || action.kind == Kind::write) {
    action.position = amount(argument(2), Dimension::bytes, "the position");
    action.length = amount(argument(3), Dimension::bytes, "the length");
  } else if (action.kind == Kind::fault) {
    action.position = amount(argument(2), Dimension::bytes, "the page");
  } else if (action.kind == Kind::fadvise) {
    action.advice = word(argument(2), advices, "advice");
    action.position = amount(argument(3), Dimension::bytes, "the position");
    action.length = amount(argument(4), Dimension::bytes, "the length");
  } else if (action.kind == Kind::madvise) {
    action.hint = word(argument(2), hints, "hints");
  }
  return action;
}

// Returns what is sent back.
py::object PythonWorkload::perform(ProcessApi& process, Action& action) {
  if (action.kind == Kind::open || (action.fd < 0 && !action.name.empty() && action.kind != Kind::exec)) {
    const Descriptor fd = process.open(action.name);
    is_open_.resize(static_cast<std::size_t>(fd) + 1, false);
    is_open_[static_cast<std::size_t>(fd)] = true;
    if (action.kind == Kind::open) {
      return py::int_(fd);
    }
    by_name_[action.name] = action.fd = fd;
  }
  const Descriptor fd = action.fd;
  switch (action.kind) {
    case Kind::open:
      break;
    case Kind::close:
      process.close(fd);
      is_open_[static_cast<std::size_t>(fd)] = false;
      std::erase_if(by_name_, [&](const auto& entry) { return entry.second == fd; });
      break;
    case Kind::file_size:
      return py::int_(process.file_size(fd));
    case Kind::read:
      return py::int_(process.read(fd, action.position, action.length));
    case Kind::write:
      return py::int_(process.write(fd, action.position, action.length));
    case Kind::fsync:
      process.fsync(fd);
      break;
    case Kind::fault:
      return py::bool_(process.fault(fd, action.position));
    case Kind::fadvise:
      process.fadvise(fd, action.advice, action.position, action.length);
      break;
    case Kind::madvise:
      process.madvise(fd, action.hint);
      break;
    case Kind::compute:
      process.compute(static_cast<TimeNs>(action.length));
      break;
    case Kind::sleep:
      process.sleep(static_cast<TimeNs>(action.length));
      break;
    case Kind::exec:
      process.exec(action.name);
      break;
  }
  return py::none();
}

// --- registration and the Python face

void add_workload(Models& models, const std::string& name, const std::string& help, const std::string& source,
                  const py::list& parameters, py::object start, py::object operation,
                  std::size_t fewest_files, const std::optional<std::size_t>& most_files) {
  refuse_taken(models.registry.workloads, name);
  const auto shared = std::make_shared<const WorkloadClass>(
      WorkloadClass{name, SharedObject(std::move(start)), SharedObject(std::move(operation))});
  auto model = described_model<WorkloadModel>(name, help, source, parameters);
  model.fewest_files = fewest_files;
  model.most_files = most_files.value_or(model.most_files);
  model.make = [shared](const Parameters& given, const WorkloadContext& context) {
    return std::make_unique<PythonWorkload>(shared, dynamic_cast<const PythonParameters&>(given), context);
  };
  models.registry.workloads.add(std::move(model));
  models.has_python = true;
}

std::uint64_t positive(Whole bound) {
  if (bound.value == 0) {
    throw py::value_error("there is no number below 0");
  }
  return bound.value;
}

void bind_random(py::module_& module) {
  py::class_<Random>(module, "Random",
                     "A stream of random numbers, the same on every machine. A process has its own.")
      .def(py::init<std::uint64_t, const std::string&>(), py::arg("seed"), py::arg("stream") = "",
           "The stream of this name; equal seeds and names give equal numbers.")
      .def(
          "below", [](Random& self, Whole bound) { return self.below(positive(bound)); }, py::arg("bound"),
          "A whole number from 0 to bound - 1.")
      .def(
          "between",
          [](Random& self, std::int64_t low, std::int64_t high) {
            if (low > high) {
              throw py::value_error("there is no number between " + std::to_string(low) + " and " +
                                    std::to_string(high));
            }
            return self.between(low, high);
          },
          py::arg("low"), py::arg("high"), "A whole number from low to high, both included.")
      .def("unit", &Random::unit, "A number from 0 up to, but not including, 1.")
      .def(
          "choice",
          [](Random& self, const py::sequence& items) {
            return py::object(items[self.below(positive(Whole{items.size()}))]);
          },
          py::arg("items"), "One of the items.")
      .def(
          "shuffle",
          [](Random& self, const py::list& items) {
            for (std::size_t left = items.size(); left > 1; --left) {
              const auto chosen = static_cast<std::size_t>(self.below(left));
              const py::object last = items[left - 1];
              items[left - 1] = py::object(items[chosen]);
              items[chosen] = last;
            }
          },
          py::arg("items"), "Brings the list into a random order.");
}

// Bytes, nanoseconds or bytes a second that a text with a unit means.
std::int64_t quantity(const std::string& kind, const std::string& text) {
  const Dimension dimension = kind == "bytes"  ? Dimension::bytes
                              : kind == "time" ? Dimension::time
                                               : Dimension::rate;
  const Quantity<std::int64_t> read = parse_quantity(dimension, text);
  if (!read.value) {
    throw py::value_error(in_quotes(text) + ": " + read.problem);
  }
  return *read.value;
}

}  // namespace

void bind_workload(py::module_& module) {
  bind_random(module);
  module.def("quantity", &quantity, py::arg("kind"), py::arg("text"),
             "The whole number that a text with a unit means; kind is bytes, time or rate.");
  py::class_<RunningProcess>(module, "RunningProcess", "A simulated process, as its own workload sees it.")
      .def_readonly("files", &RunningProcess::files, "Names of its files, in the order of the scenario.")
      .def_property_readonly(
          "random", [](const RunningProcess& self) { return self.random; },
          py::return_value_policy::reference, "Its stream of random numbers.")
      .def_property_readonly(
          "now_ns", [](const RunningProcess& self) { return self.process->now_ns(); },
          "Simulated time in nanoseconds, with the CPU time that the process has yet to pay.");
  module.def(
      "add_workload", &add_workload, py::arg("models"), py::arg("name"), py::arg("help"), py::arg("source"),
      py::arg("parameters"), py::arg("start"), py::arg("operation"), py::arg("fewest_files"),
      py::arg("most_files"),
      "Registers a workload written in Python. `start(values, process)` returns an iterator of objects\n"
      "of the class `operation`.");
}

}  // namespace seekahead::python
