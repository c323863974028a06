#include "cli/calibrate/measurements.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include "sim/device/request_trace.hpp"
#include "sim/scenario/diagnostics.hpp"
#include "sim/scenario/quantities.hpp"
#include "sim/text/decimal.hpp"
#include "sim/text/line_reader.hpp"

namespace seekahead::cli {

namespace {

constexpr std::int64_t largest_io = std::int64_t{1} << 30;
constexpr std::int64_t most_cylinders = 10'000'000;

// Names in use for the columns of the tables. Sizes of a column that ends in "kb" or "kib" count 1024 bytes.
constexpr std::array<std::string_view, 9> size_names = {
    "io_size", "io_kb", "io_kib", "size_kb", "size_kib", "size", "ra", "read_ahead_kb", "io_bytes"};
constexpr std::array<std::string_view, 5> rate_names = {"mb_s", "mb_per_s", "rate_mb_s", "mb/s",
                                                        "throughput_mb_s"};
constexpr std::array<std::string_view, 3> distance_names = {"cylinders", "distance", "distance_cylinders"};
constexpr std::array<std::string_view, 3> seek_names = {"seek_ms", "time_ms", "ms"};

std::vector<std::string_view> fields_of(std::string_view line) {
  std::vector<std::string_view> fields;
  for (std::size_t from = 0; from <= line.size();) {
    const std::size_t comma = std::min(line.find(',', from), line.size());
    std::string_view field = line.substr(from, comma - from);
    const std::size_t begin = std::min(field.find_first_not_of(" \t"), field.size());
    const std::size_t end = field.find_last_not_of(" \t");
    fields.push_back(end == std::string_view::npos ? "" : field.substr(begin, end - begin + 1));
    from = comma + 1;
  }
  return fields;
}

// "64", "64k", "1M" (of 1024), "64 KiB"; a bare number counts `unit` bytes.
std::optional<std::int64_t> io_size(std::string_view text, std::int64_t unit) {
  const char last = text.empty() ? ' ' : text.back();
  const bool kilo = last == 'k' || last == 'K';
  const bool suffix = kilo || last == 'M';
  const std::optional<std::int64_t> count = parse_integer(suffix ? text.substr(0, text.size() - 1) : text);
  if (!count) {
    return parse_quantity(Dimension::bytes, text).value;
  }
  if (*count < 1 || *count > largest_io) {
    return std::nullopt;
  }
  return *count * (!suffix ? unit : kilo ? 1 << 10 : 1 << 20);
}

// Index of the first name that is one of `wanted`, letters of either case; names.size(): none.
template <std::size_t N>
std::size_t index_of(const std::vector<std::string_view>& names,
                     const std::array<std::string_view, N>& wanted) {
  for (std::size_t i = 0; i < names.size(); ++i) {
    std::string lower(names[i]);
    std::transform(lower.begin(), lower.end(), lower.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    if (std::find(wanted.begin(), wanted.end(), lower) != wanted.end()) {
      return i;
    }
  }
  return names.size();
}

// A table of two columns, found by name.
class Table {
 public:
  Table(const std::string& path, Measurements& to) : path_(path), reader_(path), to_(to) {}

  void read() {
    std::string_view line;
    if (!reader_.next(line)) {
      fail(reader_.problem().empty() ? "the file is empty; a line naming the columns was expected"
                                     : reader_.problem());
      return;
    }
    name_columns(line);
    while (to_.kind != Measurements::Kind::unknown && reader_.next(line)) {
      if (!line.empty()) {
        read_row(fields_of(line));
      }
    }
    if (!reader_.problem().empty()) {
      fail(reader_.problem());
    } else if (to_.problems.empty() && to_.rows() == 0) {
      fail("holds no measurement");
    }
  }

 private:
  void fail(const std::string& message) {
    to_.problems.push_back(path_ + ":" + std::to_string(reader_.line_number()) + ": error: " + message);
  }

  void name_columns(std::string_view line) {
    const std::vector<std::string_view> names = fields_of(line);
    fields_ = names.size();
    first_ = index_of(names, size_names);
    second_ = index_of(names, rate_names);
    if (first_ < fields_ && second_ < fields_) {
      to_.kind = Measurements::Kind::rates;
      unit_ = names[first_].size() > 2 && (names[first_].ends_with("b") || names[first_].ends_with("B"))
                  ? 1024
                  : 1;
      return;
    }
    first_ = index_of(names, distance_names);
    second_ = index_of(names, seek_names);
    if (first_ < fields_ && second_ < fields_) {
      to_.kind = Measurements::Kind::seeks;
      return;
    }
    fail("columns " + in_quotes(line) +
         " tell no measurement; expected lbn, blocks, is_read, measured_ms (service times), or io_size, mb_s "
         "(rates), or cylinders, seek_ms (seek times)");
  }

  void read_row(const std::vector<std::string_view>& fields) {
    if (fields.size() != fields_) {
      fail(std::to_string(fields.size()) + " fields, but the header names " + std::to_string(fields_));
      return;
    }
    if (to_.kind == Measurements::Kind::rates) {
      read_rate(fields[first_], fields[second_]);
    } else {
      read_seek(fields[first_], fields[second_]);
    }
  }

  void read_rate(std::string_view size, std::string_view rate) {
    const std::optional<std::int64_t> bytes = io_size(size, unit_);
    const std::optional<double> mb_s = parse_real(rate);
    if (!bytes || *bytes < sector_bytes || *bytes > largest_io || *bytes % sector_bytes != 0) {
      fail("size " + in_quotes(size) +
           ": expected whole sectors of 512 bytes, up to 1 GiB, as in 64k or 64 KiB");
    } else if (!mb_s || !(*mb_s > 0) || *mb_s > 1e6) {
      fail("rate " + in_quotes(rate) + ": expected a number above 0 and up to a million");
    } else {
      to_.rates.push_back({*bytes, *mb_s});
    }
  }

  void read_seek(std::string_view distance, std::string_view time) {
    const std::optional<std::int64_t> cylinders = parse_integer(distance);
    const std::optional<double> ms = parse_real(time);
    if (!cylinders || *cylinders < 1 || *cylinders > most_cylinders) {
      fail("distance " + in_quotes(distance) + ": expected a whole number from 1 to ten million");
    } else if (!ms || *ms < 0 || *ms > 1e3) {
      fail("seek time " + in_quotes(time) + ": expected a number from 0 to 1000");
    } else {
      to_.seeks.push_back({*cylinders, *ms});
    }
  }

  std::string path_;
  LineReader reader_;
  Measurements& to_;
  std::size_t fields_ = 0;
  std::size_t first_ = 0;
  std::size_t second_ = 0;
  std::int64_t unit_ = 1;  // bytes that a bare number of the size column counts
};

void read_services(RequestTrace& trace, const BlockDevice& device, Measurements& to) {
  to.kind = Measurements::Kind::service_times;
  trace.limit(device.capacity_sectors(), device.max_request_sectors());
  TraceRow row;
  while (trace.next(row)) {
    to.services.push_back({row.request, row.reference_ns});
  }
  trace.find_more_problems();
  to.problems = trace.problems();
}

bool is_service_header(std::string_view header) {
  const std::vector<std::string_view> names = fields_of(header);
  const auto has = [&names](std::string_view name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  return has("lbn") && (has("measured_ms") != has("response_ms"));
}

}  // namespace

Measurements read_measurements(const std::string& path, const BlockDevice& device) {
  Measurements measurements;
  LineReader reader(path);
  std::string_view header;
  if (reader.next(header) && is_service_header(header)) {
    RequestTrace trace(path);
    if (trace.read_header()) {
      read_services(trace, device, measurements);
    } else {
      measurements.problems = trace.problems();
    }
    return measurements;
  }
  Table(path, measurements).read();
  return measurements;
}

}  // namespace seekahead::cli
