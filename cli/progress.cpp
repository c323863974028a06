#include "cli/progress.hpp"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <utility>

namespace seekahead::cli {

namespace {
bool is_terminal() {
  const char* terminal = std::getenv("TERM");
  return isatty(STDERR_FILENO) != 0 && (terminal == nullptr || std::string_view(terminal) != "dumb");
}
}  // namespace

Progress::Progress(std::string what, std::size_t total)
    : what_(std::move(what)), total_(total), visible_(is_terminal()) {
  show();
}

void Progress::step() {
  ++done_;
  show();
}

void Progress::show() const {
  if (!visible_) {
    return;
  }
  const double spent = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  std::fprintf(stderr, "\r\x1b[K%s: %zu of %zu runs", what_.c_str(), done_, total_);
  if (done_ > 0 && done_ < total_) {
    std::fprintf(stderr, ", %.0f s left",
                 spent / static_cast<double>(done_) * static_cast<double>(total_ - done_));
  }
  std::fflush(stderr);
}

void Progress::clear() const {
  if (visible_) {
    std::fputs("\r\x1b[K", stderr);
    std::fflush(stderr);
  }
}

}  // namespace seekahead::cli
