#include "cli/replay/row_writer.hpp"

#include <utility>

#include "sim/text/decimal.hpp"

namespace seekahead::cli {

namespace {
constexpr std::size_t buffer_bytes = 1 << 16;
constexpr std::size_t number_bytes = 24;
}  // namespace

RowWriter::RowWriter(const RequestTrace& trace)
    : has_arrival_(trace.has(TraceColumn::arrival)), has_response_(trace.has(TraceColumn::response)) {
  buffer_ = trace.header();
  buffer_ += has_arrival_ ? "" : ",arrival_ms";
  buffer_ += has_response_ ? "" : ",response_ms";
  buffer_ += '\n';
}

void RowWriter::add(const TraceRow& row) {
  if (spare_.empty()) {
    rows_.emplace_back();
  } else {
    rows_.push_back(std::move(spare_.back()));
    spare_.pop_back();
  }
  Row& kept = rows_.back();
  kept.line.assign(row.line);
  kept.response_ns = -1;
  const auto end = static_cast<std::uint32_t>(row.line.size());
  const FieldRange at_end{end, end};
  const FieldRange arrival = has_arrival_ ? row.arrival : at_end;
  const FieldRange response = has_response_ ? row.response : at_end;
  kept.arrival_first = arrival.begin <= response.begin;
  kept.first = kept.arrival_first ? arrival : response;
  kept.second = kept.arrival_first ? response : arrival;
}

void RowWriter::completed(std::uint64_t row, TimeNs arrival_ns, TimeNs response_ns) {
  Row& done = rows_[row - first_row_];
  done.arrival_ns = arrival_ns;
  done.response_ns = response_ns;
  while (!rows_.empty() && rows_.front().response_ns >= 0) {
    print(rows_.front());
    spare_.push_back(std::move(rows_.front()));
    rows_.pop_front();
    ++first_row_;
  }
}

void RowWriter::print(const Row& row) {
  if (buffer_.size() + row.line.size() + 2 * number_bytes + 4 > buffer_bytes) {
    write_out();
  }
  const std::string_view line = row.line;
  char number[2 * number_bytes];
  const auto put = [&](bool is_arrival) {
    char* p = number;
    if (is_arrival ? !has_arrival_ : !has_response_) {
      *p++ = ',';
    }
    p = write_millionths(p, is_arrival ? row.arrival_ns : row.response_ns);
    buffer_.append(number, p);
  };
  buffer_.append(line.substr(0, row.first.begin));
  put(row.arrival_first);
  buffer_.append(line.substr(row.first.end, row.second.begin - row.first.end));
  put(!row.arrival_first);
  buffer_.append(line.substr(row.second.end));
  buffer_ += '\n';
}

void RowWriter::write_out() {
  good_ = good_ && std::fwrite(buffer_.data(), 1, buffer_.size(), stdout) == buffer_.size();
  buffer_.clear();
}

bool RowWriter::finish() {
  write_out();
  return std::fflush(stdout) == 0 && good_;
}

}  // namespace seekahead::cli
