// Arithmetic that several kernels' readahead codes have in common, so that it stands in one place.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "sim/engine/units.hpp"

namespace seekahead {

// INIT(req, max) of 2.6.18 and later: the first window of a stream that asked for `request` pages. May be
// smaller than the request.
constexpr std::uint64_t initial_window(std::uint64_t request, std::uint64_t max) {
  const std::uint64_t rounded = request > std::uint64_t{1} << 63 ? max : std::bit_ceil(request);
  if (rounded <= max / 32) {
    return 4 * rounded;
  }
  return rounded <= max / 4 ? 2 * rounded : max;
}

// NEXT of the on-demand kernels and of -request-size without a cache miss: the window after one of `current`
// pages.
constexpr std::uint64_t next_window(std::uint64_t current, std::uint64_t max) {
  return std::min(current < max / 16 ? 4 * current : 2 * current, max);
}

// max_sane: kernels before 6.1 never read ahead more than half of what memory can take.
constexpr std::uint64_t max_sane(std::uint64_t pages, std::uint64_t vm_pages) {
  return std::min(pages, vm_pages / 2);
}

// The pages that posix_fadvise(position, length) names. Length 0 (or one that overflows) means "to the end":
// then `last` is 2^64-1 and `count` may wrap to 0, which stands for "as many as there are".
struct AdvisedRange {
  std::uint64_t end_byte;  // last byte, 2^64-1 for the end

  constexpr AdvisedRange(std::uint64_t position, std::uint64_t length)
      : end_byte(position + length), position_(position) {
    const bool overflow = static_cast<std::int64_t>(end_byte) < static_cast<std::int64_t>(length);
    end_byte = length == 0 || overflow ? ~std::uint64_t{0} : end_byte - 1;
  }
  // WILLNEED reads every page the range touches.
  constexpr PageIndex first_touched() const { return position_ / page_bytes; }
  constexpr PageIndex last() const {
    return static_cast<PageIndex>(static_cast<std::int64_t>(end_byte) >> 12);
  }
  constexpr std::uint64_t touched() const {
    const std::uint64_t count = last() - first_touched() + 1;
    return count != 0 ? count : ~std::uint64_t{0};
  }
  // DONTNEED spares a page of which only the end is named.
  constexpr PageIndex first_whole() const { return (position_ + page_bytes - 1) / page_bytes; }

 private:
  std::uint64_t position_;
};

}  // namespace seekahead
