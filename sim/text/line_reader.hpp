// Lines of a text file of any length, plain or gzip-compressed (recognised by its first bytes), in constant
// memory.
//
//     LineReader reader("trace.csv.gz");
//     std::string_view line;
//     while (reader.next(line)) { ... reader.line_number() ... }
//     if (!reader.problem().empty()) { ... }
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace seekahead {

class LineReader {
 public:
  // "-" is standard input. A file that cannot be opened is told by next() and problem(). A line of more than
  // about `longest_line` bytes is a problem, not memory.
  explicit LineReader(const std::string& path, std::size_t longest_line = 1 << 20);
  ~LineReader();
  LineReader(const LineReader&) = delete;
  LineReader& operator=(const LineReader&) = delete;

  // The next line without its end ("\n" or "\r\n"), valid until the next call. A UTF-8 byte order mark is
  // skipped. False: end of the file, or a problem.
  bool next(std::string_view& line);

  std::int64_t line_number() const { return line_number_; }  // of the line last returned; 1 is the first

  // Empty, or what is wrong: unreadable, damaged or truncated compression, a line that never ends.
  const std::string& problem() const { return problem_; }

 private:
  class Bytes;
  bool fill();

  const std::size_t longest_line_;
  std::unique_ptr<Bytes> bytes_;
  std::string buffer_;
  std::size_t begin_ = 0;  // unread part of the buffer
  std::size_t end_ = 0;
  bool at_end_ = false;
  std::int64_t line_number_ = 0;
  std::string problem_;
};

}  // namespace seekahead
