// A plug-in that was built against other headers.
#include "sim/scenario/plugin.hpp"

extern "C" const seekahead::PluginEntry* seekahead_plugin() {
  static const seekahead::PluginEntry entry = {
      seekahead::plugin_interface_version + 1,
      [](seekahead::Registry&) { throw std::logic_error("must not be called"); }};
  return &entry;
}
