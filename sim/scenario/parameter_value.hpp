// One parameter between its typed value and its text in a scenario.
#pragma once

#include <string>

#include "sim/scenario/node.hpp"
#include "sim/scenario/parameters.hpp"

namespace seekahead {

// Assigns the value of `node` to `parameter`. Returns what is wrong with it (a fragment that follows the
// name:
// `"128" needs a unit: ...`), empty if nothing; `hint` may receive more.
std::string assign(const Parameter& parameter, const Node& node, std::string& hint);

// The current value as it would stand in a scenario.
Node value_of(const Parameter& parameter);

// "time", "pages of 4 KiB", ...: what a reader has to write.
std::string type_text(const Parameter& parameter);

// "1 MiB to 1 TiB", or the list of choices; empty: no limits.
std::string range_text(const Parameter& parameter);

}  // namespace seekahead
