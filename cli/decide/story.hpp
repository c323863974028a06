// `decide --explain`: the operations of a case told one by one - what the policy saw, which rules fired, what
// was read, the window before and after, and a picture of the pages.
#pragma once

#include <cstdio>

#include "cli/decide/case.hpp"

namespace seekahead::cli {

// What the signs of the pictures mean; print it once.
void print_legend(std::FILE* out);

// Runs the case. Throws what the policy or the toy cache throws, after telling what came before.
void tell_story(const Case& the_case, std::FILE* out);

}  // namespace seekahead::cli
