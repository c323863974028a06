#include "models/builtin.hpp"
#include "models/elevator/elevators.hpp"

namespace seekahead {

void register_elevator_models(Registry& registry) {
  register_linus(registry);
  register_noop(registry);
  register_deadline(registry);
}

}  // namespace seekahead
