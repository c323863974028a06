// The readable report of one run: at most 25 lines.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace seekahead::cli {

// `result` is what simulate() gave.
std::string report(const nlohmann::ordered_json& result);

}  // namespace seekahead::cli
