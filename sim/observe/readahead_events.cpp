#include "sim/observe/readahead_events.hpp"

#include <algorithm>
#include <cstdio>

namespace seekahead {

namespace {

std::string cell(const std::string& text, int width) {
  char buffer[32];
  std::snprintf(buffer, sizeof buffer, "%*s", width, text.c_str());
  return buffer;
}

std::string mean(std::uint64_t sum, std::uint64_t count) {
  char buffer[32];
  std::snprintf(buffer, sizeof buffer, "%.1f", static_cast<double>(sum) / static_cast<double>(count));
  return buffer;
}

std::string line(std::string_view name, const ReadaheadEvents::Row& row) {
  const std::uint64_t with_io = row.windows - row.empty;
  std::string text = cell(std::string(name), 12);
  for (const std::uint64_t count : {row.windows, row.full, row.empty, row.eof_hit, row.cache_hit,
                                    row.pages_asked, row.pages_async, row.pages_read}) {
    text += cell(std::to_string(count), 12);
  }
  text += cell(mean(row.pages_asked, std::max<std::uint64_t>(row.windows, 1)), 12);
  text += cell(mean(row.pages_async, std::max<std::uint64_t>(row.windows, 1)), 12);
  text += cell(mean(row.pages_read, std::max<std::uint64_t>(with_io, 1)), 12);
  return text + "\n";
}

}  // namespace

ReadaheadEvents::Row& ReadaheadEvents::Row::operator+=(const Row& other) {
  windows += other.windows;
  full += other.full;
  empty += other.empty;
  eof_hit += other.eof_hit;
  cache_hit += other.cache_hit;
  pages_asked += other.pages_asked;
  pages_async += other.pages_async;
  pages_read += other.pages_read;
  return *this;
}

void ReadaheadEvents::submitted(const Submission& wish, std::uint64_t pages_read, PageIndex end_page) {
  const std::uint64_t in_file = wish.start < end_page ? std::min(wish.count, end_page - wish.start) : 0;
  Row& row = rows_[static_cast<std::size_t>(wish.window_class)];
  ++row.windows;
  row.full += pages_read == wish.count ? 1 : 0;
  row.empty += pages_read == 0 ? 1 : 0;
  row.eof_hit += in_file < wish.count ? 1 : 0;
  row.cache_hit += pages_read < in_file ? 1 : 0;
  row.pages_asked += wish.count;
  row.pages_async += wish.async_size;
  row.pages_read += pages_read;
}

ReadaheadEvents::Row ReadaheadEvents::total() const {
  Row sum;
  for (const Row& row : rows_) {
    sum += row;
  }
  return sum;
}

std::string ReadaheadEvents::text() const {
  std::string table = cell("class", 12);
  for (const char* title : {"windows", "full", "empty", "eof_hit", "cache_hit", "asked", "async", "read",
                            "size", "async_size", "io_size"}) {
    table += cell(title, 12);
  }
  table += "\n";
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    if (rows_[i].windows != 0) {
      table += line(window_class_name(static_cast<WindowClass>(i)), rows_[i]);
    }
  }
  return table + line("total", total());
}

}  // namespace seekahead
