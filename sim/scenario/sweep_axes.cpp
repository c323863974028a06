#include "sim/scenario/sweep_axes.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "sim/engine/random.hpp"
#include "sim/scenario/parameters.hpp"
#include "sim/scenario/quantities.hpp"
#include "sim/scenario/table_reader.hpp"

namespace seekahead {

namespace {

constexpr std::int64_t most_draws = 100'000;

struct RandomAxis : Parameters {
  std::int64_t count = 0;
  void visit(ParameterVisitor& v) override {
    v.integer("random", count, {1, most_draws}, "how many values are drawn");
  }
};

// A value that a range can begin or end with: a quantity, a whole number or a number.
struct Bound {
  std::optional<Dimension> dimension;
  bool is_integer = false;
  std::int64_t integer = 0;
  double real = 0;
};

std::optional<Bound> read_bound(TableReader& reader, const char* name, Diagnostics& diagnostics) {
  const Node* node = reader.take(name);
  if (node == nullptr) {
    reader.missing(name, "a random key needs random, from and to");
    return std::nullopt;
  }
  Bound bound;
  bound.is_integer = node->kind == Node::Kind::integer;
  bound.integer = node->integer;
  bound.real = node->is_number() ? node->number() : 0;
  if (node->is_number()) {
    return bound;
  }
  bound.dimension = node->is_text() ? dimension_of(node->text) : std::nullopt;
  if (!bound.dimension) {
    diagnostics.error(node->where, std::string(name) + " must be a number or a quantity as in \"0.3 GB\"");
    return std::nullopt;
  }
  std::string problem;
  if (*bound.dimension == Dimension::percent) {
    const Quantity<double> percent = parse_percent(node->text);
    bound.real = percent.value.value_or(0);
    problem = percent.problem;
  } else {
    const Quantity<std::int64_t> quantity = parse_quantity(*bound.dimension, node->text);
    bound.is_integer = true;
    bound.integer = quantity.value.value_or(0);
    problem = quantity.problem;
  }
  if (!problem.empty()) {
    diagnostics.error(node->where, std::string(name) + ": " + in_quotes(node->text) + " " + problem);
    return std::nullopt;
  }
  return bound;
}

Node draw(const Bound& from, const Bound& to, Random& random) {
  if (!from.is_integer || !to.is_integer) {
    const double low = from.is_integer ? static_cast<double>(from.integer) : from.real;
    const double high = to.is_integer ? static_cast<double>(to.integer) : to.real;
    const double value = low + random.unit() * (high - low);
    return from.dimension ? Node::make_text(format_percent(value)) : Node::make_real(value);
  }
  if (from.dimension != Dimension::bytes) {
    const std::int64_t value = random.between(from.integer, to.integer);
    return from.dimension ? Node::make_text(format_quantity(*from.dimension, value))
                          : Node::make_integer(value);
  }
  const auto page = static_cast<std::int64_t>(page_bytes);
  const std::int64_t first = from.integer / page + (from.integer % page > 0 ? 1 : 0);
  const std::int64_t value = random.between(first, std::max(first, to.integer / page)) * page;
  return Node::make_text(format_quantity(Dimension::bytes, value));
}

std::vector<Node> read_random(const Node& table, const std::string& key, std::uint64_t seed,
                              Diagnostics& diagnostics) {
  TableReader reader(&table, "[sweep] " + in_quotes(key), table.key_where, diagnostics);
  RandomAxis axis;
  reader.read(axis);
  const std::optional<Bound> from = read_bound(reader, "from", diagnostics);
  const std::optional<Bound> to = read_bound(reader, "to", diagnostics);
  reader.finish();
  std::vector<Node> values;
  if (!from || !to || !reader.ok()) {
    return values;
  }
  const double low = from->is_integer ? static_cast<double>(from->integer) : from->real;
  const double high = to->is_integer ? static_cast<double>(to->integer) : to->real;
  if (from->dimension != to->dimension || !(low <= high)) {
    diagnostics.error(table.where, from->dimension != to->dimension ? "from and to have different units"
                                                                    : "from must not exceed to");
    return values;
  }
  Random random(seed, "sweep." + key);
  for (std::int64_t i = 0; i < axis.count; ++i) {
    values.push_back(draw(*from, *to, random));
    values.back().where = table.where;
  }
  return values;
}

// Equal texts stand for equal values.
std::string meaning_of(const Node& node) {
  if (node.is_number()) {
    return "number " + format_real(node.number() == 0 ? 0 : node.number());
  }
  const std::optional<Dimension> dimension = node.is_text() ? dimension_of(node.text) : std::nullopt;
  if (dimension && *dimension != Dimension::percent) {
    if (const auto quantity = parse_quantity(*dimension, node.text).value) {
      return format_quantity(*dimension, *quantity);
    }
  }
  return node.is_text() ? "text " + node.text : kind_name(node) + " " + value_text(node);
}

void mark(Node& node, const Position& key_where) {
  node.is_override = true;
  node.key_where = key_where;
  if (!node.is_text()) {
    node.text = node.kind == Node::Kind::date ? node.text : value_text(node);
  }
  for (Node& child : node.children) {
    mark(child, child.key_where);
  }
}

// Every key that some value of the axis sets.
std::set<KeyPath> leaves_of(const Axis& axis) {
  std::set<KeyPath> out;
  for (const Node& value : axis.values) {
    for (KeyPath& leaf : leaves(axis.path, value)) {
      out.insert(std::move(leaf));
    }
  }
  return out;
}

class AxisReader {
 public:
  AxisReader(const Node& root, std::uint64_t seed, Diagnostics& diagnostics)
      : root_(root), seed_(seed), diagnostics_(diagnostics) {}

