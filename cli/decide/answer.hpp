// The JSON line that `decide` prints for a case.
#pragma once

#include <string>

#include "cli/decide/case.hpp"

namespace seekahead::cli {

// Runs the case. Throws what the policy or the toy cache throws.
std::string answer_line(const Case& the_case);

}  // namespace seekahead::cli
