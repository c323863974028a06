#include "sim/text/line_reader.hpp"

#include <fcntl.h>
#include <unistd.h>
#include <zlib.h>

#include <cerrno>
#include <cstring>

namespace seekahead {

// The bytes of the file, decompressed where need be. zlib's own gz functions are not used: they pass over
// garbage behind the compressed data.
class LineReader::Bytes {
 public:
  explicit Bytes(const std::string& path)
      : fd_(path == "-" ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
    if (fd_ < 0) {
      problem_ = std::strerror(errno);
      return;
    }
    refill();
    while (left() < 2 && refill()) {
    }
    compressed_ = left() >= 2 && static_cast<unsigned char>(raw_[0]) == 0x1f &&
                  static_cast<unsigned char>(raw_[1]) == 0x8b;
    if (compressed_ && inflateInit2(&stream_, 16 + MAX_WBITS) != Z_OK) {
      compressed_ = false;
      problem_ = "no memory to decompress";
    }
  }
  ~Bytes() {
    if (compressed_) {
      inflateEnd(&stream_);
    }
    if (fd_ > STDIN_FILENO) {
      ::close(fd_);
    }
  }
  Bytes(const Bytes&) = delete;
  Bytes& operator=(const Bytes&) = delete;

  // Up to `room` bytes; 0 at the end or on a problem.
  std::size_t read(char* to, std::size_t room) {
    if (!problem_.empty()) {
      return 0;
    }
    return compressed_ ? decompress(to, room) : copy(to, room);
  }

  const std::string& problem() const { return problem_; }

 private:
  std::size_t left() const { return raw_end_ - raw_begin_; }

  // Reads more raw bytes behind those that are left; false at the end of the file or on an error.
  bool refill() {
    std::memmove(raw_, raw_ + raw_begin_, left());
    raw_end_ = left();
    raw_begin_ = 0;
    ssize_t count;
    do {
      count = ::read(fd_, raw_ + raw_end_, sizeof raw_ - raw_end_);
    } while (count < 0 && errno == EINTR);
    if (count < 0) {
      problem_ = std::strerror(errno);
    }
    raw_end_ += count > 0 ? static_cast<std::size_t>(count) : 0;
    return count > 0;
  }

  std::size_t copy(char* to, std::size_t room) {
    if (left() == 0 && !refill()) {
      return 0;
    }
    const std::size_t count = left() < room ? left() : room;
    std::memcpy(to, raw_ + raw_begin_, count);
    raw_begin_ += count;
    return count;
  }

  std::size_t decompress(char* to, std::size_t room) {
    stream_.next_out = reinterpret_cast<Bytef*>(to);
    stream_.avail_out = static_cast<uInt>(room);
    while (stream_.avail_out == room) {
      if (left() == 0 && !refill()) {
        if (problem_.empty() && !between_members_) {
          problem_ = "the compressed file is truncated";
        }
        return 0;
      }
      if (between_members_) {
        inflateReset(&stream_);
        between_members_ = false;
      }
      stream_.next_in = reinterpret_cast<Bytef*>(raw_ + raw_begin_);
      stream_.avail_in = static_cast<uInt>(left());
      const int status = inflate(&stream_, Z_NO_FLUSH);
      raw_begin_ = raw_end_ - stream_.avail_in;
      if (status == Z_STREAM_END) {
        between_members_ = true;  // another gzip member may follow, or nothing
      } else if (status != Z_OK && status != Z_BUF_ERROR) {
        problem_ = std::string("the compressed file is damaged") +
                   (stream_.msg != nullptr ? std::string(": ") + stream_.msg : "");
        return 0;
      }
    }
    return room - stream_.avail_out;
  }

  int fd_;
  bool compressed_ = false;
  bool between_members_ = false;
  z_stream stream_ = {};
  char raw_[1 << 16];
  std::size_t raw_begin_ = 0;
  std::size_t raw_end_ = 0;
  std::string problem_;
};

LineReader::LineReader(const std::string& path, std::size_t longest_line)
    : longest_line_(longest_line),
      bytes_(std::make_unique<Bytes>(path)),
      buffer_(std::size_t{1} << 18, '\0') {}

LineReader::~LineReader() = default;

// Makes room behind the unread part and reads into it; false: nothing more comes.
bool LineReader::fill() {
  std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
  end_ -= begin_;
  begin_ = 0;
  if (end_ == buffer_.size()) {
    if (buffer_.size() >= longest_line_) {
      ++line_number_;
      problem_ = "line is longer than " + std::to_string(longest_line_) + " bytes";
      return false;
    }
    buffer_.resize(buffer_.size() * 2);
  }
  const std::size_t count = bytes_->read(buffer_.data() + end_, buffer_.size() - end_);
  end_ += count;
  if (count == 0) {
    at_end_ = true;
    problem_ = bytes_->problem();
  }
  return count != 0;
}

bool LineReader::next(std::string_view& line) {
  std::size_t searched = 0;  // bytes behind begin_ that hold no newline
  for (;;) {
    const char* start = buffer_.data() + begin_;
    const void* newline = std::memchr(start + searched, '\n', end_ - begin_ - searched);
    if (newline != nullptr) {
      const auto length = static_cast<std::size_t>(static_cast<const char*>(newline) - start);
      line = {start, length};
      begin_ += length + 1;
      break;
    }
    searched = end_ - begin_;
    if (!at_end_ && problem_.empty() && fill()) {
      continue;
    }
    if (!problem_.empty() || begin_ == end_) {
      return false;
    }
    line = {buffer_.data() + begin_, end_ - begin_};  // the last line has no newline
    begin_ = end_;
    break;
  }
  if (!line.empty() && line.back() == '\r') {
    line.remove_suffix(1);
  }
  if (line_number_ == 0 && line.substr(0, 3) == "\xEF\xBB\xBF") {
    line.remove_prefix(3);
  }
  ++line_number_;
  return true;
}

}  // namespace seekahead
