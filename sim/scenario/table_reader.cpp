#include "sim/scenario/table_reader.hpp"

#include <algorithm>
#include <utility>

#include "sim/scenario/echo.hpp"
#include "sim/scenario/parameter_value.hpp"
#include "sim/scenario/quantities.hpp"

namespace seekahead {

TableReader::TableReader(const Node* table, std::string title, Position fallback, Diagnostics& diagnostics)
    : table_(table), title_(std::move(title)), fallback_(std::move(fallback)), diagnostics_(diagnostics) {
  if (table_ != nullptr && !table_->is_table()) {
    error(table_->where, title_ + " must be a table, not " + kind_name(*table_));
    table_ = nullptr;
  }
  frames_.push_back({table_, ""});
}

bool TableReader::read(Parameters& parameters) {
  const bool was_ok = std::exchange(ok_, true);
  parameters.visit(*this);
  if (ok_) {
    parameters.check([&](std::string_view name, const std::string& message) {
      error(position_of(name), std::string(name) + " " + message);
    });
  }
  if (ok_ && without_effect_ != nullptr) {
    refuse_without_effect(parameters);
  }
  const bool good = ok_;
  ok_ = was_ok && good;
  return good;
}

void TableReader::replaces(Parameters& old, Standing standing) {
  for (const Description& parameter : describe(old)) {
    replaced_.insert(parameter.name);
  }
  standing_ = standing;
}

const Node* TableReader::take(std::string_view name) { return look_up(name); }

const Node* TableReader::take_text(std::string_view name) {
  const Node* node = take(name);
  if (node != nullptr && !node->is_text()) {
    error(node->where, std::string(name) + " must be text, not " + kind_name(*node));
    return nullptr;
  }
  if (node != nullptr && node->text.empty()) {
    error(node->where, std::string(name) + " must not be empty");
    return nullptr;
  }
  return node;
}

void TableReader::missing(std::string_view name, const std::string& what) {
  ok_ = false;
  if (!tolerates_missing_) {
    error(fallback_, title_ + " needs " + std::string(name) + ": " + what);
  }
}

void TableReader::finish(bool known) {
  if (known && table_ != nullptr) {
    refuse_unknown(*table_, "");
  }
}

const Node* TableReader::written(std::string_view dotted) const {
  const Node* node = table_;
  while (node != nullptr && !dotted.empty()) {
    const std::size_t dot = dotted.find('.');
    const std::string_view part = dotted.substr(0, dot);
    dotted.remove_prefix(dot == std::string_view::npos ? dotted.size() : dot + 1);
    const std::optional<std::int64_t> index = parse_integer(part);
    const bool is_element =
        node->is_array() && index && *index >= 0 && *index < static_cast<std::int64_t>(node->children.size());
    node = is_element ? &node->children[static_cast<std::size_t>(*index)] : node->find(part);
  }
  return node;
}

Position TableReader::position_of(std::string_view dotted) const {
  for (std::string_view prefix = dotted; !prefix.empty();) {
    if (const Node* node = written(prefix)) {
      return node->is_table() || node->is_array() ? node->key_where : node->where;
    }
    const std::size_t dot = prefix.rfind('.');
    prefix = prefix.substr(0, dot == std::string_view::npos ? 0 : dot);
  }
  return fallback_;
}

void TableReader::refuse_without_effect(const Parameters& parameters) {
  parameters.without_effect([&](std::string_view name, const std::string& reason) {
    const Node* node = written(name);
    const bool counts = node != nullptr && !node->is_default &&
                        (standing_of(*node) == Standing::argument || !without_effect_of_arguments_only_);
    if (counts) {
      without_effect_->error(node->key_where, std::string(name) + " has no effect: " + reason);
    }
  });
}

void TableReader::visit(const Parameter& parameter) {
  const Node* node = look_up(parameter.name);
  if (node == nullptr) {
    if (parameter.required && frames_.back().node != nullptr) {
      missing(frames_.back().path + std::string(parameter.name), std::string(parameter.help));
    }
    return;
  }
  std::string hint;
  const std::string problem = assign(parameter, *node, hint);
  const bool is_left =
      !parameter.required && is_left_aside(*node, frames_.back().path + std::string(parameter.name));
  if (!problem.empty() && !is_left) {
    error(node->where, std::string(parameter.name) + ": " + problem, hint);
  }
}

void TableReader::enter(std::string_view group) {
  const Node* node = look_up(group);
  if (node != nullptr && !node->is_table() &&
      is_left_aside(*node, frames_.back().path + std::string(group))) {
    node = nullptr;
  } else if (node != nullptr && !node->is_table()) {
    error(node->where, std::string(group) + " must be a table, not " + kind_name(*node));
    node = nullptr;
  }
  push(node, group);
}

std::size_t TableReader::begin_rows(std::string_view name, std::size_t current_count, std::string_view,
                                    std::string_view) {
  const Node* node = look_up(name);
  const bool good =
      node != nullptr && (is_array_of_tables(*node) || (node->is_array() && node->children.empty()));
  if (node != nullptr && !good && !is_left_aside(*node, frames_.back().path + std::string(name))) {
    error(node->where, std::string(name) + " must be a list of tables, not " + kind_name(*node) +
                           (node->is_array() ? " of other values" : ""));
  }
  push(good ? node : nullptr, name);
  return good ? node->children.size() : current_count;
}

void TableReader::begin_row(std::size_t index) {
  const Frame& rows = frames_.back();
  frames_.push_back({rows.node == nullptr ? nullptr : &rows.node->children[index],
                     rows.path + std::to_string(index) + "."});
}

const Node* TableReader::look_up(std::string_view name) {
  const Frame& frame = frames_.back();
  known_[frame.path].emplace_back(name);
  return frame.node == nullptr ? nullptr : frame.node->find(name);
}

void TableReader::push(const Node* node, std::string_view name) {
  frames_.push_back({node, frames_.back().path + std::string(name) + "."});
}

void TableReader::error(const Position& where, const std::string& message, const std::string& hint) {
  ok_ = false;
  diagnostics_.error(where, message, hint);
}

void TableReader::refuse_unknown(const Node& table, const std::string& path) {
  if (table.is_array()) {
    for (std::size_t i = 0; i < table.children.size(); ++i) {
      refuse_unknown(table.children[i], path + std::to_string(i) + ".");
    }
    return;
  }
  const auto found = known_.find(path);
  if (found == known_.end()) {
    return;  // a plain value, or a table that was read by hand
  }
  std::vector<std::string> names = found->second;
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  for (const Node& child : table.children) {
    if (std::binary_search(names.begin(), names.end(), child.key)) {
      refuse_unknown(child, path + child.key + ".");
    } else {
      leave_aside(child, path, names);
    }
  }
}

// A key that nobody read belongs to the model that was replaced, or is unknown.
void TableReader::leave_aside(const Node& node, const std::string& path,
                              const std::vector<std::string>& known) {
  const std::string dotted = path + node.key;
  const auto inside = replaced_.lower_bound(dotted + ".");
  const bool is_group = inside != replaced_.end() && inside->starts_with(dotted + ".");
  if (node.is_table() && is_group) {
    for (const Node& child : node.children) {
      leave_aside(child, dotted + ".", known);
    }
  } else if (!is_left_aside(node, dotted)) {
    unknown(node, path, known);
  }
}

bool TableReader::is_left_aside(const Node& node, const std::string& dotted) const {
  return standing_of(node) < standing_ && replaced_.contains(dotted);
}

void TableReader::unknown(const Node& node, const std::string& path, const std::vector<std::string>& known) {
  const std::string best = nearest(node.key, known);
  error(node.key_where,
        "unknown key " + in_quotes(node.key) + " in " + title_ +
            (path.empty() ? "" : " " + path.substr(0, path.size() - 1)) +
            (best.empty() ? "" : "; did you mean \"" + best + "\"?"),
        suggestion("", known, "keys"));
}

}  // namespace seekahead
