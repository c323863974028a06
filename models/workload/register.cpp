#include "models/builtin.hpp"

namespace seekahead {

void register_workload_models(Registry& registry) { static_cast<void>(registry); }

}  // namespace seekahead
