// A plug-in with a policy of a name that there is already.
#include "sim/scenario/plugin.hpp"

SEEKAHEAD_PLUGIN(registry) {
  seekahead::ReadaheadModel model;
  model.name = "fixed";
  registry.readahead.add(model);
}
