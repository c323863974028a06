// Units of the whole program. Simulated time is a signed 64-bit count of nanoseconds since the start of the
// run; a name that holds a bare number ends in its unit (seek_ns, size_bytes, read_ahead_kb).
#pragma once

#include <cstdint>
#include <limits>

namespace seekahead {

using TimeNs = std::int64_t;        // a moment or a span, nanoseconds
using PageIndex = std::uint64_t;    // index of a 4 KiB page inside a file; kernels let it wrap modulo 2^64
using SectorNumber = std::int64_t;  // logical block number (LBN) of a device, in 512-byte sectors

inline constexpr TimeNs never_ns = std::numeric_limits<TimeNs>::max();
inline constexpr TimeNs ns_per_us = 1'000;
inline constexpr TimeNs ns_per_ms = 1'000'000;
inline constexpr TimeNs ns_per_s = 1'000'000'000;

inline constexpr std::uint64_t page_bytes = 4096;
inline constexpr std::int64_t sector_bytes = 512;
inline constexpr std::int64_t sectors_per_page = 8;

// Pages needed to hold `bytes`.
constexpr std::uint64_t pages_for(std::uint64_t bytes) {
  return bytes / page_bytes + (bytes % page_bytes != 0);
}

}  // namespace seekahead
