// A plug-in that throws after it registered a model: nothing of it may stay behind.
#include "sim/scenario/plugin.hpp"

SEEKAHEAD_PLUGIN(registry) {
  registry.elevators.add({});
  throw std::runtime_error("no licence");
}
