// The effective configuration: everything that a scenario left out filled in, as a scenario that gives the
// same run. Drives of the catalogue are written out, files have their sectors, the readahead limit of each
// device stands in all three units. A scenario with [sweep] gives its first point; the sweep and the
// expectations follow as comments.
#pragma once

#include <string>

#include "sim/scenario/scenario.hpp"

namespace seekahead {

std::string effective_configuration(const Scenario& scenario);

}  // namespace seekahead
