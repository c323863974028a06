#include "cli/decide/page_picture.hpp"

#include <algorithm>
#include <array>

namespace seekahead::cli {

namespace {

constexpr std::size_t kept = 3;  // columns that stay at each side of a cut

// Equal neighbouring columns.
struct Stretch {
  PageIndex first;
  std::size_t count;
  PageColumn column;
  bool cut = false;

  std::string cut_label() const { return "<+" + std::to_string(count - 2 * kept) + ">"; }
  std::size_t width() const { return cut ? 2 * kept + cut_label().size() : count; }
};

std::vector<Stretch> stretches_of(PageIndex first, const std::vector<PageColumn>& columns) {
  std::vector<Stretch> stretches;
  for (const PageColumn& column : columns) {
    if (stretches.empty() || !(stretches.back().column == column)) {
      stretches.push_back({first, 0, column});
    }
    ++stretches.back().count;
    ++first;
  }
  return stretches;
}

std::size_t width_of(const std::vector<Stretch>& stretches) {
  std::size_t width = 0;
  for (const Stretch& stretch : stretches) {
    width += stretch.width();
  }
  return width;
}

// Cuts the longest stretches first, until the picture fits or nothing is gained any more.
void shrink(std::vector<Stretch>& stretches, std::size_t width) {
  while (width_of(stretches) > width) {
    Stretch* longest = nullptr;
    for (Stretch& stretch : stretches) {
      if (!stretch.cut && (longest == nullptr || stretch.count > longest->count)) {
        longest = &stretch;
      }
    }
    if (longest == nullptr || longest->count <= 2 * kept + longest->cut_label().size()) {
      return;
    }
    longest->cut = true;
  }
}

class Rows {
 public:
  void add(const Stretch& stretch) {
    if (!stretch.cut) {
      fill(stretch.first, stretch.count, stretch.column);
      return;
    }
    const std::string label = stretch.cut_label();
    fill(stretch.first, kept, stretch.column);
    asked_ += std::string(label.size(), stretch.column.asked);
    pages_ += label;
    window_ += std::string(label.size(), stretch.column.window);
    fill(stretch.first + (stretch.count - kept), kept, stretch.column);
  }

  std::vector<std::string> text(std::size_t width) const {
    std::vector<std::string> rows = {ruler_, asked_, pages_, window_};
    for (std::string& row : rows) {
      row.erase(row.find_last_not_of(' ') + 1);
      if (row.size() > width) {
        row.resize(width - 3);
        row += "...";
      }
    }
    return rows;
  }

 private:
  void fill(PageIndex first, std::size_t count, const PageColumn& column) {
    for (std::size_t i = 0; i < count; ++i) {
      const PageIndex page = first + i;
      const bool jump = page != expected_;
      if ((jump || page % 10 == 0) && (ruler_.empty() || pages_.size() > ruler_.size())) {
        ruler_ += std::string(pages_.size() - ruler_.size(), ' ') + std::to_string(page);
      }
      expected_ = page + 1;
      asked_ += column.asked;
      pages_ += column.page;
      window_ += column.window;
    }
  }

  std::string ruler_, asked_, pages_, window_;
  PageIndex expected_ = ~PageIndex{0};
};

}  // namespace

std::vector<std::string> draw_pages(PageIndex first, const std::vector<PageColumn>& columns,
                                    std::size_t width) {
  std::vector<Stretch> stretches = stretches_of(first, columns);
  shrink(stretches, width);
  Rows rows;
  for (const Stretch& stretch : stretches) {
    rows.add(stretch);
  }
  return rows.text(width);
}

}  // namespace seekahead::cli
