// Finds the waiting request that a bio touches: what the 2.6 request layer does for all its schedulers. First
// the request merged last, then a request that ends where the bio starts, then one that starts where it ends.
#pragma once

#include <map>

#include "sim/block/elevator.hpp"

namespace seekahead {

class MergeIndex {
 public:
  Merge find(const Bio& bio, const MergeLimits& limits, bool front_merges = true);

  // `request` has grown at its back or front: keeps the index in step and returns the neighbour that now
  // touches it and fits into it, if any; that one is out of the index.
  Request* grown(Request& request, const Bio& bio, MergeKind kind, const MergeLimits& limits);

  void add(Request& request);
  void remove(Request& request);

  // Waiting requests of one direction by start sector.
  const std::multimap<SectorNumber, Request*>& sorted(bool write) const { return by_start_[write ? 1 : 0]; }

 private:
  using Map = std::multimap<SectorNumber, Request*>;
  static void erase(Map& map, SectorNumber key, const Request& request);
  static bool fits(const Request& request, std::int64_t sectors, std::uint32_t segments,
                   const MergeLimits& limits);
  Request* at(const Map& map, SectorNumber key) const;

  Map by_start_[2];
  Map by_end_[2];
  Request* last_merged_ = nullptr;
};

}  // namespace seekahead
