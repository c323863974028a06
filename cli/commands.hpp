// The verbs of the program. Each command is one function: arguments after the verb in, exit status out
// (0 good, 1 a run or an expectation failed, 2 bad usage or input, 130 interrupted). Results go to stdout,
// everything else to stderr.
#pragma once

#include <string>
#include <vector>

namespace seekahead::cli {

using Arguments = std::vector<std::string>;

struct Command {
  const char* name;
  const char* usage;  // one line, after the name
  const char* help;   // one line
  int (*run)(const Arguments& arguments);
};

const std::vector<Command>& commands();

int run_check(const Arguments& arguments);
int run_decide(const Arguments& arguments);
int run_run(const Arguments& arguments);
int run_sweep(const Arguments& arguments);
int run_verify(const Arguments& arguments);
int run_calibrate(const Arguments& arguments);
int run_replay(const Arguments& arguments);
int run_drives(const Arguments& arguments);
int run_models(const Arguments& arguments);
int run_version(const Arguments& arguments);

}  // namespace seekahead::cli
