// Percentiles of a stream of times in fixed memory: buckets of equal relative width, 128 to each power of
// two, so that a percentile is at most 0.8 % above the true value. Mean and maximum are exact.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/engine/units.hpp"

namespace seekahead {

class LatencyHistogram {
 public:
  void add(TimeNs value_ns);  // negative values count as 0
  void add_all(const LatencyHistogram& other);

  std::int64_t count() const { return count_; }
  double mean_ns() const;
  TimeNs max_ns() const { return max_ns_; }
  // Smallest bucket limit that at least `percent` of the values do not exceed; 0 without values.
  TimeNs percentile_ns(double percent) const;

 private:
  static constexpr int sub_bits = 7;
  static std::size_t bucket_of(std::uint64_t value);
  static TimeNs upper_limit(std::size_t bucket);

  std::vector<std::int64_t> buckets_;
  std::int64_t count_ = 0;
  TimeNs max_ns_ = 0;
  std::int64_t sum_ns_ = 0;
};

}  // namespace seekahead
