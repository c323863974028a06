#include "cli/commands.hpp"

#include <cstdio>

namespace seekahead::cli {

const std::vector<Command>& commands() {
  static const std::vector<Command> all = {
      {"decide", "[OPTION]... CASES.jsonl[.gz]|-", "what a readahead policy decides, case by case",
       run_decide},
      {"replay", "--drive ID|FILE [OPTION]... TRACE.csv[.gz]|-", "what a device alone makes of a trace",
       run_replay},
      {"version", "", "print the version", run_version},
  };
  return all;
}

int run_version(const Arguments&) {
  std::puts("seekahead " SEEKAHEAD_VERSION);
  return 0;
}

}  // namespace seekahead::cli
