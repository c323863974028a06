#include "sim/scenario/override_rules.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

#include "sim/scenario/document.hpp"

namespace seekahead {

namespace {

using Names = std::vector<std::string_view>;

// A section whose tables name a model: under which key, and the keys that stay whatever the model is.
struct ModelSection {
  std::string_view section;
  std::size_t depth;  // of its tables: readahead.policy, but device.hda.model
  std::string_view key;
  Names kept;
};

const std::array<ModelSection, 4>& model_sections() {
  static const std::array<ModelSection, 4> all = {{
      {"readahead", 1, "policy", {"max_readahead", "read_ahead_kb", "setra"}},
      {"block", 1, "elevator", {"kernel", "max_request", "request_slots", "max_segments"}},
      {"device",
       2,
       "model",
       {"name", "max_readahead", "read_ahead_kb", "setra", "host_turnaround", "channel"}},
      {"process", 2, "workload", {"name", "files", "count", "start", "command", "pid"}},
  }};
  return all;
}

// Groups of keys that exclude each other, in the tables of a section.
struct Alternatives {
  std::string_view section;
  std::size_t depth;
  Names keys;
};

const std::array<Alternatives, 4>& alternatives() {
  static const std::array<Alternatives, 4> all = {{
      {"readahead", 1, {"max_readahead", "read_ahead_kb", "setra"}},
      {"device", 2, {"max_readahead", "read_ahead_kb", "setra"}},
      {"device", 2, {"drive", "model"}},
      {"file", 2, {"position", "sector", "distance"}},
  }};
  return all;
}

bool contains(const Names& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

const Node* find_path(const Node& root, const KeyPath& path, std::size_t depth) {
  // element() is for changing ones.
  Node* node = const_cast<Node*>(&root);
  for (std::size_t i = 0; i < depth && node != nullptr; ++i) {
    node = node->is_array() ? element(*node, path[i]) : node->find(path[i]);
  }
  return node;
}

// Keys of the text go, those of overrides and the tables around them stay.
void erase_text(Node& table, const Names& kept) {
  const auto stays = [&](const Node& child) { return child.is_override || contains(kept, child.key); };
  for (Node& child : table.children) {
    if (child.is_table() && !stays(child)) {
      erase_text(child, {"channel"});
    }
  }
  std::erase_if(table.children, [&](const Node& child) {
    return !stays(child) && !(child.is_table() && !child.children.empty());
  });
}

bool is_other(const Node* old, const Node& value) { return old != nullptr && old->text != value.text; }

}  // namespace

bool are_alternatives(const KeyPath& a, const KeyPath& b) {
  if (a.size() != b.size() || a.empty() || !std::equal(a.begin(), a.end() - 1, b.begin())) {
    return false;
  }
  return std::any_of(alternatives().begin(), alternatives().end(), [&](const Alternatives& group) {
    return group.section == a.front() && a.size() == group.depth + 1 && contains(group.keys, a.back()) &&
           contains(group.keys, b.back());
  });
}

void remove_axes(Node& sweep, const KeyPath& path) {
  const auto goes = [&](const Node& child, const KeyPath& before) {
    const std::optional<KeyPath> parsed = parse_key_path(child.key);
    if (!parsed) {
      return false;
    }
    KeyPath axis = before;
    axis.insert(axis.end(), parsed->begin(), parsed->end());
    return axis == path || are_alternatives(axis, path);
  };
  for (Node& child : sweep.children) {  // [sweep.readahead] and the like
    const std::optional<KeyPath> before = parse_key_path(child.key);
    if (before && child.is_table() && child.find("random") == nullptr) {
      std::erase_if(child.children, [&](const Node& inner) { return goes(inner, *before); });
    }
  }
  std::erase_if(sweep.children, [&](const Node& child) {
    return goes(child, {}) || (child.is_table() && child.children.empty());
  });
}

bool is_replaced(const KeyPath& axis, const std::vector<Node>& values, const KeyPath& overridden) {
  if (axis == overridden || are_alternatives(axis, overridden)) {
    return true;
  }
  const bool is_around =
      axis.size() + 1 == overridden.size() && std::equal(axis.begin(), axis.end(), overridden.begin());
  return is_around && std::any_of(values.begin(), values.end(), [&](const Node& value) {
           return value.is_table() && value.find(overridden.back()) != nullptr;
         });
}

void forget_replaced_model(Node& root, const KeyPath& path, const Node& value) {
  for (const ModelSection& section : model_sections()) {
    if (path.empty() || path.front() != section.section) {
      continue;
    }
    // Either the key itself is set or the table around it.
    const bool is_key = path.size() == section.depth + 1 && path.back() == section.key;
    const Node* name = is_key ? &value : path.size() == section.depth ? value.find(section.key) : nullptr;
    Node* table = const_cast<Node*>(find_path(root, path, section.depth));
    if (name == nullptr || !name->is_text() || table == nullptr || !table->is_table()) {
      return;
    }
    const bool from_drive = section.section == "device" && table->find("drive") != nullptr;
    if (is_other(table->find(section.key), *name) || from_drive) {
      Names kept = section.kept;
      kept.push_back(section.key);
      erase_text(*table, kept);
    }
  }
}

}  // namespace seekahead
