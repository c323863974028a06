#include "cli/scenario_options.hpp"

#include <cstdio>
#include <limits>
#include <memory>
#include <utility>

namespace seekahead::cli {

void add_scenario_options(OptionParser& options) {
  options.list("set", "KEY=VALUE", "replace a value, as in device.hda.bus.mode=udma2");
  options.number("seed", "N", 0, std::numeric_limits<std::int64_t>::max(), "replace scenario.seed");
}

std::vector<Override> overrides_of(const OptionParser& options, Diagnostics& diagnostics,
                                   const std::function<bool(const std::string& set)>& taken) {
  std::vector<Override> overrides;
  for (const std::string& set : options.texts("set")) {
    if (taken && taken(set)) {
      continue;
    }
    if (std::optional<Override> parsed = parse_override(set, diagnostics)) {
      overrides.push_back(*std::move(parsed));
    }
  }
  if (options.has("seed")) {
    Node seed = Node::make_integer(options.integer("seed"));
    seed.is_override = true;
    seed.text = options.text("seed");
    seed.where = {std::make_shared<const SourceText>("--seed " + seed.text, seed.text, true), 1, 1, 1};
    seed.key_where = seed.where;
    overrides.push_back({{"scenario", "seed"}, std::move(seed)});
  }
  return overrides;
}

int refuse(const Diagnostics& diagnostics) {
  std::fputs(diagnostics.text().c_str(), stderr);
  return 2;
}

}  // namespace seekahead::cli
