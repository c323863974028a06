// One rewritten line on a terminal's stderr: how many of the runs are done, and how long the rest may take.
// Silent when stderr is not a terminal.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>

namespace seekahead::cli {

class Progress {
 public:
  Progress(std::string what, std::size_t total);
  ~Progress() { clear(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void step();
  void clear() const;

 private:
  void show() const;

  std::string what_;
  std::size_t total_;
  std::size_t done_ = 0;
  bool visible_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace seekahead::cli
