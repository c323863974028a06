// The JSON line that `decide` prints for a case.
#pragma once

#include <string>

#include "cli/decide/case.hpp"

namespace seekahead::cli {

// Which results: those that were recorded for policies of that name, or all of them.
enum class AnswerFields { as_recorded, all };

// Runs the case. Throws what the policy or the toy cache throws.
std::string answer_line(const Case& the_case, AnswerFields fields = AnswerFields::as_recorded);

}  // namespace seekahead::cli
