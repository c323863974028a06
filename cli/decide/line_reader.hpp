// Reads a text file line by line, gzip-compressed or not; "-" is standard input.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace seekahead::cli {

class LineReader {
 public:
  class Error : public std::runtime_error {
   public:
    using std::runtime_error::runtime_error;
  };

  explicit LineReader(const std::string& path);  // throws Error: cannot be opened
  ~LineReader();
  LineReader(const LineReader&) = delete;
  LineReader& operator=(const LineReader&) = delete;

  // The next line without its end; false at the end of the file. Throws Error: cannot be read, broken gzip
  // data, a line of more than max_line_bytes.
  bool next(std::string& line);
  std::uint64_t line_number() const { return line_number_; }  // of the line read last, from 1

  static constexpr std::size_t max_line_bytes = std::size_t{256} << 20;

 private:
  bool fill();

  std::string path_;
  void* file_ = nullptr;  // zlib's gzFile
  std::vector<char> buffer_;
  std::size_t used_ = 0;  // of buffer_, already returned
  std::size_t filled_ = 0;
  std::uint64_t line_number_ = 0;
};

}  // namespace seekahead::cli
