#include "cli/decide/line_reader.hpp"

#include <unistd.h>
#include <zlib.h>

#include <cerrno>
#include <cstring>

namespace seekahead::cli {

namespace {
gzFile handle(void* file) { return static_cast<gzFile>(file); }
}  // namespace

LineReader::LineReader(const std::string& path) : path_(path), buffer_(std::size_t{1} << 16) {
  errno = 0;
  // A copy of the descriptor: gzclose closes what it was given.
  file_ = path == "-" ? gzdopen(dup(STDIN_FILENO), "rb") : gzopen(path.c_str(), "rb");
  if (file_ == nullptr) {
    throw Error(std::string("cannot be opened: ") + std::strerror(errno));
  }
}

LineReader::~LineReader() { gzclose(handle(file_)); }

bool LineReader::fill() {
  errno = 0;
  const int got = gzread(handle(file_), buffer_.data(), static_cast<unsigned>(buffer_.size()));
  int status = Z_OK;
  const char* message = gzerror(handle(file_), &status);
  // Z_BUF_ERROR: the file ends inside a compressed stream.
  if (got < 0 || status == Z_BUF_ERROR) {
    throw Error(std::string("cannot be read: ") + (status == Z_ERRNO ? std::strerror(errno) : message));
  }
  used_ = 0;
  filled_ = static_cast<std::size_t>(got);
  return got > 0;
}

bool LineReader::next(std::string& line) {
  line.clear();
  while (used_ < filled_ || fill()) {
    const char* begin = buffer_.data() + used_;
    const char* end = static_cast<const char*>(std::memchr(begin, '\n', filled_ - used_));
    const std::size_t length = end != nullptr ? static_cast<std::size_t>(end - begin) : filled_ - used_;
    line.append(begin, length);
    used_ += length + (end != nullptr ? 1 : 0);
    if (line.size() > max_line_bytes) {
      throw Error("line " + std::to_string(line_number_ + 1) + " has more than 256 MiB");
    }
    if (end != nullptr) {
      ++line_number_;
      return true;
    }
  }
  if (!line.empty()) {
    ++line_number_;
    return true;
  }
  return false;
}

}  // namespace seekahead::cli
