// Just enough of UTF-8 to refuse what is not and to count columns.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace seekahead {

// Offset of the first byte that is not part of a well-formed character (RFC 3629: no overlong forms, no
// surrogates, nothing above U+10FFFF).
std::optional<std::size_t> first_invalid_utf8(std::string_view text);

std::int64_t count_characters(std::string_view text);

}  // namespace seekahead
