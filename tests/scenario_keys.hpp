// Every key of a scenario's effective configuration, as `--set` takes it: for tests that turn each of them.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "sim/scenario/effective.hpp"
#include "tests/scenario_text.hpp"

namespace seekahead::test {

inline void collect_keys(const Node& node, const std::string& path,
                         std::vector<std::pair<std::string, std::string>>& out) {
  for (std::size_t i = 0; i < node.children.size(); ++i) {
    const Node& child = node.children[i];
    const Node* name = child.find("name");
    const std::string part = node.is_table()                      ? key_text(child.key)
                             : name != nullptr && name->is_text() ? name->text
                                                                  : std::to_string(i);
    const std::string key = path.empty() ? part : path + "." + part;
    if (child.is_table() || is_array_of_tables(child)) {
      collect_keys(child, key, out);
    } else {
      out.emplace_back(key, value_text(child));
    }
  }
}

// Key and value, as in {"device.hda.bus.mode", "\"udma5\""}.
inline std::vector<std::pair<std::string, std::string>> keys_of(const Scenario& scenario) {
  Diagnostics diagnostics;
  const Document document = parse_document(effective_configuration(scenario), "echo.toml", diagnostics);
  std::vector<std::pair<std::string, std::string>> out;
  collect_keys(document.root, "", out);
  return out;
}

}  // namespace seekahead::test
