// A file that appears whole or not at all: it is written under a temporary name beside its own and renamed at
// the end.
#pragma once

#include <cstdio>
#include <string>
#include <string_view>

namespace seekahead {

class OutputFile {
 public:
  explicit OutputFile(std::string path);  // throws std::runtime_error naming the file and the reason
  ~OutputFile();                          // without finish(): nothing is left behind
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  void write(std::string_view text);
  void finish();  // throws std::runtime_error

 private:
  [[noreturn]] void fail(const char* what) const;

  std::string path_;
  std::string temporary_;
  std::FILE* file_ = nullptr;
};

}  // namespace seekahead