  void collect(const Node& table, const std::string& path);
  void settle_repeated();
  void settle_fixed(const std::vector<Override>& overrides);
  std::vector<Axis> result() { return std::move(axes_); }

 private:
  void add(const Node& written, const std::string& key);
  void refuse_repeated_values(const Axis& axis);
  void settle(std::size_t earlier, std::size_t later);
  void give_way(Axis& axis, const KeyPath& leaf);
  void drop_empty() {
    std::erase_if(axes_, [](const Axis& axis) { return axis.values.empty(); });
  }

  const Node& root_;
  std::uint64_t seed_;
  Diagnostics& diagnostics_;
  std::vector<Axis> axes_;
};

// Keys may be written "a.b" = [...] or a.b = [...]; both end here with their full name.
void AxisReader::collect(const Node& table, const std::string& path) {
  for (const Node& child : table.children) {
    const std::string key = path.empty() ? child.key : path + "." + child.key;
    if (child.is_table() && child.find("random") == nullptr) {
      collect(child, key);
    } else {
      add(child, key);
    }
  }
}

void AxisReader::add(const Node& written, const std::string& key) {
  const std::optional<KeyPath> path = parse_key_path(key);
  if (!path || path->front() == "sweep" || path->front() == "expect") {
    diagnostics_.error(written.key_where, in_quotes(key) + " is not a key that can be swept",
                       "write it as in \"readahead.read_ahead_kb\" = [128, 256]");
    return;
  }
  Axis axis{key, canonical(root_, *path), written.key_where, {}};
  if (written.is_table()) {
    axis.values = read_random(written, key, seed_, diagnostics_);
  } else if (!written.is_array()) {
    diagnostics_.error(written.where, in_quotes(key) + " must be a list of values, not " + kind_name(written),
                       "or { random = 16, from = ..., to = ... }");
  } else if (written.children.empty()) {
    diagnostics_.error(written.where, in_quotes(key) + " has no values");
  } else {
    axis.values = written.children;
    refuse_repeated_values(axis);
  }
  for (Node& value : axis.values) {
    mark(value, axis.place);
  }
  if (!axis.values.empty()) {
    axes_.push_back(std::move(axis));
  }
}

void AxisReader::refuse_repeated_values(const Axis& axis) {
  std::set<std::string> seen;
  for (const Node& value : axis.values) {
    if (!seen.insert(meaning_of(value)).second) {
      diagnostics_.error(value.where, in_quotes(axis.key) + " has the value " +
                                          in_quotes(value.is_text() ? value.text : value_text(value)) +
                                          " twice");
    }
  }
}

void AxisReader::settle_repeated() {
  for (std::size_t later = 1; later < axes_.size(); ++later) {
    for (std::size_t earlier = 0; earlier < later; ++earlier) {
      settle(earlier, later);
    }
  }
  drop_empty();
}

// Two axes that set the same key: one given from outside takes the place of one of the text.
void AxisReader::settle(std::size_t earlier, std::size_t later) {
  Axis& first = axes_[earlier];
  Axis& second = axes_[later];
  if (first.values.empty() || second.values.empty()) {
    return;
  }
  const Standing of_first = standing_of(first.values.front());
  const Standing of_second = standing_of(second.values.front());
  if (of_first != of_second) {
    Axis& loser = of_first < of_second ? first : second;
    Axis& winner = of_first < of_second ? second : first;
    for (const KeyPath& leaf : leaves_of(winner)) {
      give_way(loser, leaf);
    }
    return;
  }
  const std::set<KeyPath> keys = leaves_of(first);
  for (const KeyPath& leaf : leaves_of(second)) {
    const auto contradicts = [&](const KeyPath& other) {
      return other == leaf || are_alternatives(other, leaf);
    };
    if (std::any_of(keys.begin(), keys.end(), contradicts)) {
      diagnostics_.error(second.place,
                         in_quotes(second.key) + " is swept already" +
                             (first.key == second.key ? "" : ", as " + in_quotes(first.key)),
                         "", {{first.place, "the other axis"}});
      second.values.clear();
      return;
    }
  }
}

void AxisReader::settle_fixed(const std::vector<Override>& overrides) {
  for (const Override& override_ : overrides) {
    const KeyPath path = canonical(root_, override_.path);
    for (Axis& axis : axes_) {
      if (axis.values.empty()) {
        continue;
      }
      const bool from_outside = standing_of(axis.values.front()) == Standing::argument;
      if (from_outside && (axis.path == path || are_alternatives(axis.path, path))) {
        diagnostics_.error(override_.value.key_where, "contradicts the axis " + in_quotes(axis.key), "",
                           {{axis.values.front().where, "one of its values"}});
        continue;
      }
      for (const KeyPath& leaf : leaves(path, override_.value)) {
        if (!from_outside) {
          give_way(axis, leaf);
        }
      }
    }
  }
  drop_empty();
}

// `leaf` has been set from outside: the axis varies it no longer. Values of a table axis that are alike
// without it count once.
void AxisReader::give_way(Axis& axis, const KeyPath& leaf) {
  if (axis.path == leaf || are_alternatives(axis.path, leaf)) {
    axis.values.clear();
    return;
  }
  const bool is_inside =
      leaf.size() == axis.path.size() + 1 && std::equal(axis.path.begin(), axis.path.end(), leaf.begin());
  if (!is_inside) {
    return;
  }
  bool varies = false;
  KeyPath key = axis.path;
  key.emplace_back();
  for (Node& value : axis.values) {
    varies = std::erase_if(value.children,
                           [&](const Node& child) {
                             key.back() = child.key;
                             return key == leaf || are_alternatives(key, leaf);
                           }) > 0 ||
             varies;
  }
  if (varies && chooses_model(leaf)) {
    axis.values.clear();  // the other keys belong to the models that it went through
    return;
  }
  std::set<std::string> seen;
  std::erase_if(axis.values, [&](const Node& value) {
    return (value.is_table() && value.children.empty()) || (varies && !seen.insert(meaning_of(value)).second);
  });
}

}  // namespace

std::vector<Axis> read_axes(const Node& root, const std::vector<Override>& overrides, std::uint64_t seed,
                            Diagnostics& diagnostics) {
  const Node* table = root.find("sweep");
  if (table == nullptr) {
    return {};
  }
  if (!table->is_table()) {
    diagnostics.error(table->where, "[sweep] must be a table, not " + kind_name(*table));
    return {};
  }
  AxisReader reader(root, seed, diagnostics);
  reader.collect(*table, "");
  reader.settle_repeated();
  reader.settle_fixed(overrides);
  return reader.result();
}

bool same_value(const Node& a, const Node& b) { return meaning_of(a) == meaning_of(b); }

}  // namespace seekahead
