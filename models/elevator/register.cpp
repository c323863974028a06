#include "models/builtin.hpp"

namespace seekahead {

void register_elevator_models(Registry& registry) { static_cast<void>(registry); }

}  // namespace seekahead
