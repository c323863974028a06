#include "sim/scenario/document.hpp"

#include <toml++/toml.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <set>
#include <sstream>
#include <utility>

#include "sim/scenario/utf8.hpp"

namespace seekahead {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t largest_file = 16 << 20;  // bytes; a scenario is text written by people
constexpr std::size_t deepest_include = 16;
constexpr int deepest_key = 64;           // parts of a dotted key: the parser recurses
constexpr std::size_t most_mistakes = 8;  // lines of broken TOML that are skipped to find further ones

using Text = std::shared_ptr<const SourceText>;

Position at(const Text& text, const toml::source_region& region) {
  const bool one_line = region.end.line == region.begin.line && region.end.column > region.begin.column;
  return {text, region.begin.line, std::max<std::int64_t>(1, region.begin.column),
          one_line ? static_cast<std::int64_t>(region.end.column) - region.begin.column : 1};
}

Node convert(const toml::node& from, const Text& text) {
  Node to;
  to.where = at(text, from.source());
  to.key_where = to.where;
  if (const toml::table* table = from.as_table()) {
    for (const auto& [key, value] : *table) {
      Node child = convert(value, text);
      child.key = std::string(key.str());
      child.key_where = at(text, key.source());
      to.children.push_back(std::move(child));
    }
    // The parser sorts by name; people want the order in which they wrote.
    std::stable_sort(to.children.begin(), to.children.end(), [](const Node& a, const Node& b) {
      return std::pair(a.key_where.line, a.key_where.column) <
             std::pair(b.key_where.line, b.key_where.column);
    });
  } else if (const toml::array* array = from.as_array()) {
    to.kind = Node::Kind::array;
    for (const toml::node& element : *array) {
      to.children.push_back(convert(element, text));
    }
  } else if (const auto* string = from.as_string()) {
    to.kind = Node::Kind::text;
    to.text = string->get();
  } else if (const auto* integer = from.as_integer()) {
    to.kind = Node::Kind::integer;
    to.integer = integer->get();
  } else if (const auto* real = from.as_floating_point()) {
    to.kind = Node::Kind::real;
    to.real = real->get();
  } else if (const auto* boolean = from.as_boolean()) {
    to.kind = Node::Kind::boolean;
    to.boolean = boolean->get();
  } else {
    to.kind = Node::Kind::date;
    std::ostringstream written;
    if (const auto* date = from.as_date()) {
      written << date->get();
    } else if (const auto* time = from.as_time()) {
      written << time->get();
    } else if (const auto* date_time = from.as_date_time()) {
      written << date_time->get();
    }
    to.text = written.str();
  }
  return to;
}

struct Mistake {
  std::int64_t line = 1;
  std::int64_t column = 1;
  std::string message;
};

// Either the tree or where the text stops being TOML.
std::optional<Node> parse(std::string_view text, const Text& source, Mistake& mistake) {
  try {
    return convert(toml::parse(text, source->name), source);
  } catch (const toml::parse_error& error) {
    mistake = {error.source().begin.line, std::max<std::int64_t>(1, error.source().begin.column),
               std::string(error.description())};
  }
  return std::nullopt;
}

// First line with a key of absurdly many parts, which the parser would follow until the stack ends; 0: none.
std::int64_t line_of_deep_key(const SourceText& source) {
  for (std::size_t i = 0; i < source.lines.size(); ++i) {
    int dots = 0;
    char quote = 0;
    for (const char c : source.lines[i]) {
      if (quote != 0) {
        quote = c == quote ? '\0' : quote;
      } else if (c == '"' || c == '\'') {
        quote = c;
      } else if (c == '.') {
        if (++dots > deepest_key) {
          return static_cast<std::int64_t>(i) + 1;
        }
      } else if (c == ',' || c == '=' || c == '{' || c == '[' || c == '#') {
        dots = 0;
      }
    }
  }
  return 0;
}

std::string joined(const std::vector<std::string>& lines) {
  std::string out;
  for (const std::string& line : lines) {
    out += line + "\n";
  }
  return out;
}

// TOML ends at its first mistake. To show as much as possible at once, broken lines are taken out; if that
// leads nowhere (an unfinished list swallows the lines that follow), what stands before the first is used.
Node recover(const Text& source, const Mistake& first, Diagnostics& diagnostics) {
  std::vector<std::string> lines = source->lines;
  std::vector<Mistake> mistakes = {first};
  for (std::size_t i = 0; i < mistakes.size() && i < most_mistakes; ++i) {
    const auto line = static_cast<std::size_t>(mistakes[i].line - 1);
    if (line >= lines.size() || lines[line].empty()) {
      break;
    }
    lines[line].clear();
    Mistake next;
    if (std::optional<Node> tree = parse(joined(lines), source, next)) {
      for (std::size_t k = 1; k < mistakes.size(); ++k) {
        diagnostics.error({source, mistakes[k].line, mistakes[k].column, 1}, mistakes[k].message);
      }
      return *tree;
    }
    mistakes.push_back(next);
  }
  lines = source->lines;
  lines.resize(std::min(lines.size(), static_cast<std::size_t>(first.line - 1)));
  Mistake ignored;
  return parse(joined(lines), source, ignored).value_or(Node());
}

class IncludeReader {
 public:
  explicit IncludeReader(Diagnostics& diagnostics) : diagnostics_(diagnostics) {}

