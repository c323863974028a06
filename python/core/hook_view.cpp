#include "python/core/hook_view.hpp"

#include <algorithm>
#include <stdexcept>

#include "python/core/numbers.hpp"
#include "sim/scenario/diagnostics.hpp"

namespace seekahead::python {

namespace {

WindowClass class_named(const std::string& name) {
  std::vector<std::string> known;
  for (int i = 0; i < static_cast<int>(WindowClass::count_); ++i) {
    const auto window_class = static_cast<WindowClass>(i);
    if (window_class_name(window_class) == name) {
      return window_class;
    }
    known.emplace_back(window_class_name(window_class));
  }
  throw py::value_error("unknown window_class " + in_quotes(name) + "; " +
                        suggestion(name, known, "window classes"));
}

}  // namespace

PageCacheView& HookView::view() const {
  if (view_ == nullptr) {
    throw std::runtime_error("a view can be used only inside the hook that it was handed to");
  }
  return *view_;
}

void HookView::open(PageCacheView& view, PageIndex met) {
  view_ = &view;
  met_ = met;
  keeps_marker_ = false;
  has_submitted_ = false;
  wishes_.clear();
}

// --- questions

const Submission* HookView::pending(PageIndex page) const {
  for (const Wish& wish : wishes_) {
    const bool reads = wish.kind == Kind::submit || wish.kind == Kind::submit_page;
    if (reads && page >= wish.pages.start && page - wish.pages.start < wish.pages.count) {
      return &wish.pages;
    }
  }
  return nullptr;
}

PageState HookView::state(PageIndex page) const {
  const PageState state = view().state(page);
  if (page == met_ && !keeps_marker_) {
    return PageState(static_cast<std::uint8_t>(state.bits() & ~PageState::marker_bit));
  }
  if (!has_submitted_ || state.present()) {
    return state;
  }
  const Submission* wish = pending(page);
  if (wish == nullptr) {
    return state;
  }
  const bool marked = page - wish->start == wish->mark_at;
  return PageState(
      static_cast<std::uint8_t>(PageState::present_bit | (marked ? PageState::marker_bit : std::uint8_t{0})));
}

PageIndex HookView::next_absent(PageIndex from, std::uint64_t limit) const {
  const PageIndex end = from + limit;
  PageIndex page = view().next_absent(from, limit);
  while (has_submitted_ && page != end && pending(page) != nullptr) {
    ++page;
    page = view().next_absent(page, end - page);
  }
  return page;
}

PageIndex HookView::previous_absent(PageIndex from, std::uint64_t limit) const {
  const PageIndex end = from - limit;
  PageIndex page = view().previous_absent(from, limit);
  while (has_submitted_ && page != end && pending(page) != nullptr) {
    --page;
    page = view().previous_absent(page, page - end);
  }
  return page;
}

// --- wishes

void HookView::add(Kind kind, PageIndex first, std::uint64_t second) {
  static_cast<void>(view());  // none outside a hook
  wishes_.push_back({kind, {.start = first, .count = second}});
}

std::uint64_t HookView::submit(const Submission& wish) {
  const PageIndex end = view().end_page();
  const std::uint64_t count = wish.start < end ? std::min(wish.count, end - wish.start) : 0;
  std::uint64_t inserted = 0;
  for (std::uint64_t i = 0; i < count; ++i) {
    inserted += state(wish.start + i).absent() ? 1 : 0;
  }
  wishes_.push_back({Kind::submit, wish});
  wishes_.back().pages.count = count;
  has_submitted_ = true;
  return inserted;
}

void HookView::submit_page(PageIndex page, WindowClass window_class) {
  if (state(page).present()) {
    throw py::value_error("submit_page(): page " + std::to_string(page) + " is cached already");
  }
  wishes_.push_back({Kind::submit_page, {.start = page, .count = 1, .window_class = window_class}});
  has_submitted_ = true;
}

void HookView::close_batch() { add(Kind::close_batch); }
void HookView::clear_marker(PageIndex page) { add(Kind::clear_marker, page); }
void HookView::drop(PageIndex first, PageIndex last) { add(Kind::drop, first, last); }
void HookView::rescue(PageIndex page, std::uint64_t count) { add(Kind::rescue, page, count); }

void HookView::keep_marker() {
  static_cast<void>(view());
  if (met_ == no_page) {
    throw std::runtime_error("keep_marker(): this hook was not called for a marker");
  }
  keeps_marker_ = true;
}

void HookView::mark_accessed(PageIndex page) {
  if (state(page).absent()) {
    throw py::value_error("mark_accessed(): page " + std::to_string(page) + " is absent");
  }
  add(Kind::mark_accessed, page);
}

void HookView::note(const std::string& rule, const std::string& text) const {
  if (view().rules != nullptr) {
    view().rules->rule(rule, text);
  }
}

void HookView::carry_out(PageCacheView& view) {
  if (met_ != no_page && !keeps_marker_) {
    view.clear_marker(met_);
  }
  for (const Wish& wish : wishes_) {
    carry_out(view, wish);
  }
  wishes_.clear();
}

// Others may have run since the hook looked, so that a page is there by now or has gone.
void HookView::carry_out(PageCacheView& view, const Wish& wish) {
  const PageIndex page = wish.pages.start;
  switch (wish.kind) {
    case Kind::submit:
      view.submit(wish.pages);
      break;
    case Kind::submit_page:
      if (view.state(page).absent()) {
        view.submit_page(page, wish.pages.window_class);
      }
      break;
    case Kind::close_batch:
      view.close_batch();
      break;
    case Kind::clear_marker:
      view.clear_marker(page);
      break;
    case Kind::drop:
      view.drop(page, wish.pages.count);
      break;
    case Kind::mark_accessed:
      if (view.state(page).present()) {
        view.mark_accessed(page);
      }
      break;
    case Kind::rescue:
      view.rescue(page, wish.pages.count);
      break;
  }
}

// --- the Python face

void bind_hook_view(py::module_& module) {
  const auto flag = [](bool (PageState::*is)() const) {
    return [is](const HookView& self, Whole page) { return (self.state(page.value).*is)(); };
  };
  py::class_<HookView, std::shared_ptr<HookView>>(
      module, "PageCacheView",
      "The cached pages of one file, as a hook of a policy sees them. Pages are 4 KiB and counted from 0.\n\n"
      "Questions are answered at once and know what the same hook has submitted; everything else is carried\n"
      "out, in its order, when the hook has returned. A view is good only inside the hook it was handed to.")
      .def_property_readonly("file_size", &HookView::file_size, "Size of the file in bytes.")
      .def_property_readonly("end_page", &HookView::end_page, "Pages of the file.")
      .def_property_readonly("cached_pages", &HookView::cached_pages, "Pages of this file that are cached.")
      .def_property_readonly("congested", &HookView::congested, "Whether the device's queue is congested.")
      .def_property_readonly("vm_pages", &HookView::vm_pages, "Pages on the inactive list, and free ones.")
      .def_property_readonly("aging", &HookView::aging, "Pages that passed the inactive list so far.")
      .def("absent", flag(&PageState::absent), py::arg("page"), "Whether the page is not cached.")
      .def("present", flag(&PageState::present), py::arg("page"), "Whether it is cached or being read.")
      .def("uptodate", flag(&PageState::uptodate), py::arg("page"), "Whether its data are there.")
      .def("in_flight", flag(&PageState::in_flight), py::arg("page"), "Whether it is being read.")
      .def("marker", flag(&PageState::marker), py::arg("page"), "Whether it carries a window's marker.")
      .def("referenced", flag(&PageState::referenced), py::arg("page"), "Whether it was used once.")
      .def("active", flag(&PageState::active), py::arg("page"), "Whether it is on the active list.")
      .def(
          "next_absent",
          [](const HookView& self, Whole from, Whole limit) {
            return self.next_absent(from.value, limit.value);
          },
          py::arg("start"), py::arg("limit"),
          "First absent page from `start` on, looking at `limit` pages; start + limit if all are cached.")
      .def(
          "previous_absent",
          [](const HookView& self, Whole from, Whole limit) {
            return self.previous_absent(from.value, limit.value);
          },
          py::arg("start"), py::arg("limit"),
          "The same going down from `start`; start - limit modulo 2^64 if all are cached.")
      .def(
          "submit",
          [](HookView& self, Whole start, Whole count, const std::optional<Whole>& mark_at,
             const std::string& window_class, Whole async_size, std::int64_t previous_position) {
            return self.submit({.start = start.value,
                                .count = count.value,
                                .mark_at = mark_at ? mark_at->value : Submission::no_mark,
                                .window_class = class_named(window_class),
                                .async_size = async_size.value,
                                .previous_position = previous_position});
          },
          py::arg("start"), py::arg("count"), py::arg("mark_at") = py::none(),
          py::arg("window_class") = "window", py::arg("async_size") = Whole{0},
          py::arg("previous_position") = -1,
          "Reads `count` pages from `start` on: those that are absent and inside the file. The page "
          "`mark_at`\n"
          "places behind `start` gets the marker if it is read. `window_class` is for results and traces, "
          "as\n"
          "are `async_size` and `previous_position`. Returns how many pages will be read.")
      .def(
          "submit_page",
          [](HookView& self, Whole page, const std::string& window_class) {
            self.submit_page(page.value, class_named(window_class));
          },
          py::arg("page"), py::arg("window_class") = "page", "Reads one absent page.")
      .def("close_batch", &HookView::close_batch,
           "What is submitted from here on does not join the I/O that was submitted before.")
      .def(
          "clear_marker", [](HookView& self, Whole page) { self.clear_marker(page.value); }, py::arg("page"),
          "Takes the marker off a page.")
      .def("keep_marker", &HookView::keep_marker,
           "In marker_hit() and fault_marker(): leaves the marker where it is.")
      .def(
          "drop", [](HookView& self, Whole first, Whole last) { self.drop(first.value, last.value); },
          py::arg("first"), py::arg("last"), "Drops the pages first to last that are up to date and clean.")
      .def(
          "mark_accessed", [](HookView& self, Whole page) { self.mark_accessed(page.value); },
          py::arg("page"), "Counts a use of the page for reclaim.")
      .def(
          "rescue", [](HookView& self, Whole page, Whole count) { self.rescue(page.value, count.value); },
          py::arg("page"), py::arg("count"), "Moves pages away from the end of the reclaim list.")
      .def("note", &HookView::note, py::arg("rule"), py::arg("text"),
           "Tells which rule decided, for seekahead.explain(). Costs nothing when nobody listens.");
}

}  // namespace seekahead::python
