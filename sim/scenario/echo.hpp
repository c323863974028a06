// Shows parameters back to people: as the text of a scenario (`seekahead check`) and as a description
// (`seekahead models`).
#pragma once

#include <string>
#include <vector>

#include "sim/scenario/node.hpp"
#include "sim/scenario/parameters.hpp"

namespace seekahead {

// Adds every parameter with its value to `table`, in the order in which they are visited, but for those
// without effect.
void echo(Parameters& parameters, Node& table);

struct Description {
  std::string name;   // dotted; "zones[].first" for the fields of rows
  std::string type;   // "a time as in "8.5 ms""
  std::string value;  // the default, as a scenario would write it
  std::string range;
  std::string help;
  std::string source;
  bool required = false;
};

std::vector<Description> describe(Parameters& parameters);

}  // namespace seekahead
