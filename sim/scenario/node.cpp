#include "sim/scenario/node.hpp"

#include <algorithm>
#include <utility>

#include "sim/scenario/quantities.hpp"

namespace seekahead {

namespace {

bool is_bare(std::string_view key) {
  return !key.empty() && std::all_of(key.begin(), key.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  });
}

std::string string_text(std::string_view text) {
  constexpr char hex[] = "0123456789ABCDEF";
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (byte < 0x20 || byte == 0x7F) {
      out += "\\u00";
      out += hex[byte >> 4];
      out += hex[byte & 15];
    } else {
      out += c;
    }
  }
  return out + "\"";
}

bool is_section(const Node& node) { return node.is_table() || is_array_of_tables(node); }

// Tables of nothing but plain values read better on one line each.
bool is_flat(const Node& table) {
  return std::none_of(table.children.begin(), table.children.end(), is_section);
}

bool is_list_of_rows(const Node& node) {
  return is_array_of_tables(node) && std::all_of(node.children.begin(), node.children.end(), is_flat);
}

void write_table(const Node& table, const std::string& path, bool is_root, std::string& out);

void write_rows(const Node& rows, std::string& out) {
  out += key_text(rows.key) + " = [\n";
  for (const Node& row : rows.children) {
    out += "  " + value_text(row) + ",\n";
  }
  out += "]\n";
}

void write_sections(const Node& table, const std::string& path, std::string& out) {
  for (const Node& child : table.children) {
    const std::string name = path + (path.empty() ? "" : ".") + key_text(child.key);
    if (child.is_table()) {
      out += "\n[" + name + "]\n";
      write_table(child, name, false, out);
    } else if (is_array_of_tables(child)) {
      for (const Node& element : child.children) {
        out += "\n[[" + name + "]]\n";
        write_table(element, name, false, out);
      }
    }
  }
}

void write_table(const Node& table, const std::string& path, bool is_root, std::string& out) {
  Node sections;
  for (const Node& child : table.children) {
    if (!is_section(child)) {
      out += key_text(child.key) + " = " + value_text(child) + "\n";
    } else if (!is_root && is_list_of_rows(child)) {
      write_rows(child, out);
    } else {
      sections.children.push_back(child);
    }
  }
  write_sections(sections, path, out);
}

}  // namespace

const Node* Node::find(std::string_view name) const {
  for (const Node& child : children) {
    if (child.key == name && is_table()) {
      return &child;
    }
  }
  return nullptr;
}

Node* Node::find(std::string_view name) { return const_cast<Node*>(std::as_const(*this).find(name)); }

Node Node::make_text(std::string value) {
  Node node;
  node.kind = Kind::text;
  node.text = std::move(value);
  return node;
}

Node Node::make_integer(std::int64_t value) {
  Node node;
  node.kind = Kind::integer;
  node.integer = value;
  return node;
}

Node Node::make_real(double value) {
  Node node;
  node.kind = Kind::real;
  node.real = value;
  return node;
}

Node Node::make_boolean(bool value) {
  Node node;
  node.kind = Kind::boolean;
  node.boolean = value;
  return node;
}

Node Node::make_array() {
  Node node;
  node.kind = Kind::array;
  return node;
}

Node& Node::set(std::string name, Node value) {
  value.key = std::move(name);
  if (Node* present = find(value.key)) {
    *present = std::move(value);
    return *present;
  }
  children.push_back(std::move(value));
  return children.back();
}

std::string kind_name(const Node& node) {
  switch (node.kind) {
    case Node::Kind::table:
      return "a table";
    case Node::Kind::array:
      return "a list";
    case Node::Kind::text:
      return "text";
    case Node::Kind::integer:
      return "a whole number";
    case Node::Kind::real:
      return "a number with a fraction";
    case Node::Kind::boolean:
      return "true or false";
    case Node::Kind::date:
      return "a date or time of day";
  }
  return "a value";
}

bool is_array_of_tables(const Node& node) {
  return node.is_array() && !node.children.empty() &&
         std::all_of(node.children.begin(), node.children.end(), [](const Node& n) { return n.is_table(); });
}

std::string key_text(std::string_view key) { return is_bare(key) ? std::string(key) : string_text(key); }

std::string value_text(const Node& node) {
  switch (node.kind) {
    case Node::Kind::integer:
      return std::to_string(node.integer);
    case Node::Kind::real: {
      const std::string text = format_real(node.real);
      return text.find_first_of(".en") == std::string::npos ? text + ".0" : text;
    }
    case Node::Kind::boolean:
      return node.boolean ? "true" : "false";
    case Node::Kind::date:
      return node.text;
    case Node::Kind::text:
      return string_text(node.text);
    case Node::Kind::array:
    case Node::Kind::table:
      break;
  }
  std::string out;
  for (const Node& child : node.children) {
    out +=
        (out.empty() ? "" : ", ") + (node.is_table() ? key_text(child.key) + " = " : "") + value_text(child);
  }
  return node.is_array() ? "[" + out + "]" : out.empty() ? "{}" : "{ " + out + " }";
}

std::string write_toml(const Node& root) {
  std::string out;
  write_table(root, "", true, out);
  if (out.starts_with("\n")) {
    out.erase(0, 1);
  }
  return out;
}

void merge_under(Node& upper, const Node& lower, bool join_arrays, Diagnostics& diagnostics) {
  for (const Node& below : lower.children) {
    Node* above = upper.find(below.key);
    if (above == nullptr) {
      upper.children.push_back(below);
    } else if (above->is_table() && below.is_table()) {
      merge_under(*above, below, join_arrays, diagnostics);
    } else if (join_arrays && is_array_of_tables(*above) && is_array_of_tables(below)) {
      above->children.insert(above->children.begin(), below.children.begin(), below.children.end());
    } else if (above->is_table() && above->is_override && below.is_array()) {
      const Node changes = *above;
      *above = below;
      for (const Node& change : changes.children) {
        Node* changed = element(*above, change.key);
        if (changed == nullptr) {
          diagnostics.error(
              change.key_where, in_quotes(below.key) + " has no element " + in_quotes(change.key),
              "it has " + std::to_string(below.children.size()), {{below.key_where, "this list"}});
        } else if (changed->is_table() && change.is_table()) {
          Node merged = change;
          merge_under(merged, *changed, join_arrays, diagnostics);
          merged.key = changed->key;
          *changed = std::move(merged);
        } else {
          *changed = change;
          changed->key.clear();
        }
      }
    } else if (above->is_table() != below.is_table() && !above->is_override) {
      diagnostics.error(above->where, in_quotes(below.key) + " is " + kind_name(*above) + " here",
                        "the other file has " + kind_name(below), {{below.key_where, "the other place"}});
    }
  }
}

const Node* element(const Node& array, const std::string& name_or_index) {
  for (const Node& child : array.children) {
    const Node* name = child.find("name");
    if (name != nullptr && name->is_text() && name->text == name_or_index) {
      return &child;
    }
  }
  const std::optional<std::int64_t> index = parse_integer(name_or_index);
  const bool inside = index && *index >= 0 && *index < static_cast<std::int64_t>(array.children.size());
  return inside ? &array.children[static_cast<std::size_t>(*index)] : nullptr;
}

Node* element(Node& array, const std::string& name_or_index) {
  return const_cast<Node*>(element(std::as_const(array), name_or_index));
}

}  // namespace seekahead
