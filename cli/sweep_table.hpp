// The points of a sweep as rows: the swept keys, then the figures most people look at (CSV, text), or the
// whole results (JSON).
#pragma once

#include <string>
#include <vector>

#include "sim/scenario/scenario.hpp"
#include "sim/scenario/simulate.hpp"

namespace seekahead::cli {

class SweepTable {
 public:
  // `outcomes`: one for each point, in order.
  SweepTable(const Scenario& scenario, const std::vector<Outcome>& outcomes);

  std::string text() const;  // aligned columns
  std::string csv() const;   // RFC 4180
  std::string json() const;  // a list of {point, result} or {point, error}
  std::size_t failures() const;

 private:
  std::vector<std::vector<std::string>> cells_;  // header first
  const Scenario& scenario_;
  const std::vector<Outcome>& outcomes_;
};

}  // namespace seekahead::cli
