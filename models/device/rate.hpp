// How long a number of bytes takes at a rate: the one place where models turn MB/s into nanoseconds.
#pragma once

#include <cstdint>

#include "sim/engine/units.hpp"

namespace seekahead {

// Rounded to the nearest nanosecond. REQUIRES: 0 <= bytes <= 8 GiB, bytes_per_second > 0.
constexpr TimeNs time_at_rate_ns(std::int64_t bytes, std::int64_t bytes_per_second) {
  return (bytes * ns_per_s + bytes_per_second / 2) / bytes_per_second;
}

}  // namespace seekahead
