// [[expect]]: what a published measurement says a run should give.
//
//     [[expect]]
//     of = "process.diff.throughput_mb_s"        # a path in the JSON result
//     where = { "readahead.max_readahead" = 31 } # which points of a sweep
//     equals = 10.9                              # or at_least, at_most, order = [...], list = [...]
//     tolerance = "10 %"
//     source = "post 0.1, 2.4.7"
//
// `of` may apply a function to paths: ratio(A, B), mean(A), min(A), max(A). A path may select points of its
// own: ratio(process.r.throughput_mb_s{readahead.max_readahead = 511}, process.r.throughput_mb_s{...}).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/scenario/node.hpp"
#include "sim/scenario/result_paths.hpp"
#include "sim/scenario/sweep.hpp"

namespace seekahead {

struct Measure {
  std::string path;               // "process.diff.throughput_mb_s"
  std::vector<SweepValue> where;  // its own selection of points, beside that of the expectation
};

enum class Claim { equals, at_least, at_most, order, list };

struct Expectation {
  std::string name;      // as given, else `of`
  std::string of;        // as written
  std::string function;  // "ratio", "mean", "min", "max"; empty: the path itself
  std::vector<Measure> measures;
  std::vector<SweepValue> where;
  Claim claim = Claim::equals;
  double value = 0;              // of equals, at_least, at_most
  std::vector<double> numbers;   // of list
  std::vector<Node> order;       // of order: names or numbers
  double tolerance_percent = 0;  // of equals and list
  std::string source;
  std::string unmet;  // why the honest model does not meet it; empty: it should
  Node text;          // the table as written, for `check`
  Position where_written;
};

// Reads one [[expect]]. Nothing: problems were reported.
std::optional<Expectation> read_expectation(const Node& table, const ResultNames& names,
                                            Diagnostics& diagnostics);

}  // namespace seekahead
