// Turns one JSON line into a checked Case.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cli/decide/case.hpp"

namespace seekahead::cli {

// --policy, --kernel and --set: replace top-level inputs of every case. Values are the text of the command
// line.
struct Overrides {
  std::map<std::string, std::string> values;
};

// Top-level keys that a case may have as inputs: those of every case and the parameters of all policies.
std::vector<std::string> input_keys(const Registry& registry);

// What is wrong with a line; `column` is 0 when it is the line as a whole.
struct CaseProblem {
  std::size_t column = 0;
  std::string message;
};

// Returns the case, or nothing and at least one problem. `registry` must outlive the case.
std::optional<Case> read_case(const Registry& registry, const Overrides& overrides, const std::string& line,
                              std::vector<CaseProblem>& problems);

}  // namespace seekahead::cli
