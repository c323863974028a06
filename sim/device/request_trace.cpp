#include "sim/device/request_trace.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "sim/text/decimal.hpp"

namespace seekahead {

namespace {

constexpr std::string_view column_names[] = {
    "lbn", "blocks", "is_read", "arrival_ms", "response_ms", "measured_ms", "gap_to_next_arrival_ms"};

std::string_view name_of(TraceColumn column) { return column_names[static_cast<std::size_t>(column)]; }

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) {
    text.remove_prefix(1);
  }
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) {
    text.remove_suffix(1);
  }
  return text;
}

// What a message shows of the file's own text: printable and not endless.
std::string quoted(std::string_view text) {
  std::string shown = "\"";
  for (const char c : text.substr(0, 40)) {
    shown += c >= ' ' && c <= '~' ? c : '?';
  }
  return shown + (text.size() > 40 ? "...\"" : "\"");
}

std::string describe(NumberProblem problem, std::string_view text) {
  switch (problem) {
    case NumberProblem::not_finite:
      return quoted(text) + " is not a finite number";
    case NumberProblem::too_large:
      return quoted(text) + " is too large (at most 10^12 ms)";
    default:
      return text.empty() ? "is empty, a number was expected" : quoted(text) + " is not a number";
  }
}

}  // namespace

RequestTrace::RequestTrace(std::string path) : path_(std::move(path)), reader_(path_) { field_of_.fill(-1); }

bool RequestTrace::fail(const std::string& message) {
  if (problems_.size() == max_problems) {
    ++unreported_;
    return false;
  }
  std::string where = path_;
  if (reader_.line_number() > 0) {
    where.append(":").append(std::to_string(reader_.line_number()));
  }
  problems_.push_back(where.append(": error: ").append(message));
  return false;
}

bool RequestTrace::fail(TraceColumn column, const std::string& message) {
  return fail(std::string(name_of(column)) + ": " + message);
}

bool RequestTrace::read_header() {
  std::string_view line;
  if (!reader_.next(line)) {
    return fail(reader_.problem().empty() ? "the file is empty; a line naming the columns was expected"
                                          : reader_.problem());
  }
  header_ = line;
  return name_columns();
}

bool RequestTrace::name_columns() {
  split(header_);
  fields_ = ranges_.size();
  bool good = true;
  for (std::size_t i = 0; i < fields_; ++i) {
    const FieldRange r = ranges_[i];
    const auto name = trimmed(std::string_view(header_).substr(r.begin, r.end - r.begin));
    const auto* found = std::find(std::begin(column_names), std::end(column_names), name);
    if (found == std::end(column_names)) {
      continue;
    }
    int& field = field_of_[static_cast<std::size_t>(found - std::begin(column_names))];
    if (field >= 0) {
      good = fail("column " + quoted(name) + " occurs twice");
    }
    field = static_cast<int>(i);
  }
  for (const TraceColumn column : {TraceColumn::lbn, TraceColumn::blocks, TraceColumn::is_read}) {
    if (!has(column)) {
      good = fail("no column \"" + std::string(name_of(column)) + "\" among " + quoted(header_) +
                  "; needed are lbn, blocks, is_read");
    }
  }
  return good;
}

void RequestTrace::limit(std::int64_t capacity_sectors, std::int64_t max_request_sectors) {
  capacity_sectors_ = capacity_sectors;
  max_request_sectors_ = max_request_sectors;
}

bool RequestTrace::require_arrivals() {
  ordered_ = true;
  return has(TraceColumn::arrival) || fail("no column \"arrival_ms\" among " + quoted(header_) +
                                           ": replay it closed (--closed N), or give gap_to_next_arrival_ms");
}

bool RequestTrace::split(std::string_view line) {
  ranges_.clear();
  std::uint32_t begin = 0;
  const auto size = static_cast<std::uint32_t>(line.size());
  for (std::uint32_t i = 0; i <= size; ++i) {
    if (i == size || line[i] == ',') {
      ranges_.push_back({begin, i});
      begin = i + 1;
    }
  }
  return ranges_.size() == fields_;
}

FieldRange RequestTrace::range(TraceColumn column) const {
  const int index = field_of_[static_cast<std::size_t>(column)];
  return index < 0 ? FieldRange{} : ranges_[static_cast<std::size_t>(index)];
}

