#include "models/builtin.hpp"
#include "models/readahead/models.hpp"

namespace seekahead {

void register_readahead_models(Registry& registry) {
  registry.readahead.add(none_policy());
  registry.readahead.add(fixed_policy());
  registry.readahead.add(skeleton_policy());
  registry.readahead.add(linux_2_4_policy());
  registry.readahead.add(linux_2_6_window_policy());
  registry.readahead.add(linux_2_6_request_size_policy());
  registry.readahead.add(adaptive_policy());
  registry.readahead.add(ondemand_policy());
}

}  // namespace seekahead
