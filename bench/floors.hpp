// The floors that the `ratio` of other benchmarks is taken against: wall seconds of one wait of one process
// for one event, with so many processes at once. Each is measured once in a program run.
#pragma once

#include <cstdint>

namespace seekahead::bench {

// SimGrid alone: a semaphore released by a custom model with an agenda of int64 nanoseconds.
double bare_simgrid_wait_s(std::int64_t processes);

// Engine::block() ended by an event of the agenda: the floor of whole runs.
double engine_wait_s(std::int64_t processes);

}  // namespace seekahead::bench
