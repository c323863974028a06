// Command line of `seekahead replay`.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/option_parser.hpp"
#include "sim/engine/units.hpp"
#include "sim/scenario/diagnostics.hpp"

namespace seekahead::cli {

struct ReplayCommand {
  std::string trace;
  std::string drive;
  std::vector<std::string> sets;  // KEY=VALUE of the drive
  bool compare = false;
  bool queue_in_drive = false;
  std::optional<std::int64_t> closed;
  std::optional<TimeNs> think_ns;
  std::optional<std::string> scheduler;
  std::optional<std::int64_t> depth;
};

OptionParser replay_options();

// REQUIRES: options have been parsed. Problems go to `diagnostics`.
ReplayCommand read_replay_command(const OptionParser& options, Diagnostics& diagnostics);

}  // namespace seekahead::cli
