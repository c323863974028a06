// Runs the built program as a user would, for the tests of its commands.
#pragma once

#include <stdlib.h>
#include <sys/wait.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace seekahead::test {

// A directory that goes away with the test.
class Directory {
 public:
  Directory() {
    std::string pattern = (std::filesystem::temp_directory_path() / "seekahead_test_XXXXXX").string();
    path_ = ::mkdtemp(pattern.data());
  }
  ~Directory() { std::filesystem::remove_all(path_); }
  Directory(const Directory&) = delete;
  Directory& operator=(const Directory&) = delete;

  std::string path(const std::string& name) const { return (path_ / name).string(); }
  // Writes a file and returns its path.
  std::string file(const std::string& name, const std::string& text) const {
    std::ofstream(path_ / name, std::ios::binary) << text;
    return path(name);
  }

 private:
  std::filesystem::path path_;
};

struct Outcome {
  int status = -1;
  std::string out;
  std::string err;
};

inline std::string read_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// Arguments may hold anything but single quotes; `input` becomes standard input.
inline Outcome run_program(const std::vector<std::string>& arguments, const std::string& input = "") {
  const Directory scratch;
  std::string command = SEEKAHEAD_BINARY;
  for (const std::string& argument : arguments) {
    command += " '" + argument + "'";
  }
  command += " <" + scratch.file("in", input) + " >" + scratch.path("out") + " 2>" + scratch.path("err");
  const int status = std::system(command.c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, read_file(scratch.path("out")),
          read_file(scratch.path("err"))};
}

}  // namespace seekahead::test
