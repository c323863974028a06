// Models that come as shared libraries. A plug-in is built against these headers and nothing else; it exports
// one C function, which SEEKAHEAD_PLUGIN writes:
//
//     #include "sim/scenario/plugin.hpp"
//
//     SEEKAHEAD_PLUGIN(registry) { registry.readahead.add(my_policy()); }
//
// docs/plugins.md walks through a complete one.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "sim/scenario/registry.hpp"

namespace seekahead {

// Raised whenever an interface header changes so that plug-ins have to be built anew.
inline constexpr int plugin_interface_version = 1;

// What the entry point returns. The version stands first in every version of this struct.
struct PluginEntry {
  int interface_version;
  void (*register_models)(Registry& registry);
};

// The message names the plug-in's file.
class PluginError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Adds the models of every file to the registry, in order. The libraries stay loaded until the program ends.
// An exception that a model of a plug-in throws later reaches the caller as a PluginError.
// Throws PluginError with all problems, one a line: no such library, no entry point, another interface
// version, a throw while registering, a name that is taken.
void load_plugins(Registry& registry, const std::vector<std::string>& files);

}  // namespace seekahead

extern "C" const seekahead::PluginEntry* seekahead_plugin();

#define SEEKAHEAD_PLUGIN(registry)                                                                     \
  static void seekahead_register_models(seekahead::Registry& registry);                                \
  extern "C" __attribute__((visibility("default"))) const seekahead::PluginEntry* seekahead_plugin() { \
    static const seekahead::PluginEntry entry = {seekahead::plugin_interface_version,                  \
                                                 seekahead_register_models};                           \
    return &entry;                                                                                     \
  }                                                                                                    \
  static void seekahead_register_models(seekahead::Registry& registry)
