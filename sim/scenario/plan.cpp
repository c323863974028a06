#include "sim/scenario/plan.hpp"

#include <cstdio>
#include <stdexcept>
#include <utility>

#include "sim/scenario/effective.hpp"
#include "sim/scenario/load.hpp"

namespace seekahead {

namespace {

// FNV-1a, 64 bits.
std::string hash_of(const std::string& text) {
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (const char c : text) {
    hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
  }
  char digits[17];
  std::snprintf(digits, sizeof digits, "%016llx", static_cast<unsigned long long>(hash));
  return digits;
}

}  // namespace

void add_axis(Document& document, const std::string& key, const std::vector<std::string>& values,
              Diagnostics& diagnostics, std::string_view option) {
  Node axis = Node::make_array();
  for (const std::string& value : values) {
    if (const std::optional<Override> parsed = parse_override(key + "=" + value, diagnostics, option)) {
      axis.children.push_back(parsed->value);
      axis.where = axis.key_where = parsed->value.where;
    }
  }
  Node* sweep = document.root.find("sweep");
  if (sweep == nullptr) {
    sweep = &document.root.set("sweep", Node{});
  }
  const Node* present = sweep->find(key);
  if (present != nullptr && present->where.text != nullptr && present->where.text->is_argument) {
    diagnostics.error(axis.where, "this key is given twice", "", {{present->where, "the other one"}});
  }
  sweep->set(key, std::move(axis));
}

std::optional<Plan> Plan::make(Document document, std::vector<Override> overrides, const Registry& registry,
                               Diagnostics& diagnostics) {
  std::optional<Scenario> scenario = load_scenario(document, overrides, registry, diagnostics);
  if (!scenario || !diagnostics.ok()) {
    return std::nullopt;
  }
  return Plan(std::move(document), std::move(overrides), registry, *std::move(scenario));
}

Plan::Plan(Document document, std::vector<Override> overrides, const Registry& registry, Scenario scenario)
    : registry_(&registry),
      document_(std::move(document)),
      overrides_(std::move(overrides)),
      scenario_(std::move(scenario)) {}

std::size_t Plan::points() const { return scenario_.sweep.empty() ? 1 : scenario_.sweep.size(); }

Scenario Plan::point(std::size_t index) const {
  Diagnostics diagnostics;
  const SweepPoint whole;
  std::optional<Scenario> loaded =
      load_point(document_, overrides_, scenario_.sweep.empty() ? whole : scenario_.sweep[index], *registry_,
                 diagnostics);
  if (!loaded || !diagnostics.ok()) {
    throw std::logic_error("a point that was checked does not load:\n" + diagnostics.text());
  }
  return std::move(*loaded);
}

std::string Plan::identity(std::size_t index) const {
  return hash_of(std::string(SEEKAHEAD_VERSION) + "\n" + effective_configuration(point(index)));
}

}  // namespace seekahead
