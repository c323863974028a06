#include "sim/scenario/sweep.hpp"

#include <algorithm>
#include <utility>

#include "sim/scenario/sweep_axes.hpp"

namespace seekahead {

namespace {

constexpr std::size_t most_points = 100'000;

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

bool matches(const SweepPoint& point, const std::vector<SweepValue>& conditions) {
  return std::all_of(conditions.begin(), conditions.end(), [&](const SweepValue& condition) {
    return std::any_of(point.values.begin(), point.values.end(), [&](const SweepValue& value) {
      const Node* found = part_of(value, condition.key);
      return found != nullptr && same_value(*found, condition.value);
    });
  });
}

std::vector<SweepPoint> read_sweep(const Node& root, const std::vector<Override>& overrides,
                                   std::uint64_t seed, Diagnostics& diagnostics) {
  const std::vector<Axis> axes = read_axes(root, overrides, seed, diagnostics);
  std::size_t count = axes.empty() ? 0 : 1;
  for (const Axis& axis : axes) {
    if (axis.values.size() > most_points / count) {
      diagnostics.error(axis.place, "the sweep has more than " + std::to_string(most_points) + " points",
                        "with this axis and those before it");
      return {};
    }
    count *= axis.values.size();
  }
  std::vector<SweepPoint> points(count);
  for (std::size_t i = 0; i < count; ++i) {
    std::size_t rest = i;
    std::size_t below = count;
    for (const Axis& axis : axes) {
      below /= axis.values.size();
      points[i].values.push_back({axis.key, axis.values[rest / below]});
      rest %= below;
    }
  }
  return points;
}

}  // namespace seekahead
