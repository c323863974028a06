// The workloads of this folder, one registration each.
#pragma once

#include "sim/scenario/registry.hpp"

namespace seekahead {

void register_stream(Registry& registry);
void register_copy(Registry& registry);
void register_diff(Registry& registry);
void register_script(Registry& registry);

}  // namespace seekahead
