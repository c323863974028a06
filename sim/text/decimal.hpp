// Numbers of CSV tables, read and written without the locale and fast: a replay of a million requests spends
// most of its time here otherwise.
#pragma once

#include <charconv>
#include <cmath>
#include <cstdint>
#include <string_view>

namespace seekahead {

enum class NumberProblem { none, not_a_number, not_finite, too_large };

// A decimal number times 10^decimals, rounded to the nearest integer ("8.5" with 6 decimals: 8500000).
// Exponents are understood. |result| <= 10^18.
inline NumberProblem parse_decimal(std::string_view text, int decimals, std::int64_t& result) {
  constexpr std::int64_t limit = 1'000'000'000'000'000'000;
  const char* p = text.data();
  const char* const end = p + text.size();
  const bool negative = p != end && *p == '-';
  p += negative;
  std::int64_t value = 0;
  const char* const first = p;
  while (p != end && *p >= '0' && *p <= '9' && value < limit / 100) {
    value = value * 10 + (*p++ - '0');
  }
  const bool digits = p != first;
  int left = decimals;
  if (digits && p != end && *p == '.') {
    for (++p; p != end && *p >= '0' && *p <= '9' && left > 0 && value < limit / 100; --left) {
      value = value * 10 + (*p++ - '0');
    }
  }
  if (digits && p == end && value < limit / 100) {
    for (; left > 0 && value < limit / 100; --left) {
      value *= 10;
    }
    if (left == 0) {
      result = negative ? -value : value;
      return NumberProblem::none;
    }
  }
  // More digits than fit, an exponent, a word, or no number at all.
  double number = 0;
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (error == std::errc::invalid_argument || stop != end) {
    return NumberProblem::not_a_number;
  }
  if (error == std::errc::result_out_of_range) {
    return NumberProblem::too_large;
  }
  if (!std::isfinite(number)) {
    return NumberProblem::not_finite;
  }
  for (int i = 0; i < decimals; ++i) {
    number *= 10;
  }
  if (!(std::fabs(number) <= static_cast<double>(limit))) {
    return NumberProblem::too_large;
  }
  result = std::llround(number);
  return NumberProblem::none;
}

// Writes value / 10^6 with 6 decimals, e.g. nanoseconds as milliseconds, and returns the end.
// REQUIRES: value >= 0, 24 bytes of room.
inline char* write_millionths(char* to, std::int64_t value) {
  to = std::to_chars(to, to + 20, value / 1'000'000).ptr;
  auto rest = static_cast<std::uint32_t>(value % 1'000'000);
  *to = '.';
  for (int i = 6; i > 0; --i) {
    to[i] = static_cast<char>('0' + rest % 10);
    rest /= 10;
  }
  return to + 7;
}

}  // namespace seekahead
