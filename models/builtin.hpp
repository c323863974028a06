// All models that ship with seekahead, added to a registry by explicit calls.
#pragma once

#include "sim/scenario/registry.hpp"

namespace seekahead {

void register_builtin_models(Registry& registry);

// One function a folder; each adds its models in the order in which they should be listed.
void register_readahead_models(Registry& registry);
void register_elevator_models(Registry& registry);
void register_device_models(Registry& registry);
void register_workload_models(Registry& registry);

}  // namespace seekahead
