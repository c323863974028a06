#include "sim/scenario/plugin.hpp"

#include <dlfcn.h>

#include "sim/scenario/plugin_guard.hpp"

namespace seekahead {

namespace {

using EntryPoint = const PluginEntry* (*)();

const PluginEntry& entry_of(const std::string& file) {
  // dlopen() looks a bare name up in the system's library path; files on a command line lie where they say.
  const std::string path = file.find('/') == std::string::npos ? "./" + file : file;
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    throw std::runtime_error(std::string("cannot be loaded: ") + dlerror());
  }
  const auto entry_point = reinterpret_cast<EntryPoint>(dlsym(library, "seekahead_plugin"));
  if (entry_point == nullptr) {
    throw std::runtime_error("has no function seekahead_plugin; see SEEKAHEAD_PLUGIN");
  }
  const PluginEntry* entry = entry_point();
  if (entry == nullptr || entry->interface_version != plugin_interface_version) {
    throw std::runtime_error("was built for interface version " +
                             (entry == nullptr ? "?" : std::to_string(entry->interface_version)) +
                             ", this program has " + std::to_string(plugin_interface_version) +
                             ": build it again with this program's headers");
  }
  return *entry;
}

template <class M>
void add_all(ModelKind<M>& to, const ModelKind<M>& from, const std::string& file) {
  for (const M& model : from.all()) {
    if (to.find(model.name) != nullptr) {
      throw std::runtime_error("brings a model named \"" + model.name + "\", which there is already");
    }
    M shell = guarded(model, file);
    shell.plugin = file;
    to.add(std::move(shell));
  }
}

void load_plugin(Registry& registry, const std::string& file) {
  const PluginEntry& entry = entry_of(file);
  Registry own;  // so that a plug-in that fails half way leaves nothing behind
  entry.register_models(own);
  Registry extended = registry;
  add_all(extended.readahead, own.readahead, file);
  add_all(extended.elevators, own.elevators, file);
  add_all(extended.devices, own.devices, file);
  add_all(extended.workloads, own.workloads, file);
  registry = std::move(extended);
}

}  // namespace

void load_plugins(Registry& registry, const std::vector<std::string>& files) {
  std::string problems;
  for (const std::string& file : files) {
    std::string problem;
    try {
      load_plugin(registry, file);
      continue;
    } catch (const std::exception& error) {
      problem = error.what();
    } catch (...) {  // a plug-in may throw anything
      problem = "threw something that is no std::exception";
    }
    problems += (problems.empty() ? "plug-in " : "\nplug-in ") + file + ": " + problem;
  }
  if (!problems.empty()) {
    throw PluginError(problems);
  }
}

}  // namespace seekahead
