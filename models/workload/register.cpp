#include "models/builtin.hpp"
#include "models/workload/workloads.hpp"

namespace seekahead {

void register_workload_models(Registry& registry) {
  register_stream(registry);
  register_copy(registry);
  register_diff(registry);
  register_script(registry);
}

}  // namespace seekahead
