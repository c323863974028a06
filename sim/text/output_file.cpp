#include "sim/text/output_file.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <stdexcept>
#include <utility>

namespace seekahead {

namespace fs = std::filesystem;

namespace {

// A link stands for the file it points to: that one is replaced, the link stays.
std::string target_of(const std::string& path) {
  std::error_code problem;
  if (!fs::is_symlink(path, problem)) {
    return path;
  }
  const fs::path target = fs::weakly_canonical(path, problem);
  return problem ? path : target.string();
}

}  // namespace

OutputFile::OutputFile(std::string path) : path_(target_of(path)) {
  std::error_code problem;
  const fs::file_status status = fs::status(path_, problem);
  if (fs::is_directory(status)) {
    throw std::runtime_error(path_ + ": cannot be written: it is a directory");
  }
  // Devices and pipes are written as they are: renaming would replace them.
  const bool is_special = fs::exists(status) && !fs::is_regular_file(status);
  temporary_ = is_special ? "" : path_ + ".part" + std::to_string(getpid());
  file_ = std::fopen(is_special ? path_.c_str() : temporary_.c_str(), "wb");
  if (file_ == nullptr) {
    fail("cannot be written", errno);
  }
}

OutputFile::~OutputFile() {
  if (file_ != nullptr) {
    std::fclose(file_);
    remove_temporary();
  }
}

void OutputFile::check(const std::string& path) { const OutputFile file(path); }

void OutputFile::fail(const char* what, int reason) const {
  throw std::runtime_error(path_ + ": " + what + ": " + std::strerror(reason));
}

void OutputFile::remove_temporary() const {
  if (!temporary_.empty()) {
    std::remove(temporary_.c_str());
  }
}

void OutputFile::write(std::string_view text) {
  if (problem_ == 0 && std::fwrite(text.data(), 1, text.size(), file_) != text.size()) {
    problem_ = errno;
  }
}

void OutputFile::finish() {
  if (std::fclose(std::exchange(file_, nullptr)) != 0 && problem_ == 0) {
    problem_ = errno;
  }
  if (problem_ != 0) {
    remove_temporary();
    fail("cannot be written", problem_);
  }
  if (!temporary_.empty() && std::rename(temporary_.c_str(), path_.c_str()) != 0) {
    const int reason = errno;
    remove_temporary();
    fail("cannot be put in place", reason);
  }
}

}  // namespace seekahead
