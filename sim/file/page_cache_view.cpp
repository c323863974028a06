#include "sim/file/page_cache_view.hpp"

#include <array>

namespace seekahead {

std::string_view window_class_name(WindowClass window_class) {
  static constexpr std::array<std::string_view, static_cast<std::size_t>(WindowClass::count_)> names = {
      "page",        "window",   "ahead",    "random",   "init0",  "init",    "sequential",
      "interleaved", "context",  "around",   "fadvise",  "forced", "none",    "initial",
      "state",       "contexta", "backward", "onthrash", "onseek", "cluster", "other"};
  return names[static_cast<std::size_t>(window_class)];
}

}  // namespace seekahead
