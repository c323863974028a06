// What a run reports, as JSON with units in the key names and a fixed order of keys (docs/results.md).
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "sim/scenario/machine.hpp"

namespace seekahead {

nlohmann::ordered_json results_of(Machine& machine);

}  // namespace seekahead
