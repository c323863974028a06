#include "sim/scenario/expectation.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "sim/scenario/parameters.hpp"
#include "sim/scenario/quantities.hpp"
#include "sim/scenario/table_reader.hpp"

namespace seekahead {

namespace {

struct Function {
  const char* name;
  std::size_t arguments;
};
constexpr std::array<Function, 4> functions = {{{"ratio", 2}, {"mean", 1}, {"min", 1}, {"max", 1}}};

struct Tolerance : Parameters {
  double percent = 0;
  void visit(ParameterVisitor& v) override {
    v.percent("tolerance", percent, {0, 1000}, "allowed deviation from the published value");
  }
};

std::string trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(' ');
  if (first == std::string_view::npos) {
    return "";
  }
  return std::string(text.substr(first, text.find_last_not_of(' ') - first + 1));
}

// Splits at commas outside braces.
std::vector<std::string> split_arguments(std::string_view text) {
  std::vector<std::string> parts(1);
  int depth = 0;
  for (const char c : text) {
    depth += c == '{' ? 1 : c == '}' ? -1 : 0;
    if (c == ',' && depth == 0) {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

Node condition_value(const std::string& text) {
  if (const std::optional<std::int64_t> integer = parse_integer(text)) {
    return Node::make_integer(*integer);
  }
  if (const std::optional<double> real = parse_real(text)) {
    return Node::make_real(*real);
  }
  const bool is_quoted = text.size() >= 2 && text.front() == '"' && text.back() == '"';
  return Node::make_text(is_quoted ? text.substr(1, text.size() - 2) : text);
}

class OfReader {
 public:
  OfReader(const Node& node, const ResultNames& names, Diagnostics& diagnostics)
      : node_(node), names_(names), diagnostics_(diagnostics) {}

  bool read(Expectation& out);

 private:
  bool read_measure(const std::string& text, Measure& out);
  bool problem(const std::string& message, const std::string& hint = "") {
    diagnostics_.error(node_.where, "of: " + message, hint);
    return false;
  }

  const Node& node_;
  const ResultNames& names_;
  Diagnostics& diagnostics_;
};

bool OfReader::read(Expectation& out) {
  out.of = node_.text;
  const std::size_t open = node_.text.find('(');
  std::vector<std::string> arguments = {node_.text};
  if (open != std::string::npos) {
    out.function = trimmed(node_.text.substr(0, open));
    const auto function = std::find_if(functions.begin(), functions.end(),
                                       [&](const Function& f) { return f.name == out.function; });
    if (function == functions.end()) {
      return problem("unknown function " + in_quotes(out.function),
                     suggestion(out.function, {"ratio", "mean", "min", "max"}, "functions"));
    }
    const std::string rest = trimmed(node_.text.substr(open + 1));
    if (rest.empty() || rest.back() != ')') {
      return problem("the parenthesis is not closed");
    }
    arguments = split_arguments(rest.substr(0, rest.size() - 1));
    if (arguments.size() != function->arguments) {
      return problem(out.function + " takes " + std::to_string(function->arguments) + " paths, not " +
                     std::to_string(arguments.size()));
    }
  }
  for (const std::string& argument : arguments) {
    Measure measure;
    if (!read_measure(trimmed(argument), measure)) {
      return false;
    }
    out.measures.push_back(std::move(measure));
  }
  return true;
}

bool OfReader::read_measure(const std::string& text, Measure& out) {
  const std::size_t open = text.find('{');
  out.path = trimmed(text.substr(0, open));
  if (open != std::string::npos) {
    if (text.back() != '}') {
      return problem("the brace of " + in_quotes(text) + " is not closed");
    }
    for (const std::string& condition : split_arguments(text.substr(open + 1, text.size() - open - 2))) {
      const std::size_t equals = condition.find('=');
      if (equals == std::string::npos) {
        return problem("expected key = value inside the braces, not " + in_quotes(trimmed(condition)));
      }
      out.where.push_back(
          {trimmed(condition.substr(0, equals)), condition_value(trimmed(condition.substr(equals + 1)))});
    }
  }
  const PathProblem wrong = problem_of_path(out.path, names_);
  return wrong.message.empty() || problem(wrong.message, wrong.hint);
}

bool read_claim(TableReader& reader, Expectation& out, const Position& fallback, Diagnostics& diagnostics) {
  const std::pair<const char*, Claim> claims[] = {{"equals", Claim::equals},
                                                  {"at_least", Claim::at_least},
                                                  {"at_most", Claim::at_most},
                                                  {"order", Claim::order},
                                                  {"list", Claim::list}};
  const Node* chosen = nullptr;
  for (const auto& [name, claim] : claims) {
    const Node* node = reader.take(name);
    if (node == nullptr) {
      continue;
    }
    if (chosen != nullptr) {
      diagnostics.error(node->key_where,
                        "an expectation has one of equals, at_least, at_most, order and list", "",
                        {{chosen->key_where, "the other one"}});
      return false;
    }
    chosen = node;
    out.claim = claim;
  }
  if (chosen == nullptr) {
    diagnostics.error(fallback, "[[expect]] needs one of equals, at_least, at_most, order and list");
    return false;
  }
  const bool wants_list = out.claim == Claim::order || out.claim == Claim::list;
  if (!wants_list) {
    if (!chosen->is_number() || !(chosen->number() - chosen->number() == 0)) {
      diagnostics.error(chosen->where, chosen->key + " must be a number, not " + kind_name(*chosen));
      return false;
    }
    out.value = chosen->number();
    return true;
  }
  bool good = chosen->is_array() && chosen->children.size() >= (out.claim == Claim::order ? 2U : 1U);
  for (const Node& item : chosen->children) {
    good = good && !(item.is_number() && !(item.number() - item.number() == 0));  // neither NaN nor infinite
    good = good && (item.is_number() || (item.is_text() && out.claim == Claim::order));
    out.numbers.push_back(item.is_number() ? item.number() : 0);
  }
  if (!good) {
    diagnostics.error(chosen->where, out.claim == Claim::list
                                         ? "list must be a list of numbers"
                                         : "order must be a list of two or more names or numbers");
    return false;
  }
  out.order = chosen->children;
  return true;
}

bool read_where(TableReader& reader, Expectation& out, Diagnostics& diagnostics) {
  const Node* node = reader.take("where");
  if (node == nullptr) {
    return true;
  }
  if (!node->is_table()) {
    diagnostics.error(node->where, "where must be a table as in { \"readahead.max_readahead\" = 31 }, not " +
                                       kind_name(*node));
    return false;
  }
  // Keys may be written in quotes or as dotted keys, which are nested tables.
  std::vector<std::pair<std::string, const Node*>> open = {{"", node}};
  while (!open.empty()) {
    const auto [path, table] = open.back();
    open.pop_back();
    for (const Node& child : table->children) {
      const std::string key = path.empty() ? child.key : path + "." + child.key;
      if (child.is_table()) {
        open.emplace_back(key, &child);
      } else {
        out.where.push_back({key, child});
      }
    }
  }
  return true;
}

}  // namespace

std::optional<Expectation> read_expectation(const Node& table, const ResultNames& names,
                                            Diagnostics& diagnostics) {
  TableReader reader(&table, "[[expect]]", table.key_where, diagnostics);
  Expectation out;
  out.text = table;
  out.where_written = table.key_where;
  bool good = true;
  if (const Node* of = reader.take_text("of")) {
    good = OfReader(*of, names, diagnostics).read(out);
    out.where_written = of->where;
  } else if (table.find("of") == nullptr) {
    reader.missing("of", "a path in the result, as in process.NAME.throughput_mb_s");
  }
  good = read_claim(reader, out, table.key_where, diagnostics) && good;
  good = read_where(reader, out, diagnostics) && good;
  Tolerance tolerance;
  reader.read(tolerance);
  out.tolerance_percent = tolerance.percent;
  if (const Node* node = table.find("tolerance"); node != nullptr && out.claim == Claim::order) {
    diagnostics.error(node->key_where, "tolerance says nothing about an order");
  }
  for (const auto& [key, target] :
       {std::pair{"source", &out.source}, std::pair{"unmet", &out.unmet}, std::pair{"name", &out.name}}) {
    const Node* node = reader.take_text(key);
    *target = node == nullptr ? "" : node->text;
  }
  out.name = out.name.empty() ? out.of : out.name;
  reader.finish();
  return good && reader.ok() ? std::optional(std::move(out)) : std::nullopt;
}

}  // namespace seekahead
