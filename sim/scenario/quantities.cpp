#include "sim/scenario/quantities.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <span>

namespace seekahead {

namespace {

struct Unit {
  std::string_view name;
  std::int64_t size;
};

constexpr std::int64_t kib = 1 << 10;
constexpr std::int64_t mib = 1 << 20;
constexpr std::int64_t gib = 1 << 30;
constexpr std::int64_t tib = gib * 1024;
constexpr std::int64_t mega = 1'000'000;
constexpr std::int64_t giga = 1'000'000'000;
constexpr std::int64_t tera = 1'000'000'000'000;

constexpr Unit byte_units[] = {{"B", 1},     {"KiB", kib}, {"MiB", mib}, {"GiB", gib},
                               {"TiB", tib}, {"MB", mega}, {"GB", giga}, {"TB", tera}};
constexpr Unit rate_units[] = {{"B/s", 1},     {"KiB/s", kib}, {"MiB/s", mib},
                               {"GiB/s", gib}, {"MB/s", mega}, {"GB/s", giga}};
constexpr Unit time_units[] = {{"ns", 1},       {"us", ns_per_us},      {"ms", ns_per_ms},
                               {"s", ns_per_s}, {"min", 60 * ns_per_s}, {"h", 3600 * ns_per_s}};

std::span<const Unit> units(Dimension dimension) {
  switch (dimension) {
    case Dimension::bytes:
      return byte_units;
    case Dimension::rate:
      return rate_units;
    case Dimension::time:
      return time_units;
    case Dimension::percent:
      break;
  }
  return {};
}

std::string_view trimmed(std::string_view text) {
  const auto is_space = [](char c) { return c == ' ' || c == '\t'; };
  while (!text.empty() && is_space(text.front())) {
    text.remove_prefix(1);
  }
  while (!text.empty() && is_space(text.back())) {
    text.remove_suffix(1);
  }
  return text;
}

// digits * 10^exponent
struct Decimal {
  __int128 digits = 0;
  int exponent = 0;
};

constexpr __int128 most_digits = static_cast<__int128>(1) << 90;  // times the largest unit still fits

// Splits "8.5 ms" into a decimal and "ms". False: it does not begin with a number.
bool split_number(std::string_view text, Decimal& number, std::string_view& rest) {
  std::size_t at = 0;
  const bool negative = !text.empty() && text[0] == '-';
  at += !text.empty() && (text[0] == '-' || text[0] == '+') ? 1 : 0;
  bool any = false;
  bool after_point = false;
  for (; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '.' && !after_point && any && at + 1 < text.size() && text[at + 1] >= '0' &&
        text[at + 1] <= '9') {
      after_point = true;
    } else if (c >= '0' && c <= '9') {
      if (number.digits > most_digits) {
        return false;
      }
      number.digits = number.digits * 10 + (c - '0');
      number.exponent -= after_point ? 1 : 0;
      any = true;
    } else {
      break;
    }
  }
  number.digits = negative ? -number.digits : number.digits;
  rest = trimmed(text.substr(at));
  return any;
}

// Most people who write KB mean 1024 bytes, some mean 1000.
std::string kilo_problem(std::string_view unit, Dimension dimension) {
  const std::string per_second = dimension == Dimension::rate ? "/s" : "";
  for (const std::string_view kilo : {"K", "KB", "kB", "k", "Kb", "kb"}) {
    if (unit == std::string(kilo) + per_second) {
      return "\"" + std::string(unit) + "\" is ambiguous (1000 or 1024 bytes): write KiB" + per_second +
             " for 1024, or the number of bytes in B" + per_second;
    }
  }
  return "";
}

const Unit* find_unit(Dimension dimension, std::string_view name) {
  // Both code points of the micro sign.
  const std::string_view spelled = name == "\u00b5s" || name == "\u03bcs" ? "us" : name;
  for (const Unit& unit : units(dimension)) {
    if (unit.name == spelled) {
      return &unit;
    }
  }
  return nullptr;
}

std::string smallest(Dimension dimension) {
  switch (dimension) {
    case Dimension::bytes:
      return "a fraction of a byte";
    case Dimension::rate:
      return "a fraction of a byte a second";
    default:
      return "finer than a nanosecond";
  }
}

Quantity<std::int64_t> scale(const Decimal& number, const Unit& unit, Dimension dimension) {
  // Trailing zeros behind the point are harmless; what is left must divide.
  __int128 value = number.digits;
  int exponent = number.exponent;
  while (exponent < 0 && value % 10 == 0) {
    value /= 10;
    ++exponent;
  }
  constexpr __int128 limit = std::numeric_limits<std::int64_t>::max();
  // |value| < 2^94, and a unit below 2^42 would overflow: then it is beyond the limit unless divided.
  std::int64_t factor = unit.size;
  while (exponent < 0) {
    const std::int64_t common = factor % 10 == 0 ? 10 : factor % 5 == 0 ? 5 : factor % 2 == 0 ? 2 : 1;
    const std::int64_t needed = 10 / common;
    if (value % needed != 0) {
      return {{}, "is " + smallest(dimension)};
    }
    factor /= common;
    value /= needed;
    ++exponent;
  }
  if (value > limit / factor || value < -(limit / factor)) {
    return {{}, "is too large"};
  }
  return {static_cast<std::int64_t>(value * factor), ""};
}

}  // namespace

