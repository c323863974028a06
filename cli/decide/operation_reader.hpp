// The operations of a case.
#pragma once

#include <vector>

#include "cli/decide/case.hpp"
#include "cli/decide/json_keys.hpp"

namespace seekahead::cli {

// Key "ops" of a case: all operations, with what is wrong with each.
std::vector<Operation> read_operations(Keys& keys, std::vector<CaseProblem>& problems);

}  // namespace seekahead::cli
