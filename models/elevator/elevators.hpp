// The elevators of this folder, one registration each.
#pragma once

#include "sim/scenario/registry.hpp"

namespace seekahead {

void register_linus(Registry& registry);
void register_noop(Registry& registry);
void register_deadline(Registry& registry);

}  // namespace seekahead
