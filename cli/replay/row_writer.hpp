// Prints the rows of a replayed trace as they came in, with our arrival_ms and response_ms in place of (or
// behind) theirs. Rows are printed in the order of the input; those whose turn has not come wait in memory.
#pragma once

#include <cstdint>
#include <cstdio>
#include <deque>
#include <string>
#include <vector>

#include "sim/device/request_trace.hpp"

namespace seekahead::cli {

class RowWriter {
 public:
  explicit RowWriter(const RequestTrace& trace);

  // Rows come in ascending order, each before it is completed.
  void add(const TraceRow& row);
  void completed(std::uint64_t row, TimeNs arrival_ns, TimeNs response_ns);

  // Writes what is left; false: writing failed at some time. Without it the last rows are not printed.
  bool finish();

 private:
  struct Row {
    std::string line;
    FieldRange first;  // replaced by our value; an empty range at the line's end for a new column
    FieldRange second;
    bool arrival_first = true;
    TimeNs arrival_ns = 0;
    TimeNs response_ns = -1;  // < 0: not completed
  };

  void print(const Row& row);
  void write_out();

  bool has_arrival_;
  bool has_response_;
  std::deque<Row> rows_;    // from first_row_ on
  std::vector<Row> spare_;  // printed ones, kept for their memory
  std::uint64_t first_row_ = 0;
  std::string buffer_;
  bool good_ = true;
};

}  // namespace seekahead::cli
