#include "models/builtin.hpp"

namespace seekahead {

void register_readahead_models(Registry& registry) { static_cast<void>(registry); }

}  // namespace seekahead
