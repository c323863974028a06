// What the read loops of all kernels share: where the copy to the process stands, page by page.
#pragma once

#include <algorithm>

#include "sim/file/page_cache_view.hpp"

namespace seekahead {

// Tells a listener, if there is one, which rule of the specification decided and what. Costs a branch.
inline void note(PageCacheView& view, std::string_view rule, std::string_view text) {
  if (view.rules != nullptr) {
    view.rules->rule(rule, text);
  }
}

struct ReadCursor {
  PageIndex index;       // page wanted now
  std::uint64_t offset;  // first byte wanted in it
  std::uint64_t left;    // bytes still to deliver
  std::uint64_t copied = 0;

  ReadCursor(std::uint64_t position, std::uint64_t length)
      : index(position / page_bytes), offset(position % page_bytes), left(length) {}

  // Bytes that the page holds from `offset` on; 0 at and past the end of the file.
  std::uint64_t available(std::uint64_t file_size) const {
    const std::uint64_t position = index * page_bytes + offset;
    return position >= file_size ? 0 : std::min(page_bytes - offset, file_size - position);
  }

  // Delivers the page, which has `n` bytes to offer. False: the read is over.
  bool deliver(PageCacheView& view, std::uint64_t n) {
    const std::uint64_t bytes = std::min(n, left);
    view.copy(index, bytes);
    copied += bytes;
    left -= bytes;
    offset += bytes;
    index += offset / page_bytes;
    offset %= page_bytes;
    return bytes == n && left > 0;
  }
};

}  // namespace seekahead
