// Block-level traces as CSV, read row by row in constant memory. The first line names the columns, in any
// order:
//
//   lbn, blocks, is_read      the request: first sector, sectors of 512 bytes, 1 or 0
//   arrival_ms                when it arrived (needed by an open replay only)
//   response_ms, measured_ms  how long it took: the reference of a comparison (one of the two)
//   gap_to_next_arrival_ms    think time from its completion to the next arrival
//
// Other columns may stand between them; a replay hands them through. A row that is damaged or absurd is an
// error with its line and column: no row is ever passed over.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/device/replay.hpp"
#include "sim/text/line_reader.hpp"

namespace seekahead {

enum class TraceColumn { lbn, blocks, is_read, arrival, response, measured, gap };

// Byte range of a field inside its line; `end` is 0 when the trace has no such column.
struct FieldRange {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
};

struct TraceRow {
  ReplayRequest request;
  TimeNs reference_ns = 0;  // response_ms or measured_ms; 0 without them
  std::string_view line;    // valid until the next row is read
  FieldRange arrival;
  FieldRange response;
};

class RequestTrace {
 public:
  explicit RequestTrace(std::string path);

  // Reads the header; false: see problems().
  bool read_header();

  bool has(TraceColumn column) const { return field_of_[static_cast<std::size_t>(column)] >= 0; }
  const std::string& header() const { return header_; }

  // What a row may ask for; set after read_header(), when the device is known.
  void limit(std::int64_t capacity_sectors, std::int64_t max_request_sectors);
  // The arrival column must be there and may not go backwards.
  bool require_arrivals();

  // False at the end, or at the first problem.
  bool next(TraceRow& row);

  // Reads on to the end after next() failed, only to find more problems (at most `max_problems` are kept).
  void find_more_problems();

  // "FILE:LINE: ..." each.
  const std::vector<std::string>& problems() const { return problems_; }
  std::int64_t rows() const { return rows_; }

 private:
  static constexpr std::size_t columns = 7;
  static constexpr std::size_t max_problems = 20;

  bool name_columns();
  bool split(std::string_view line);
  bool parse(std::string_view line, TraceRow& row);
  bool integer(TraceColumn column, std::string_view line, std::int64_t& value);
  bool time(TraceColumn column, std::string_view line, TimeNs& value);
  std::string_view field(TraceColumn column, std::string_view line) const;
  FieldRange range(TraceColumn column) const;
  bool fail(const std::string& message);
  bool fail(TraceColumn column, const std::string& message);

  std::string path_;
  LineReader reader_;
  std::string header_;
  std::array<int, columns> field_of_;  // index of the column's field, -1: not there
  std::size_t fields_ = 0;             // of every line
  std::vector<FieldRange> ranges_;     // fields of the current line
  bool ordered_ = false;
  std::int64_t capacity_sectors_ = 0;
  std::int64_t max_request_sectors_ = 0;
  TimeNs last_arrival_ns_ = 0;
  std::int64_t rows_ = 0;
  std::vector<std::string> problems_;
  std::size_t unreported_ = 0;
};

}  // namespace seekahead
