#include "sim/text/output_file.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <utility>

namespace seekahead {

OutputFile::OutputFile(std::string path)
    : path_(std::move(path)), temporary_(path_ + ".part" + std::to_string(getpid())) {
  file_ = std::fopen(temporary_.c_str(), "wb");
  if (file_ == nullptr) {
    fail("cannot be written");
  }
}

OutputFile::~OutputFile() {
  if (file_ != nullptr) {
    std::fclose(file_);
    std::remove(temporary_.c_str());
  }
}

void OutputFile::fail(const char* what) const {
  throw std::runtime_error(path_ + ": " + what + ": " + std::strerror(errno));
}

void OutputFile::write(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), file_) != text.size()) {
    fail("cannot be written");
  }
}

void OutputFile::finish() {
  std::FILE* file = std::exchange(file_, nullptr);
  if (std::fclose(file) != 0) {
    std::remove(temporary_.c_str());
    fail("cannot be written");
  }
  if (std::rename(temporary_.c_str(), path_.c_str()) != 0) {
    std::remove(temporary_.c_str());
    fail("cannot be put in place");
  }
}

}  // namespace seekahead
