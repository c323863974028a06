// Quantities as people write them: "128 KiB", "8.5 ms", "100 MB/s", "40 %". Reading is exact decimal
// arithmetic: what does not come out as a whole number of bytes, nanoseconds or bytes a second is refused,
// not rounded. Writing gives the canonical form, which reads back as the same value.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "sim/engine/units.hpp"

namespace seekahead {

enum class Dimension { bytes, time, rate, percent };

// Either the value or what is wrong with the text, with the units that would be right.
template <class Value>
struct Quantity {
  std::optional<Value> value;
  std::string problem;
};

// For bytes, time (nanoseconds) and rate (bytes a second). May be negative: ranges are the caller's business.
// REQUIRES: dimension is not percent.
Quantity<std::int64_t> parse_quantity(Dimension dimension, std::string_view text);

Quantity<double> parse_percent(std::string_view text);

// A bare number, for overrides of the command line; no unit, no NaN, no infinity.
std::optional<std::int64_t> parse_integer(std::string_view text);
std::optional<double> parse_real(std::string_view text);

// REQUIRES: dimension is not percent, which format_percent() writes.
std::string format_quantity(Dimension dimension, std::int64_t value);
std::string format_percent(double value);
std::string format_real(double value);  // shortest text that reads back the same

// "B, KiB, MiB, ..."
std::string units_of(Dimension dimension);

// The dimension whose unit the text ends in ("0.3 GB" is bytes); none: a bare number or no unit known.
std::optional<Dimension> dimension_of(std::string_view text);

}  // namespace seekahead
