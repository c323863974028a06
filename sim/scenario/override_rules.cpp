#include "sim/scenario/override_rules.hpp"

#include <algorithm>
#include <map>
#include <string_view>

namespace seekahead {

namespace {

// Keys of a table that exclude each other; those on one line go together. A section of one table (not an
// array) has depth 1: readahead.setra, but device.hda.setra.
struct Alternatives {
  std::string_view section;
  std::size_t depth;
  std::vector<std::vector<std::string_view>> keys;
};

const std::vector<Alternatives>& alternatives() {
  static const std::vector<Alternatives> all = {
      {"readahead", 1, {{"max_readahead"}, {"read_ahead_kb"}, {"setra"}}},
      {"device", 2, {{"max_readahead"}, {"read_ahead_kb"}, {"setra"}}},
      {"device", 2, {{"drive"}, {"model"}}},
      {"file", 2, {{"position"}, {"sector"}, {"after", "distance"}}},
  };
  return all;
}

// Index of the line that has the key; as many as there are lines: none.
std::size_t line_of(const Alternatives& group, const KeyPath& path) {
  const auto line = std::find_if(group.keys.begin(), group.keys.end(), [&](const auto& keys) {
    return std::find(keys.begin(), keys.end(), path.back()) != keys.end();
  });
  return static_cast<std::size_t>(line - group.keys.begin());
}

}  // namespace

Standing standing_of(const Node& node) {
  if (!node.is_override) {
    return Standing::text;
  }
  return node.where.text != nullptr && node.where.text->is_argument ? Standing::argument
                                                                    : Standing::axis_of_text;
}

KeyPath canonical(const Node& root, KeyPath path) {
  const Node* node = &root;
  for (std::size_t i = 0; i < path.size() && node != nullptr; ++i) {
    const Node* next = node->is_array() ? element(*node, path[i]) : node->find(path[i]);
    if (next != nullptr && node->is_array()) {
      path[i] = std::to_string(next - node->children.data());
    }
    node = next;
  }
  return path;
}

bool are_alternatives(const KeyPath& a, const KeyPath& b) {
  if (a.size() != b.size() || a.empty() || !std::equal(a.begin(), a.end() - 1, b.begin())) {
    return false;
  }
  return std::any_of(alternatives().begin(), alternatives().end(), [&](const Alternatives& group) {
    const std::size_t line_of_a = line_of(group, a);
    const std::size_t line_of_b = line_of(group, b);
    return group.section == a.front() && a.size() == group.depth + 1 && line_of_a < group.keys.size() &&
           line_of_b < group.keys.size() && line_of_a != line_of_b;
  });
}

bool chooses_model(const KeyPath& path) {
  const bool of_section = path.size() == 2 && ((path[0] == "readahead" && path[1] == "policy") ||
                                               (path[0] == "block" && path[1] == "elevator"));
  return of_section || (path.size() == 3 && ((path[0] == "device" && path[2] == "model") ||
                                             (path[0] == "process" && path[2] == "workload")));
}

std::vector<KeyPath> leaves(const KeyPath& path, const Node& value) {
  if (!value.is_table()) {
    return {path};
  }
  std::vector<KeyPath> out;
  for (const Node& child : value.children) {
    KeyPath inner = path;
    inner.push_back(child.key);
    const std::vector<KeyPath> below = leaves(inner, child);
    out.insert(out.end(), below.begin(), below.end());
  }
  return out;
}

void refuse_repeated(const Node& root, const std::vector<Override>& overrides, Diagnostics& diagnostics) {
  std::map<KeyPath, Position> seen;
  for (const Override& override_ : overrides) {
    const Position& where = override_.value.key_where;
    const auto [first, is_new] = seen.try_emplace(canonical(root, override_.path), where);
    if (!is_new) {
      diagnostics.error(where, "this key is given twice", "", {{first->second, "the other one"}});
    }
  }
}

}  // namespace seekahead
