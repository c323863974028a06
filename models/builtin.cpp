#include "models/builtin.hpp"

namespace seekahead {

void register_builtin_models(Registry& registry) {
  register_readahead_models(registry);
  register_elevator_models(registry);
  register_device_models(registry);
  register_workload_models(registry);
}

}  // namespace seekahead
