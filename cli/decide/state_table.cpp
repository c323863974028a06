#include "cli/decide/state_table.hpp"

namespace seekahead::cli {

const StateTable::Field* StateTable::find(std::string_view name) const {
  for (const Field& field : fields_) {
    if (field.name == name) {
      return &field;
    }
  }
  return nullptr;
}

std::uint64_t StateTable::value(std::string_view name) const {
  const Field* field = find(name);
  return field != nullptr ? field->value : 0;
}

std::vector<StateTable::Window> StateTable::windows() const {
  std::vector<Window> windows;
  const auto add = [&](char sign, PageIndex first, PageIndex past) {
    constexpr PageIndex sane = PageIndex{1} << 60;
    if (first < past && past < sane) {
      windows.push_back({sign, first, past});
    }
  };
  if (find("f_raend") != nullptr) {  // linux-2.4: the newest block is the end of the window
    const std::uint64_t end = value("f_raend");
    const std::uint64_t newest = end - value("f_ralen");
    const std::uint64_t first = end - value("f_rawin");
    if (first < newest) {
      add('w', first, newest);
      add('a', newest, end);
    } else {
      add('w', first, end);
    }
  } else if (find("readahead_index") != nullptr) {  // adaptive: the mark divides the chunk
    add('w', value("ra_index"), value("lookahead_index"));
    add('a', value("lookahead_index"), value("readahead_index"));
  } else if (find("start") != nullptr && find("size") != nullptr) {
    const std::uint64_t end = value("start") + value("size");
    const std::uint64_t async = value("async_size");
    const std::uint64_t mark = end - (async < value("size") ? async : value("size"));
    add('w', value("start"), mark);
    add('a', mark, end);
    if (value("ahead_start") != 0) {
      add('a', value("ahead_start"), value("ahead_start") + value("ahead_size"));
    }
  }
  return windows;
}

}  // namespace seekahead::cli
