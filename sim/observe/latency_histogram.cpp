#include "sim/observe/latency_histogram.hpp"

#include <algorithm>
#include <bit>

namespace seekahead {

std::size_t LatencyHistogram::bucket_of(std::uint64_t value) {
  if (value < (std::uint64_t{1} << sub_bits)) {
    return value;
  }
  const auto shift = static_cast<int>(std::bit_width(value)) - 1 -
                     sub_bits;  // keeps the leading bit and the sub_bits after it
  return (static_cast<std::size_t>(shift) << sub_bits) + static_cast<std::size_t>(value >> shift);
}

TimeNs LatencyHistogram::upper_limit(std::size_t bucket) {
  const std::size_t sub_count = std::size_t{1} << sub_bits;
  if (bucket < 2 * sub_count) {
    return static_cast<TimeNs>(bucket);
  }
  const std::size_t shift = (bucket >> sub_bits) - 1;
  const std::uint64_t leading = bucket - (shift << sub_bits);
  return static_cast<TimeNs>(((leading + 1) << shift) - 1);
}

void LatencyHistogram::add(TimeNs value_ns) {
  value_ns = std::max<TimeNs>(value_ns, 0);
  const std::size_t bucket = bucket_of(static_cast<std::uint64_t>(value_ns));
  if (bucket >= buckets_.size()) {
    buckets_.resize(bucket + 1);
  }
  ++buckets_[bucket];
  ++count_;
  sum_ns_ += value_ns;
  max_ns_ = std::max(max_ns_, value_ns);
}

void LatencyHistogram::add_all(const LatencyHistogram& other) {
  buckets_.resize(std::max(buckets_.size(), other.buckets_.size()));
  for (std::size_t i = 0; i < other.buckets_.size(); ++i) {
    buckets_[i] += other.buckets_[i];
  }
  count_ += other.count_;
  sum_ns_ += other.sum_ns_;
  max_ns_ = std::max(max_ns_, other.max_ns_);
}

double LatencyHistogram::mean_ns() const {
  return count_ == 0 ? 0.0 : static_cast<double>(sum_ns_) / static_cast<double>(count_);
}

TimeNs LatencyHistogram::percentile_ns(double percent) const {
  const double wanted = percent / 100.0 * static_cast<double>(count_);
  std::int64_t seen = 0;
  for (std::size_t bucket = 0; bucket < buckets_.size(); ++bucket) {
    seen += buckets_[bucket];
    if (buckets_[bucket] > 0 && static_cast<double>(seen) >= wanted) {
      return std::min(upper_limit(bucket), max_ns_);
    }
  }
  return max_ns_;
}

}  // namespace seekahead
