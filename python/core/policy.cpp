// Readahead policies written in Python: the loops that walk over a read or a fault, in C++, and the hooks
// that they call, in Python. A hook is short and never waits; the loops do all the waiting.
#include <algorithm>
#include <array>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

#include "models/readahead/read_cursor.hpp"
#include "python/core/hook_view.hpp"
#include "python/core/python_class.hpp"

namespace seekahead::python {

namespace {

enum class Hook : std::uint8_t {
  page_absent,
  page_present,
  marker_hit,
  fault_absent,
  fault_present,
  fault_marker,
  read_done,
  fault_done,
  fadvise,
  madvise,
  close,
  state,
  count_,
};

constexpr std::size_t hook_count = static_cast<std::size_t>(Hook::count_);
constexpr std::array<const char*, hook_count> hook_names = {
    "page_absent", "page_present", "marker_hit", "fault_absent", "fault_present", "fault_marker",
    "read_done",   "fault_done",   "fadvise",    "madvise",      "close",         "state"};

// What the loops do besides calling hooks; the class attributes of the same names.
struct LoopOptions {
  bool looks_past_end = false;
  bool marker_hit_at_once = false;
  bool counts_page_once = false;
};

// What all objects of one Python class share.
struct PolicyClass {
  std::string name;
  SharedObject make;                       // (values, ra_pages) -> object
  std::array<bool, hook_count> defines{};  // which hooks the class has
  LoopOptions options;
};

// The hooks for a page that is wanted, by what is found.
struct PageHooks {
  Hook absent;
  Hook present;
  Hook marker;
};

PyObject* number(std::uint64_t value) { return PyLong_FromUnsignedLongLong(value); }
PyObject* number(const char* text) { return PyUnicode_FromString(text); }

const char* name_of(FileAdvice advice) {
  constexpr std::array<const char*, 6> names = {"normal",   "random",   "sequential",
                                                "willneed", "dontneed", "noreuse"};
  return names[static_cast<std::size_t>(advice)];
}

const char* name_of(MapHint hint) {
  constexpr std::array<const char*, 3> names = {"normal", "random", "sequential"};
  return names[static_cast<std::size_t>(hint)];
}

class PythonPolicy final : public ReadaheadPolicy {
 public:
  PythonPolicy(std::shared_ptr<const PolicyClass> shared, const py::object& object)
      : class_(std::move(shared)), view_(std::make_shared<HookView>()), view_object_(py::cast(view_)) {
    for (std::size_t i = 0; i < hook_count; ++i) {
      if (class_->defines[i]) {
        hooks_[i] = object.attr(hook_names[i]);
      }
    }
  }

  std::uint64_t read(PageCacheView& view, std::uint64_t position, std::uint64_t length) override;
  bool fault(PageCacheView& view, PageIndex page) override;
  void fadvise(PageCacheView& view, FileAdvice advice, std::uint64_t position, std::uint64_t length) override;
  void madvise(PageCacheView& view, MapHint hint) override { call(Hook::madvise, view, name_of(hint)); }
  void close(PageCacheView& view, std::uint64_t position) override { call(Hook::close, view, position); }
  void visit_state(StateVisitor& visitor) const override;

 private:
  const py::object& hook(Hook which) const { return hooks_[static_cast<std::size_t>(which)]; }
  bool has(Hook which) const { return class_->defines[static_cast<std::size_t>(which)]; }

  template <class... Arguments>
  void call(Hook which, PageCacheView& view, Arguments... arguments) {
    if (has(which)) {
      run_hook(which, view, HookView::no_page, arguments...);
    }
  }
  template <class... Arguments>
  void run_hook(Hook which, PageCacheView& view, PageIndex met, Arguments... arguments);
  [[noreturn]] void refuse_result(Hook which, const py::handle& result) const;

  void meet(PageCacheView& view, PageIndex page, std::uint64_t remaining, const PageHooks& hooks);
  void page_hook(Hook which, PageCacheView& view, PageIndex page, std::uint64_t remaining, PageIndex met);
  void marked(Hook which, PageCacheView& view, PageIndex page, std::uint64_t remaining);
  void count_use(PageCacheView& view, PageIndex page, std::uint64_t offset);

  static void wait_for(PageCacheView& view, PageIndex page) {
    if (view.state(page).in_flight()) {
      view.wait(page);
    }
  }