Quantity<std::int64_t> parse_quantity(Dimension dimension, std::string_view text) {
  Decimal number;
  std::string_view name;
  if (!split_number(trimmed(text), number, name)) {
    return {{}, "is not a number with a unit (" + units_of(dimension) + ")"};
  }
  if (name.empty()) {
    return {{}, "needs a unit: " + units_of(dimension)};
  }
  const Unit* unit = find_unit(dimension, name);
  if (unit != nullptr) {
    return scale(number, *unit, dimension);
  }
  const std::string kilo = kilo_problem(name, dimension);
  return {{}, !kilo.empty() ? kilo : "has the wrong unit; the units here are " + units_of(dimension)};
}

Quantity<double> parse_percent(std::string_view text) {
  text = trimmed(text);
  if (text.empty() || text.back() != '%') {
    return {{}, "needs the unit %, as in \"40 %\""};
  }
  const std::optional<double> value = parse_real(trimmed(text.substr(0, text.size() - 1)));
  if (!value) {
    return {{}, "is not a number of per cent, as in \"40 %\""};
  }
  return {value, ""};
}

std::optional<std::int64_t> parse_integer(std::string_view text) {
  text = trimmed(text);
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) {
    return std::nullopt;
  }
  return value;
}

std::optional<double> parse_real(std::string_view text) {
  text = trimmed(text);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) {
    return std::nullopt;
  }
  return value;
}

std::string format_real(double value) {
  char buffer[64];
  const auto [end, error] = std::to_chars(buffer, buffer + sizeof buffer, value == 0 ? 0.0 : value);
  return error == std::errc() ? std::string(buffer, end) : "nan";
}

std::string format_percent(double value) { return format_real(value) + " %"; }

std::string format_quantity(Dimension dimension, std::int64_t value) {
  // The largest unit that needs no digits behind the point, or for a time (8.5 ms) as many as it takes.
  const bool is_time = dimension == Dimension::time;
  Unit best = is_time && value == 0 ? Unit{"s", ns_per_s} : units(dimension)[0];
  for (const Unit& unit : units(dimension)) {
    const bool readable = !is_time || unit.size <= ns_per_s;  // "90 s" rather than "1.5 min"
    const bool fits = value / unit.size != 0 && (is_time || value % unit.size == 0);
    if (unit.size > best.size && readable && fits) {
      best = unit;
    }
  }
  std::string out = std::to_string(value / best.size);
  std::int64_t rest = std::abs(value % best.size);
  if (value < 0 && value / best.size == 0) {
    out.insert(0, "-");
  }
  std::string fraction;
  for (std::int64_t digit = best.size / 10; rest != 0 && digit > 0; digit /= 10) {
    fraction += static_cast<char>('0' + rest / digit);
    rest %= digit;
  }
  return out + (fraction.empty() ? "" : "." + fraction) + " " + std::string(best.name);
}

std::string units_of(Dimension dimension) {
  if (dimension == Dimension::percent) {
    return "%";
  }
  std::string out;
  for (const Unit& unit : units(dimension)) {
    out += (out.empty() ? "" : ", ") + std::string(unit.name);
  }
  return out;
}

std::optional<Dimension> dimension_of(std::string_view text) {
  Decimal number;
  std::string_view name;
  if (!split_number(trimmed(text), number, name)) {
    return std::nullopt;
  }
  for (const Dimension dimension : {Dimension::bytes, Dimension::time, Dimension::rate}) {
    if (find_unit(dimension, name) != nullptr) {
      return dimension;
    }
  }
  return name == "%" ? std::optional(Dimension::percent) : std::nullopt;
}

}  // namespace seekahead