  Node parse_text(std::string_view text, const std::string& name);
  std::optional<Node> read(const std::string& path, const Position& from);
  bool incomplete() const { return incomplete_; }

 private:
  void include(Node& root, const std::string& includer);
  void include_one(const Node& path, const std::string& includer, Node& included);
  void problem(const Position& where, const std::string& message, const std::string& hint = "") {
    diagnostics_.error(where, message, hint);
    incomplete_ = true;
  }

  Diagnostics& diagnostics_;
  std::vector<std::string> open_;  // canonical paths of the chain of files being read
  std::set<std::string> done_;
  bool incomplete_ = false;
};

Node IncludeReader::parse_text(std::string_view text, const std::string& name) {
  const auto source = std::make_shared<const SourceText>(name, text);
  if (const std::optional<std::size_t> bad = first_invalid_utf8(text)) {
    const std::string_view before = text.substr(0, *bad);
    const std::size_t line_start = before.rfind('\n') + 1;  // npos + 1 is 0
    problem({source, std::count(before.begin(), before.end(), '\n') + 1,
             count_characters(before.substr(line_start)) + 1, 1},
            "this byte is not UTF-8 text", "a scenario is a TOML file in UTF-8");
    return {};
  }
  if (const std::int64_t line = line_of_deep_key(*source); line != 0) {
    problem({source, line, 1, 1}, "this key has more than " + std::to_string(deepest_key) + " parts");
    return {};
  }
  Mistake mistake;
  std::optional<Node> root = parse(text, source, mistake);
  if (!root) {
    problem({source, mistake.line, mistake.column, 1}, mistake.message);
    root = recover(source, mistake, diagnostics_);
  }
  root->where = {source, 1, 1, 1};
  include(*root, name);
  return *std::move(root);
}

void IncludeReader::include(Node& root, const std::string& includer) {
  const Node* found = root.find("include");
  if (found == nullptr) {
    return;
  }
  const Node list = *found;
  root.children.erase(root.children.begin() + (found - root.children.data()));
  Node included;
  if (list.is_text()) {
    include_one(list, includer, included);
  } else if (list.is_array()) {
    for (const Node& path : list.children) {
      include_one(path, includer, included);
    }
  } else {
    problem(list.where, "include must be a list of files, not " + kind_name(list));
  }
  merge_under(root, included, true, diagnostics_);
}

void IncludeReader::include_one(const Node& path, const std::string& includer, Node& included) {
  if (!path.is_text()) {
    return problem(path.where, "include must name files, not " + kind_name(path));
  }
  if (path.text.empty() || path.text == "-" || path.text.find('\0') != std::string::npos) {
    return problem(path.where, in_quotes(path.text) + " is not the name of a file");
  }
  const std::string file = (fs::path(includer).parent_path() / path.text).string();
  std::error_code error;
  const std::string canonical = fs::weakly_canonical(file, error).string();
  if (std::find(open_.begin(), open_.end(), canonical) != open_.end()) {
    problem(path.where, "cycle of includes: " + in_quotes(file) + " is being read already");
  } else if (open_.size() >= deepest_include) {
    problem(path.where, "includes are nested more than " + std::to_string(deepest_include) + " deep");
  } else if (!done_.contains(canonical)) {
    if (std::optional<Node> tree = read(file, path.where)) {
      // Of two includes the later wins: what was collected so far goes under it.
      merge_under(*tree, included, true, diagnostics_);
      included = *std::move(tree);
    }
  }
}

// Reads a whole file; nothing: the reason stands in `why`.
std::optional<std::string> slurp(std::FILE* file, std::string& why) {
  std::string text;
  char buffer[1 << 16];
  while (const std::size_t got = std::fread(buffer, 1, sizeof buffer, file)) {
    text.append(buffer, got);
    if (text.size() > largest_file) {
      why = "is larger than 16 MiB";
      return std::nullopt;
    }
  }
  if (std::ferror(file) != 0) {
    why = std::string("cannot be read: ") + std::strerror(errno);
    return std::nullopt;
  }
  return text;
}

std::optional<Node> IncludeReader::read(const std::string& path, const Position& from) {
  std::error_code error;
  std::string why;
  std::optional<std::string> text;
  if (path == "-") {
    text = slurp(stdin, why);
  } else if (fs::is_directory(path, error)) {
    why = "is a directory";
  } else if (const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"),
                                                                        &std::fclose);
             file != nullptr) {
    text = slurp(file.get(), why);
  } else {
    why = errno == ENOENT ? "does not exist" : std::string("cannot be opened: ") + std::strerror(errno);
  }
  if (!text) {
    problem(from, "file " + in_quotes(path) + " " + why);
    return std::nullopt;
  }
  const std::string canonical = path == "-" ? path : fs::weakly_canonical(path, error).string();
  open_.push_back(canonical);
  Node root = parse_text(*text, path);
  open_.pop_back();
  done_.insert(canonical);
  return root;
}

