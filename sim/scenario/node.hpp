// A TOML document as the scenario loader sees it: a tree in which every key and value knows where it was
// written, whether in the scenario, an included file, a drive file or `--set`.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/scenario/diagnostics.hpp"

namespace seekahead {

struct Node {
  enum class Kind { table, array, text, integer, real, boolean, date };

  Kind kind = Kind::table;
  std::string key;             // inside a table
  Position where;              // of the value
  Position key_where;          // of the key; of an element of an array: as `where`
  bool is_override = false;    // comes from --set or [sweep] and wins over what the files say
  bool is_default = false;     // comes from a drive file, under the keys of its [[device]]
  std::string text;            // of Kind::text; of any other kind of an override: as it was written
  std::string replaced;        // of an override: the text that stands in its place in the files
  std::int64_t integer = 0;    // of Kind::integer
  double real = 0;             // of Kind::real
  bool boolean = false;        // of Kind::boolean
  std::vector<Node> children;  // of a table (with keys, in order of the text) or an array

  bool is_table() const { return kind == Kind::table; }
  bool is_array() const { return kind == Kind::array; }
  bool is_text() const { return kind == Kind::text; }
  bool is_number() const { return kind == Kind::integer || kind == Kind::real; }
  double number() const { return kind == Kind::integer ? static_cast<double>(integer) : real; }

  const Node* find(std::string_view name) const;
  Node* find(std::string_view name);

  static Node make_text(std::string value);
  static Node make_integer(std::int64_t value);
  static Node make_real(double value);
  static Node make_boolean(bool value);
  static Node make_array();

  // Appends to a table under `name`, or replaces what is there.
  Node& set(std::string name, Node value);
};

// "a table", "text", "a whole number", ... for messages.
std::string kind_name(const Node& node);

// All of it is an array of tables: [[device]].
bool is_array_of_tables(const Node& node);

// The value as it would stand in a TOML file on one line: "text", 31, [1, 2], { a = 1 }.
std::string value_text(const Node& node);

// The whole document. Plain keys come first, then sub-tables, then arrays of tables; those whose tables hold
// plain values only are written as one inline table a line below their key.
std::string write_toml(const Node& root);

// A key as TOML wants it: quoted unless bare.
std::string key_text(std::string_view key);

// Adds to `upper` what only `lower` has; tables are merged, the values of `upper` stay. With
// `join_arrays`, the arrays of tables of `lower` come in front of those of `upper` (includes); without, an
// override that names an element of an array of `lower` is carried into it (drive files).
void merge_under(Node& upper, const Node& lower, bool join_arrays, Diagnostics& diagnostics);

// The element of an array that a path names: the table whose `name` it is, else by index. Null: none.
Node* element(Node& array, const std::string& name_or_index);
const Node* element(const Node& array, const std::string& name_or_index);

}  // namespace seekahead