std::string_view RequestTrace::field(TraceColumn column, std::string_view line) const {
  const FieldRange r = range(column);
  return trimmed(line.substr(r.begin, r.end - r.begin));
}

bool RequestTrace::integer(TraceColumn column, std::string_view line, std::int64_t& value) {
  const std::string_view text = field(column, line);
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc() && stop == text.data() + text.size()) {
    return true;
  }
  if (error == std::errc::result_out_of_range) {
    return fail(column, quoted(text) + " is too large");
  }
  return fail(column, text.empty() ? "is empty, a whole number was expected"
                                   : quoted(text) + " is not a whole number");
}

bool RequestTrace::time(TraceColumn column, std::string_view line, TimeNs& value) {
  const std::string_view text = field(column, line);
  const NumberProblem problem = parse_decimal(text, 6, value);
  if (problem != NumberProblem::none) {
    return fail(column, describe(problem, text));
  }
  return value >= 0 || fail(column, quoted(text) + " is negative");
}

bool RequestTrace::parse(std::string_view line, TraceRow& row) {
  ReplayRequest& r = row.request;
  bool good = integer(TraceColumn::lbn, line, r.lbn);
  std::int64_t is_read = 0;
  good = integer(TraceColumn::blocks, line, r.sectors) && good;
  good = integer(TraceColumn::is_read, line, is_read) && good;
  if (has(TraceColumn::arrival)) {
    good = time(TraceColumn::arrival, line, r.arrival_ns) && good;
  }
  if (has(TraceColumn::gap)) {
    good = time(TraceColumn::gap, line, r.think_ns) && good;
  }
  for (const TraceColumn reference : {TraceColumn::response, TraceColumn::measured}) {
    if (has(reference)) {
      good = time(reference, line, row.reference_ns) && good;
    }
  }
  if (!good) {
    return false;
  }
  if (is_read != 0 && is_read != 1) {
    good =
        fail(TraceColumn::is_read, "is " + std::to_string(is_read) + "; 1 (read) or 0 (write) was expected");
  }
  r.is_write = is_read == 0;
  if (r.sectors < 1 || r.sectors > max_request_sectors_) {
    good = fail(TraceColumn::blocks, "is " + std::to_string(r.sectors) + "; this device takes 1 to " +
                                         std::to_string(max_request_sectors_) + " sectors a request");
  } else if (r.lbn < 0 || r.lbn > capacity_sectors_ - r.sectors) {
    good = fail(TraceColumn::lbn, "sectors " + std::to_string(r.lbn) + " + " + std::to_string(r.sectors) +
                                      " do not lie on the device, which has " +
                                      std::to_string(capacity_sectors_));
  }
  if (ordered_ && r.arrival_ns < last_arrival_ns_) {
    good = fail(TraceColumn::arrival,
                "goes backwards: " + quoted(field(TraceColumn::arrival, line)) + " after a later arrival");
  }
  last_arrival_ns_ = std::max(last_arrival_ns_, r.arrival_ns);
  return good;
}

bool RequestTrace::next(TraceRow& row) {
  std::string_view line;
  bool blank = false;  // blank lines may end the file, nothing else
  bool more = reader_.next(line);
  for (; more && line.empty(); more = reader_.next(line)) {
    blank = true;
  }
  if (!more) {
    if (!reader_.problem().empty()) {
      return fail("behind this line: " + reader_.problem());
    }
    return rows_ > 0 || !problems_.empty() ? false : fail("holds no request");
  }
  if (blank) {
    return fail("the line before this one is blank");
  }
  if (!split(line)) {
    return fail(std::to_string(ranges_.size()) + " fields, but the header names " + std::to_string(fields_));
  }
  if (!parse(line, row)) {
    return false;
  }
  row.line = line;
  row.arrival = range(TraceColumn::arrival);
  row.response = range(TraceColumn::response);
  ++rows_;
  return true;
}

void RequestTrace::find_more_problems() {
  TraceRow row;
  std::size_t before = 0;
  while (reader_.problem().empty() && problems_.size() + unreported_ != before) {
    before = problems_.size() + unreported_;
    while (next(row)) {
    }
  }
  if (unreported_ > 0) {
    problems_.push_back(path_ + ": " + std::to_string(unreported_) + " more lines are wrong");
  }
}

}  // namespace seekahead