void mark_override(Node& node, const Position& where) {
  node.is_override = true;
  node.where = where;
  node.key_where = where;
  for (Node& child : node.children) {
    mark_override(child, where);
  }
}

}  // namespace

std::optional<Document> read_document(const std::string& path, Diagnostics& diagnostics) {
  IncludeReader reader(diagnostics);
  const Position nowhere{std::make_shared<const SourceText>(path, ""), 0, 0, 1};
  std::optional<Node> root = reader.read(path, nowhere);
  if (!root) {
    return std::nullopt;
  }
  return Document{path, *std::move(root), reader.incomplete()};
}

Document parse_document(std::string_view text, const std::string& name, Diagnostics& diagnostics) {
  IncludeReader reader(diagnostics);
  Node root = reader.parse_text(text, name);
  return {name, std::move(root), reader.incomplete()};
}

std::optional<std::vector<std::string>> parse_key_path(std::string_view dotted) {
  const std::string line(dotted);
  const auto text = std::make_shared<const SourceText>("key", line);
  if (line.find_first_of("=#\n") != std::string::npos || line_of_deep_key(*text) != 0) {
    return std::nullopt;
  }
  Mistake ignored;
  const std::optional<Node> tree = parse(line + " = 0", text, ignored);
  if (!tree || tree->children.size() != 1) {
    return std::nullopt;
  }
  std::vector<std::string> path;
  for (const Node* node = &*tree; node->is_table() && !node->children.empty();) {
    node = &node->children.front();
    path.push_back(node->key);
  }
  return path;
}

std::optional<Override> parse_override(const std::string& key_and_value, Diagnostics& diagnostics,
                                       std::string_view option) {
  const Position where{
      std::make_shared<const SourceText>(std::string(option) + " " + key_and_value, key_and_value, true), 1,
      1, 1};
  const std::size_t equals = key_and_value.find('=');
  if (equals == std::string::npos) {
    diagnostics.error(where, "expected KEY=VALUE, as in readahead.read_ahead_kb=128");
    return std::nullopt;
  }
  if (first_invalid_utf8(key_and_value)) {
    diagnostics.error(where, "is not UTF-8 text");
    return std::nullopt;
  }
  const std::optional<std::vector<std::string>> path = parse_key_path(key_and_value.substr(0, equals));
  if (!path) {
    diagnostics.error(where, "the part before = is not a key, as in readahead.read_ahead_kb=128");
    return std::nullopt;
  }
  std::string value = key_and_value.substr(equals + 1);
  value.erase(0, std::min(value.size(), value.find_first_not_of(" \t")));
  value.erase(value.find_last_not_of(" \t") + 1);
  const auto text = std::make_shared<const SourceText>("value", "value = " + value);
  Mistake ignored;
  std::optional<Node> tree;
  if (value.find('\n') == std::string::npos && line_of_deep_key(*text) == 0) {
    tree = parse(text->lines.front(), text, ignored);
  }
  Node node = tree && tree->children.size() == 1 ? tree->children.front() : Node::make_text(value);
  if (!node.is_text()) {
    node.text = value;
  }
  mark_override(node, where);
  return Override{*path, std::move(node)};
}

namespace {

// A table sets its keys one by one and leaves the others of `node` alone.
void replace(Node& node, const Node& value) {
  const std::string key = node.key;
  if (node.is_table() && value.is_table()) {
    for (const Node& child : value.children) {
      Node* old = node.find(child.key);
      replace(old == nullptr ? node.set(child.key, Node()) : *old, child);
    }
  } else {
    std::string replaced = node.is_override ? node.replaced : node.is_text() ? node.text : "";
    node = value;
    node.replaced = std::move(replaced);
  }
  node.key = key;
}

}  // namespace

void apply(Node& root, const Override& override_, Diagnostics& diagnostics) {
  Node* node = &root;
  const Position& where = override_.value.key_where;
  for (std::size_t i = 0; i < override_.path.size(); ++i) {
    const std::string& part = override_.path[i];
    const bool is_last = i + 1 == override_.path.size();
    Node* next = nullptr;
    if (node->is_array()) {
      next = element(*node, part);
      if (next == nullptr) {
        std::vector<std::string> names;
        for (const Node& child : node->children) {
          const Node* name = child.find("name");
          names.push_back(name != nullptr ? name->text : std::to_string(names.size()));
        }
        diagnostics.error(where, "there is no " + in_quotes(part) + " in " + in_quotes(node->key),
                          suggestion(part, names));
        return;
      }
    } else if (node->is_table()) {
      next = node->find(part);
      if (next == nullptr) {
        Node fresh;
        fresh.is_override = true;
        fresh.where = fresh.key_where = where;
        next = &node->set(part, std::move(fresh));
      }
    } else {
      diagnostics.error(where, in_quotes(part) + " is not inside a table: " + in_quotes(node->key) + " is " +
                                   kind_name(*node));
      return;
    }
    if (is_last) {
      replace(*next, override_.value);
    }
    node = next;
  }
}

}  // namespace seekahead