  const std::shared_ptr<const PolicyClass> class_;
  const std::shared_ptr<HookView> view_;
  const py::object view_object_;
  std::array<py::object, hook_count> hooks_;  // bound to the object
  PageIndex last_page_ = ~PageIndex{0};       // where the last access ended
  std::uint64_t last_offset_ = ~std::uint64_t{0};
};

template <class... Arguments>
void PythonPolicy::run_hook(Hook which, PageCacheView& view, PageIndex met, Arguments... arguments) {
  view_->open(view, met);
  // One place in front, which a bound method uses for the object.
  std::array<PyObject*, 2 + sizeof...(arguments)> given = {nullptr, view_object_.ptr(), number(arguments)...};
  PyObject* returned = PyObject_Vectorcall(hook(which).ptr(), given.data() + 1,
                                           (given.size() - 1) | PY_VECTORCALL_ARGUMENTS_OFFSET, nullptr);
  std::for_each(given.begin() + 2, given.end(), [](PyObject* argument) { Py_DECREF(argument); });
  view_->shut();
  if (returned == nullptr) {
    throw py::error_already_set();
  }
  const auto result = py::reinterpret_steal<py::object>(returned);
  if (!result.is_none()) {
    refuse_result(which, result);
  }
  view_->carry_out(view);
}

void PythonPolicy::refuse_result(Hook which, const py::handle& result) const {
  throw py::type_error(class_->name + "." + hook_names[static_cast<std::size_t>(which)] + "() returned " +
                       std::string(py::repr(result)) +
                       ": a hook returns nothing, it submits through the view it is handed");
}

// The hooks for faults do in their own way what those for reads do for both.
void PythonPolicy::page_hook(Hook which, PageCacheView& view, PageIndex page, std::uint64_t remaining,
                             PageIndex met) {
  switch (which) {
    case Hook::fault_absent:
    case Hook::fault_present:
    case Hook::fault_marker:
      run_hook(which, view, met, page);
      break;
    default:
      run_hook(which, view, met, page, remaining);
  }
}

void PythonPolicy::marked(Hook which, PageCacheView& view, PageIndex page, std::uint64_t remaining) {
  if (has(which)) {
    page_hook(which, view, page, remaining, page);
  } else {
    view.clear_marker(page);
  }
}

// Gets the page that is wanted up to date.
void PythonPolicy::meet(PageCacheView& view, PageIndex page, std::uint64_t remaining,
                        const PageHooks& hooks) {
  PageState state = view.state(page);
  const bool was_absent = state.absent();
  if (was_absent) {
    if (has(hooks.absent)) {
      page_hook(hooks.absent, view, page, remaining, HookView::no_page);
      state = view.state(page);
    }
    if (state.absent()) {
      view.submit_page(page, WindowClass::page);
      view.close_batch();
      wait_for(view, page);
      return;
    }
  }
  const bool waits_first = hooks.marker == Hook::fault_marker;
  if (waits_first) {
    view.close_batch();
    wait_for(view, page);
  }
  if (state.marker() && (!was_absent || waits_first || class_->options.marker_hit_at_once)) {
    marked(hooks.marker, view, page, remaining);
  } else if (!was_absent && has(hooks.present)) {
    page_hook(hooks.present, view, page, remaining, HookView::no_page);
  }
  view.close_batch();
  wait_for(view, page);
}

// A reader that goes through a page in small steps uses it once, if the class says so.
void PythonPolicy::count_use(PageCacheView& view, PageIndex page, std::uint64_t offset) {
  if (!class_->options.counts_page_once || last_page_ != page || last_offset_ != offset) {
    view.mark_accessed(page);
  }
}

std::uint64_t PythonPolicy::read(PageCacheView& view, std::uint64_t position, std::uint64_t length) {
  const std::uint64_t file_size = view.file_size();
  const PageIndex request_end = (position + length + page_bytes - 1) / page_bytes;
  ReadCursor cursor(position, length);
  for (bool more = length > 0; more;) {
    const std::uint64_t available = cursor.available(file_size);
    if (available == 0 && !class_->options.looks_past_end) {
      break;
    }
    const PageIndex page = cursor.index;
    meet(view, page, request_end - page, {Hook::page_absent, Hook::page_present, Hook::marker_hit});
    if (available == 0) {
      break;
    }
    count_use(view, page, cursor.offset);
    more = cursor.deliver(view, available);
    last_page_ = page;
    last_offset_ = cursor.offset;
  }
  call(Hook::read_done, view, position, cursor.copied);
  return cursor.copied;
}

bool PythonPolicy::fault(PageCacheView& view, PageIndex page) {
  if (page >= view.end_page()) {
    return false;
  }
  meet(view, page, 1,
       {has(Hook::fault_absent) ? Hook::fault_absent : Hook::page_absent,
        has(Hook::fault_present) ? Hook::fault_present : Hook::page_present,
        has(Hook::fault_marker) ? Hook::fault_marker : Hook::marker_hit});
  view.mark_accessed(page);
  last_page_ = page;
  last_offset_ = 0;
  call(Hook::fault_done, view, page);
  return true;
}

void PythonPolicy::fadvise(PageCacheView& view, FileAdvice advice, std::uint64_t position,
                           std::uint64_t length) {
  if (has(Hook::fadvise)) {
    run_hook(Hook::fadvise, view, HookView::no_page, name_of(advice), position, length);
  } else {
    ReadaheadPolicy::fadvise(view, advice, position, length);
  }
}

// Names are printed as they are.
std::string plain_name(const py::handle& key) {
  std::string name = py::isinstance<py::str>(key) ? key.cast<std::string>() : "";
  const bool good = !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    return c >= ' ' && c <= '~' && c != '"' && c != '\\';
  });
  return good ? name : "";
}

