// The PageCacheView that hooks written in Python see. It never blocks: SimGrid switches C stacks when a
// simulated process waits, and no Python frame may lie on the one that is left. Questions are answered at
// once; wishes are noted and carried out, in their order, when the hook has returned.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "python/core/bindings.hpp"
#include "sim/file/page_cache_view.hpp"

namespace seekahead::python {

class HookView {
 public:
  // --- for the policy around it
  // A hook begins: questions go to `view`. `met` is the page whose marker the hook is called for, or no_page:
  // it counts as cleared.
  static constexpr PageIndex no_page = ~PageIndex{0};
  void open(PageCacheView& view, PageIndex met);
  // The hook has returned, or failed: the view is of no use until the next one.
  void shut() { view_ = nullptr; }
  // Carries out what the hook wished for. May block. REQUIRES: shut.
  void carry_out(PageCacheView& view);
  bool keeps_marker() const { return keeps_marker_; }

  // --- questions
  std::uint64_t file_size() const { return view().file_size(); }
  std::uint64_t end_page() const { return view().end_page(); }
  std::uint64_t cached_pages() const { return view().cached_pages(); }
  bool congested() const { return view().congested(); }
  std::uint64_t vm_pages() const { return view().vm_pages(); }
  std::uint64_t aging() const { return view().aging(); }
  PageState state(PageIndex page) const;
  PageIndex next_absent(PageIndex from, std::uint64_t limit) const;
  PageIndex previous_absent(PageIndex from, std::uint64_t limit) const;

  // --- wishes
  std::uint64_t submit(const Submission& wish);  // returns how many pages it will insert
  void submit_page(PageIndex page, WindowClass window_class);
  void close_batch();
  void clear_marker(PageIndex page);
  void keep_marker();
  void drop(PageIndex first, PageIndex last);
  void mark_accessed(PageIndex page);
  void rescue(PageIndex page, std::uint64_t count);
  void note(const std::string& rule, const std::string& text) const;

 private:
  enum class Kind : std::uint8_t {
    submit,
    submit_page,
    close_batch,
    clear_marker,
    drop,
    mark_accessed,
    rescue
  };
  struct Wish {
    Kind kind;
    Submission pages;  // start and count are the two arguments of whatever it is
  };

  PageCacheView& view() const;
  const Submission* pending(PageIndex page) const;  // the noted submission that inserts the page
  void add(Kind kind, PageIndex first = 0, std::uint64_t second = 0);
  static void carry_out(PageCacheView& view, const Wish& wish);

  PageCacheView* view_ = nullptr;
  PageIndex met_ = no_page;
  bool keeps_marker_ = false;
  bool has_submitted_ = false;
  std::vector<Wish> wishes_;
};

void bind_hook_view(py::module_& module);

}  // namespace seekahead::python
