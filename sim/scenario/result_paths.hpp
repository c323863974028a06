// Paths of numbers in the result of a run, as expectations name them: process.NAME.throughput_mb_s
// (docs/results.md).
#pragma once

#include <string>
#include <vector>

namespace seekahead {

// Names that paths may hold come from the scenario.
struct ResultNames {
  std::vector<std::string> processes;
  std::vector<std::string> process_groups;  // [[process]] with `count`: sums over its copies
  std::vector<std::string> devices;
  std::vector<std::string> files;
};

struct PathProblem {
  std::string message;  // empty: none
  std::string hint;
};

// What is wrong with a path, as far as it can be told before the run: which classes of windows occur is known
// only afterwards.
PathProblem problem_of_path(const std::string& path, const ResultNames& names);

}  // namespace seekahead