void PythonPolicy::visit_state(StateVisitor& visitor) const {
  if (!has(Hook::state)) {
    return;
  }
  const py::object state = hook(Hook::state)();
  const std::string problem = class_->name + ".state() must return a dict of names and whole numbers, not ";
  if (!py::isinstance<py::dict>(state)) {
    throw py::type_error(problem + std::string(py::repr(state)));
  }
  for (const auto& [key, value] : state.cast<py::dict>()) {
    const std::string name = plain_name(key);
    if (name.empty() || !PyLong_Check(value.ptr())) {
      throw py::type_error(problem + std::string(py::repr(key)) + ": " + std::string(py::repr(value)));
    }
    if (PyBool_Check(value.ptr())) {
      visitor.boolean_field(name, value.ptr() == Py_True);
      continue;
    }
    int overflow = 0;
    const long long small = PyLong_AsLongLongAndOverflow(value.ptr(), &overflow);
    if (overflow == 0) {
      visitor.field(name, small);
    } else {
      visitor.unsigned_field(name, value.cast<std::uint64_t>());  // or raises
    }
  }
}

class PythonDevice final : public ReadaheadDevice {
 public:
  PythonDevice(std::shared_ptr<const PolicyClass> shared, const PythonParameters& parameters,
               std::uint64_t ra_pages)
      : class_(std::move(shared)), parameters_(parameters), ra_pages_(ra_pages) {}

  std::unique_ptr<ReadaheadPolicy> open() override {
    return std::make_unique<PythonPolicy>(class_, class_->make.get()(parameters_.values(), ra_pages_));
  }

 private:
  const std::shared_ptr<const PolicyClass> class_;
  const PythonParameters parameters_;
  const std::uint64_t ra_pages_;
};

std::array<bool, hook_count> hooks_among(const std::vector<std::string>& defined) {
  std::array<bool, hook_count> hooks{};
  for (std::size_t i = 0; i < hook_count; ++i) {
    hooks[i] = std::find(defined.begin(), defined.end(), hook_names[i]) != defined.end();
  }
  return hooks;
}

void add_policy(Models& models, const std::string& name, const std::string& help, const std::string& source,
                const py::list& parameters, py::object make, const std::vector<std::string>& hooks,
                const std::vector<std::string>& options) {
  refuse_taken(models.registry.readahead, name);
  const auto is_on = [&](const char* option) {
    return std::find(options.begin(), options.end(), option) != options.end();
  };
  const auto shared = std::make_shared<const PolicyClass>(PolicyClass{
      name,
      SharedObject(std::move(make)),
      hooks_among(hooks),
      {is_on("looks_past_end"), is_on("marker_hit_at_once"), is_on("counts_page_once")},
  });
  auto model = described_model<ReadaheadModel>(name, help, source, parameters);
  model.make = [shared](const Parameters& given, const ReadaheadLimits& limits) {
    return std::make_unique<PythonDevice>(shared, dynamic_cast<const PythonParameters&>(given),
                                          limits.ra_pages);
  };
  models.registry.readahead.add(std::move(model));
  models.has_python = true;
}

}  // namespace

void bind_policy(py::module_& module) {
  bind_hook_view(module);
  module.attr("POLICY_HOOKS") = py::cast(std::vector<std::string>(hook_names.begin(), hook_names.end()));
  module.def("add_policy", &add_policy, py::arg("models"), py::arg("name"), py::arg("help"),
             py::arg("source"), py::arg("parameters"), py::arg("make"), py::arg("hooks"), py::arg("options"),
             "Registers a policy written in Python. `make(values, ra_pages)` returns the object of an open\n"
             "file; `hooks` and `options` are the names of those that its class has.");
}

}  // namespace seekahead::python
