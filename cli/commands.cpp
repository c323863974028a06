#include "cli/commands.hpp"

#include <cstdio>
#include <optional>

#include "cli/option_parser.hpp"

namespace seekahead::cli {

const std::vector<Command>& commands() {
  static const std::vector<Command> all = {
      {"run", "SCENARIO|- [OPTION]...", "one run: a readable report, or JSON", run_run},
      {"sweep", "SCENARIO|- [OPTION]...", "every point of a scenario's sweep, as a table", run_sweep},
      {"verify", "PATH... [OPTION]...", "hold runs against the published figures they quote", run_verify},
      {"check", "[OPTION]... SCENARIO...", "validate scenarios, print the effective configuration",
       run_check},
      {"decide", "[OPTION]... CASES.jsonl[.gz]|-", "what a readahead policy decides, case by case",
       run_decide},
      {"replay", "--drive ID|FILE [OPTION]... TRACE.csv[.gz]|-", "what a device alone makes of a trace",
       run_replay},
      {"calibrate", "MEASUREMENTS --drive ID|FILE [-o FILE]",
       "fit a drive to measurements, write a drive file", run_calibrate},
      {"models", "[KIND [NAME]]", "what a scenario can name, with all parameters", run_models},
      {"drives", "[ID]", "the drive catalogue, with the source of every value", run_drives},
      {"version", "", "print the version", run_version},
  };
  return all;
}

int run_version(const Arguments& arguments) {
  OptionParser options("version", "", "Prints the version.");
  if (const std::optional<int> status = options.parse(arguments)) {
    return *status;
  }
  std::puts("seekahead " SEEKAHEAD_VERSION);
  return 0;
}

}  // namespace seekahead::cli
