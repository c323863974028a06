// Small scenarios for the tests of the loader.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "models/builtin.hpp"
#include "sim/scenario/load.hpp"

namespace seekahead::test {

inline const Registry& builtin_registry() {
  static const Registry registry = [] {
    Registry r;
    register_builtin_models(r);
    return r;
  }();
  return registry;
}

// Sixteen lines that are right; lines of tests are counted from here on.
inline const std::string good_scenario = R"([[device]]
name = "d"
model = "fixed-latency"
capacity = "1 GiB"
[[file]]
name = "a"
size = "64 MiB"
[readahead]
policy = "fixed"
window = 32
[block]
elevator = "noop"
[[process]]
name = "r"
workload = "stream"
files = ["a"]
)";

struct Loaded {
  std::optional<Scenario> scenario;
  std::string problems;             // as printed
  std::vector<std::string> places;  // "t.toml:6:8" of each, sorted
};

inline Loaded load_text(const std::string& text, const std::vector<std::string>& sets = {}) {
  Diagnostics diagnostics;
  std::vector<Override> overrides;
  for (const std::string& set : sets) {
    if (std::optional<Override> parsed = parse_override(set, diagnostics)) {
      overrides.push_back(*std::move(parsed));
    }
  }
  Loaded out;
  const Document document = parse_document(text, "t.toml", diagnostics);
  out.scenario = load_scenario(document, overrides, builtin_registry(), diagnostics);
  out.problems = diagnostics.text();
  for (const Problem& problem : diagnostics.sorted()) {
    out.places.push_back(describe(problem.where));
  }
  return out;
}

}  // namespace seekahead::test
