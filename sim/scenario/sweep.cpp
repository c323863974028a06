#include "sim/scenario/sweep.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "sim/engine/random.hpp"
#include "sim/scenario/override_rules.hpp"
#include "sim/scenario/parameters.hpp"
#include "sim/scenario/quantities.hpp"
#include "sim/scenario/table_reader.hpp"

namespace seekahead {

namespace {

constexpr std::size_t most_points = 1'000'000;
constexpr std::int64_t most_draws = 100'000;

struct Axis {
  std::string key;
  std::vector<Node> values;
};

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

// Keys may be written "a.b" = [...] or a.b = [...]; both end here with their full name.
void collect(const Node& table, const std::string& path, std::uint64_t seed, std::vector<Axis>& axes,
             std::vector<Position>& places, Diagnostics& diagnostics) {
  for (const Node& child : table.children) {
    const std::string key = path.empty() ? child.key : path + "." + child.key;
    if (child.is_table() && child.find("random") == nullptr) {
      collect(child, key, seed, axes, places, diagnostics);
      continue;
    }
    Axis axis{key, {}};
    if (child.is_table()) {
      axis.values = read_random(child, key, seed, diagnostics);
    } else if (child.is_array()) {
      axis.values = child.children;
    } else {
      diagnostics.error(child.where, in_quotes(key) + " must be a list of values, not " + kind_name(child),
                        "or { random = 16, from = ..., to = ... }");
      continue;
    }
    if (child.is_array() && child.children.empty()) {
      diagnostics.error(child.where, in_quotes(key) + " has no values");
    }
    axes.push_back(std::move(axis));
    places.push_back(child.key_where);
  }
}

// What the value says of `key`: its own key, or one of a table's, as readahead.policy of readahead = { policy
// = ... }.
const Node* part_of(const SweepValue& value, std::string_view key) {
  const Node* node = &value.value;
  if (!key.starts_with(value.key)) {
    return nullptr;
  }
  key.remove_prefix(value.key.size());
  while (node != nullptr && key.starts_with('.')) {
    key.remove_prefix(1);
    const std::size_t length = std::min(key.find('.'), key.size());
    node = node->is_table() ? node->find(key.substr(0, length)) : nullptr;
    key.remove_prefix(length);
  }
  return key.empty() ? node : nullptr;
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

}  // namespace

std::vector<Override> SweepPoint::overrides() const {
  std::vector<Override> out;
  for (const SweepValue& value : values) {
    out.push_back({parse_key_path(value.key).value_or(std::vector<std::string>{value.key}), value.value});
  }
  return out;
}

std::string SweepPoint::label() const {
  std::string out;
  for (const SweepValue& value : values) {
    out += (out.empty() ? "" : ", ") + value.key + " = " +
           (value.value.is_text() ? value.value.text : value_text(value.value));
  }
  return out;
}

bool same_value(const Node& a, const Node& b) {
  if (a.is_number() && b.is_number()) {
    return a.number() == b.number();
  }
  if (a.is_text() && b.is_text()) {
    const std::optional<Dimension> dimension = dimension_of(a.text);
    if (!dimension || dimension != dimension_of(b.text) || *dimension == Dimension::percent) {
      return a.text == b.text;
    }
    const auto left = parse_quantity(*dimension, a.text).value;
    return left ? left == parse_quantity(*dimension, b.text).value : a.text == b.text;
  }
  return a.kind == b.kind && value_text(a) == value_text(b);
}

bool matches(const SweepPoint& point, const std::vector<SweepValue>& conditions) {
  return std::all_of(conditions.begin(), conditions.end(), [&](const SweepValue& condition) {
    return std::any_of(point.values.begin(), point.values.end(), [&](const SweepValue& value) {
      const Node* found = part_of(value, condition.key);
      return found != nullptr && same_value(*found, condition.value);
    });
  });
}

std::vector<SweepPoint> read_sweep(const Node& table, const std::vector<Override>& overridden,
                                   std::uint64_t seed, Diagnostics& diagnostics) {
  if (!table.is_table()) {
    diagnostics.error(table.where, "[sweep] must be a table, not " + kind_name(table));
    return {};
  }
  std::vector<Axis> axes;
  std::vector<Position> places;
  collect(table, "", seed, axes, places, diagnostics);
  std::vector<SweepPoint> points(1);
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const std::optional<std::vector<std::string>> path = parse_key_path(axes[i].key);
    if (!path || path->front() == "sweep" || path->front() == "expect") {
      diagnostics.error(places[i], in_quotes(axes[i].key) + " is not a key that can be swept",
                        "write it as in \"readahead.read_ahead_kb\" = [128, 256]");
      return {};
    }
    const bool fixed = std::any_of(overridden.begin(), overridden.end(), [&](const Override& override_) {
      return is_replaced(*path, axes[i].values, override_.path);
    });
    if (fixed) {
      continue;
    }
    if (axes[i].values.empty() || points.size() > most_points / axes[i].values.size()) {
      if (!axes[i].values.empty()) {
        diagnostics.error(places[i], "the sweep has more than a million points");
      }
      return {};
    }
    std::vector<SweepPoint> product;
    for (const SweepPoint& point : points) {
      for (Node value : axes[i].values) {
        mark(value, places[i]);
        product.push_back(point);
        product.back().values.push_back({axes[i].key, std::move(value)});
      }
    }
    points = std::move(product);
  }
  return points.front().values.empty() ? std::vector<SweepPoint>{} : points;
}

}  // namespace seekahead
