// From a scenario text to a checked Scenario. All problems are reported at once; a Scenario that is returned
// can be run.
//
// A scenario with [sweep] is checked at every point; what is returned is its first point, and all points
// stand in Scenario::sweep. An override whose key is swept takes the place of that axis.
//
// REQUIRES of all: the registry outlives the scenario.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/scenario/document.hpp"
#include "sim/scenario/scenario.hpp"

namespace seekahead {

std::optional<Scenario> load_scenario(const Document& document, const std::vector<Override>& overrides,
                                      const Registry& registry, Diagnostics& diagnostics);

// Reads the file ("-": standard input) first.
std::optional<Scenario> load_scenario(const std::string& path, const std::vector<Override>& overrides,
                                      const Registry& registry, Diagnostics& diagnostics);

// One point of the scenario's sweep. Its `sweep` and `expectations` are empty: they belong to the whole.
std::optional<Scenario> load_point(const Document& document, const std::vector<Override>& overrides,
                                   const SweepPoint& point, const Registry& registry,
                                   Diagnostics& diagnostics);

}  // namespace seekahead
