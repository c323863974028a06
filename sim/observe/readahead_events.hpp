// Counters of readahead submissions by window class, as the kernels' debugfs tables of 2007 to 2012 kept
// them: they add up from the start or the last reset, and can be read at any time.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "sim/file/page_cache_view.hpp"

namespace seekahead {

class ReadaheadEvents {
 public:
  struct Row {
    std::uint64_t windows = 0;      // submissions
    std::uint64_t full = 0;         // of them, every page asked was read
    std::uint64_t empty = 0;        // no page was read: all cached, or past the end of the file
    std::uint64_t eof_hit = 0;      // the window reached past the end of the file
    std::uint64_t cache_hit = 0;    // pages inside the file were already cached
    std::uint64_t pages_asked = 0;  // as the policy stated them
    std::uint64_t pages_async = 0;  // of them, behind the marker
    std::uint64_t pages_read = 0;

    Row& operator+=(const Row& other);
  };

  // A submission was made; `pages_read` of it were inserted. `end_page` is the file's.
  void submitted(const Submission& wish, std::uint64_t pages_read, PageIndex end_page);
  void reset() { rows_ = {}; }

  const Row& row(WindowClass window_class) const { return rows_[static_cast<std::size_t>(window_class)]; }
  Row total() const;
  // The table: a header, one line for each class that occurred, a total.
  std::string text() const;

 private:
  std::array<Row, static_cast<std::size_t>(WindowClass::count_)> rows_{};
};

}  // namespace seekahead
