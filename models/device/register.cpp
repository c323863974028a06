#include "models/builtin.hpp"

namespace seekahead {

void register_device_models(Registry& registry) { static_cast<void>(registry); }

}  // namespace seekahead
