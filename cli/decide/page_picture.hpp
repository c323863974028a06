// Draws a stretch of a file as text: one column a page, long uniform parts cut out.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "sim/engine/units.hpp"

namespace seekahead::cli {

// One page of the picture: what stands above each other.
struct PageColumn {
  char asked = ' ';
  char page = '.';
  char window = ' ';
  bool operator==(const PageColumn&) const = default;
};

// Rows of the picture from the top: page numbers, asked, pages, window. Columns are the pages from `first`
// on. No row is longer than `width`: uniform stretches shrink to "<+N>" (N pages left out), shortest last;
// what still does not fit is cut off at the right.
std::vector<std::string> draw_pages(PageIndex first, const std::vector<PageColumn>& columns,
                                    std::size_t width);

}  // namespace seekahead::cli
