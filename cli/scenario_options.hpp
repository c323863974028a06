// The options that every verb with a scenario takes: --set KEY=VALUE and --seed N.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cli/option_parser.hpp"
#include "sim/scenario/document.hpp"

namespace seekahead::cli {

void add_scenario_options(OptionParser& options);

// What --set and --seed ask for. Mistakes go to the diagnostics. A --set that `taken` returns true for is
// left out.
std::vector<Override> overrides_of(const OptionParser& options, Diagnostics& diagnostics,
                                   const std::function<bool(const std::string& set)>& taken = nullptr);

// Prints all problems on stderr; returns 2.
int refuse(const Diagnostics& diagnostics);

}  // namespace seekahead::cli
