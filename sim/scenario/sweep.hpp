// [sweep]: keys of the scenario with the values they take; every combination is one point.
//
//     [sweep]
//     "readahead.max_readahead" = [31, 511]
//     "file.b.distance" = { random = 16, from = "0.3 GB", to = "1.5 GB" }     # drawn by the scenario's seed
//
//     readahead = [{ policy = "linux-2.4" }, { policy = "adaptive", kernel = "v15" }]         # keys that go
//     together
//
// The first key varies slowest. Draws are uniform; sizes come out as whole pages, whole numbers as whole
// numbers; each key has its own stream of random numbers, so that adding one leaves the others alone.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/scenario/document.hpp"

namespace seekahead {

// A key of the scenario with one value: a coordinate of a point, or a condition that selects points.
struct SweepValue {
  std::string key;
  Node value;
};

struct SweepPoint {
  std::vector<SweepValue> values;

  std::vector<Override> overrides() const;
  std::string label() const;  // "readahead.max_readahead = 31, file.b.distance = 700000000 B"
};

// The point has every one of these values; a key it does not have matches nothing. A key inside a table that
// the point has as a value counts (readahead.policy above).
bool matches(const SweepPoint& point, const std::vector<SweepValue>& conditions);

// The points of [sweep] of the scenario `root`; without one: none. An axis whose key is fixed by `overrides`
// is left out, as is one with a problem, which is reported.
std::vector<SweepPoint> read_sweep(const Node& root, const std::vector<Override>& overrides,
                                   std::uint64_t seed, Diagnostics& diagnostics);

}  // namespace seekahead
