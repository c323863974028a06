// A file that appears whole or not at all: it is written under a temporary name beside its own and renamed at
// the end.
#pragma once

#include <cstdio>
#include <string>
#include <string_view>

namespace seekahead {

class OutputFile {
 public:
  // Throws std::runtime_error naming the file and the reason. A symbolic link is followed; devices and pipes
  // are written directly.
  explicit OutputFile(std::string path);
  ~OutputFile();  // without finish(): nothing is left behind
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  // Throws as the constructor would, and leaves nothing: for telling of a bad path before the work begins.
  static void check(const std::string& path);

  // Never throws: it is called from inside a simulation. A failure is told by finish().
  void write(std::string_view text);
  void finish();  // throws std::runtime_error

 private:
  [[noreturn]] void fail(const char* what, int reason) const;
  void remove_temporary() const;

  std::string path_;
  std::string temporary_;  // empty: written in place
  std::FILE* file_ = nullptr;
  int problem_ = 0;  // errno of the first write that failed
};

}  // namespace seekahead
