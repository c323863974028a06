// seekahead check: validates scenarios and prints what they come to with every default filled in.
#include <cstdio>
#include <limits>
#include <optional>
#include <string>

#include "cli/commands.hpp"
#include "cli/option_parser.hpp"
#include "cli/scenario_options.hpp"
#include "models/builtin.hpp"
#include "sim/scenario/effective.hpp"
#include "sim/scenario/load.hpp"

namespace seekahead::cli {

int run_check(const Arguments& arguments) {
  OptionParser options(
      "check", "[OPTION]... SCENARIO|-...",
      "Checks scenarios, reporting all problems at once, and prints the effective configuration: a\n"
      "scenario with every default filled in that gives the same run.");
  add_scenario_options(options);
  options.flag("quiet,q", "print problems only");
  options.positional(1, std::numeric_limits<std::size_t>::max(), "SCENARIO");
  options.example("seekahead check scenarios/larsson-2001/*.toml");
  if (const std::optional<int> status = options.parse(arguments)) {
    return *status;
  }
  Registry registry;
  register_builtin_models(registry);
  Diagnostics diagnostics;
  const std::vector<Override> overrides = overrides_of(options, diagnostics);
  std::string output;
  for (const std::string& path : options.arguments()) {
    if (const std::optional<Scenario> scenario = load_scenario(path, overrides, registry, diagnostics)) {
      output += (output.empty() ? "# " : "\n# ") + in_quotes(path) + ", effective configuration\n\n";
      output += effective_configuration(*scenario);
    }
  }
  if (!diagnostics.ok()) {
    return refuse(diagnostics);
  }
  if (!options.has("quiet")) {
    std::fputs(output.c_str(), stdout);
  }
  return 0;
}

}  // namespace seekahead::cli
