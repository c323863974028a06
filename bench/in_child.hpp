// Runs one measurement in a child process: SimGrid's engine is a singleton whose clock never resets, so every
// repetition needs a process of its own. The wall time that counts is taken inside the child, around the run
// alone.
#pragma once

#include <functional>

namespace seekahead::bench {

// Seconds that `measured` took in a child forked for it. Throws std::runtime_error when the child dies.
// REQUIRES: no engine exists in this process.
double seconds_in_child(const std::function<void()>& measured);

// The shortest of three, so that other work on the machine hardly moves it.
double best_seconds_in_child(const std::function<void()>& measured);

}  // namespace seekahead::bench
