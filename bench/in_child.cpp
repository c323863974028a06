#include "bench/in_child.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <stdexcept>

namespace seekahead::bench {

double seconds_in_child(const std::function<void()>& measured) {
  int ends[2];
  if (pipe(ends) != 0) throw std::runtime_error("no pipe for the benchmark's child");
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("no child process for the benchmark");
  if (child == 0) {
    const auto start = std::chrono::steady_clock::now();
    measured();
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
    const double seconds = elapsed.count();
    _exit(write(ends[1], &seconds, sizeof seconds) == sizeof seconds ? 0 : 1);
  }
  close(ends[1]);
  double seconds = 0;
  const bool complete = read(ends[0], &seconds, sizeof seconds) == sizeof seconds;
  close(ends[0]);
  waitpid(child, nullptr, 0);
  if (!complete) throw std::runtime_error("the benchmark's child died");
  return seconds;
}

double best_seconds_in_child(const std::function<void()>& measured) {
  double best = seconds_in_child(measured);
  for (int repetition = 1; repetition < 3; ++repetition) {
    best = std::min(best, seconds_in_child(measured));
  }
  return best;
}

}  // namespace seekahead::bench
