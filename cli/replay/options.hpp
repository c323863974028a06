// Command line of `seekahead replay`.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/commands.hpp"
#include "sim/device/replay.hpp"
#include "sim/scenario/drive_file.hpp"

namespace seekahead::cli {

struct ReplayCommand {
  bool help = false;
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

// Reports every problem to `diagnostics`.
ReplayCommand parse_replay_command(const Arguments& arguments, Diagnostics& diagnostics);

std::string replay_help();

}  // namespace seekahead::cli
