// Runs scenarios given as text, for tests of whole simulations.
#pragma once

#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>

#include "models/builtin.hpp"
#include "sim/scenario/load.hpp"
#include "sim/scenario/simulate.hpp"

namespace seekahead::test {

inline const Registry& builtin_registry() {
  static const Registry registry = [] {
    Registry filled;
    register_builtin_models(filled);
    return filled;
  }();
  return registry;
}

// `registry` must outlive the scenario.
inline Scenario scenario_of(const std::string& text, const Registry& registry = builtin_registry()) {
  Diagnostics diagnostics;
  const Document document = parse_document(text, "test.toml", diagnostics);
  std::optional<Scenario> scenario = load_scenario(document, {}, registry, diagnostics);
  if (!scenario) {
    throw std::runtime_error(diagnostics.text());
  }
  return std::move(*scenario);
}

inline nlohmann::ordered_json run_text(const std::string& text,
                                       const Registry& registry = builtin_registry()) {
  return simulate(scenario_of(text, registry));
}

// A machine without CPU cost, one fixed-latency device "disk" (8 ms, 100 MiB/s) and files a, b of `mib` MiB.
inline std::string fixed_latency_machine(int mib, const std::string& policy = "fixed", int window = 32) {
  const std::string size = std::to_string(mib) + " MiB";
  return "[scenario]\ntitle = \"test\"\n"
         "[machine]\nmemory = \"64 MiB\"\ncpu_per_page = \"0 us\"\ncpu_per_call = \"0 us\"\ncpu_per_fault = "
         "\"0 us\"\n"
         "[[device]]\nname = \"disk\"\nmodel = \"fixed-latency\"\n"
         "[[file]]\nname = \"a\"\ndevice = \"disk\"\nsize = \"" +
         size +
         "\"\n"
         "[[file]]\nname = \"b\"\ndevice = \"disk\"\nsize = \"" +
         size +
         "\"\n"
         "[readahead]\npolicy = \"" +
         policy + "\"\n" + (policy == "none" ? "" : "max_readahead = " + std::to_string(window) + "\n");
}

inline std::string process(const std::string& name, const std::string& workload, const std::string& files,
                           const std::string& rest = "") {
  return "[[process]]\nname = \"" + name + "\"\nworkload = \"" + workload + "\"\nfiles = [" + files + "]\n" +
         rest + "\n";
}

}  // namespace seekahead::test
