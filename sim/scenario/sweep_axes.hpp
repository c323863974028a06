// The axes of a sweep: read from [sweep], without those that overrides have fixed.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/scenario/override_rules.hpp"

namespace seekahead {

struct Axis {
  std::string key;  // as the points name it
  KeyPath path;     // canonical
  Position place;   // of the key
  std::vector<Node> values;
};

// In order of the text. Problems are reported, and the axis that has one is left out.
std::vector<Axis> read_axes(const Node& root, const std::vector<Override>& overrides, std::uint64_t seed,
                            Diagnostics& diagnostics);

// Numbers by value, quantities by what they mean ("1 MiB" is "1024 KiB"), anything else by its text.
bool same_value(const Node& a, const Node& b);

}  // namespace seekahead
