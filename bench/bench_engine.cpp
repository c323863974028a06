// The engine loop: processes that block until an event of the agenda wakes them, and nothing else. Its ratio
// to the bare SimGrid loop is what sim/engine costs; whole runs take their own ratio against this loop.
#include <benchmark/benchmark.h>

#include <cstdint>
#include <map>
#include <string>

#include "bench/floors.hpp"
#include "bench/in_child.hpp"
#include "sim/engine/engine.hpp"

namespace seekahead::bench {
namespace {

constexpr std::int64_t waits_per_run = 200'000;
constexpr TimeNs service_ns = 1'000;

class Waker : public EventHandler {
 public:
  Waker(Engine& engine, Process& process) : engine_(engine), process_(process) {}
  void on_event(TimeNs, std::uint64_t) override { engine_.wake(process_); }

 private:
  Engine& engine_;
  Process& process_;
};

void engine_loop_run(std::int64_t processes) {
  Engine engine(1);
  for (std::int64_t i = 0; i < processes; ++i) {
    engine.spawn("process", 0, [&engine, processes] {
      Waker waker(engine, engine.current());
      for (std::int64_t wait = 0; wait < waits_per_run / processes; ++wait) {
        engine.agenda().at(engine.now_ns() + service_ns, waker);
        engine.block({"an event", "the agenda"});
      }
    });
  }
  engine.run();
}

void engine_loop(benchmark::State& state) {
  const std::int64_t processes = state.range(0);
  for (auto _ : state) {
    state.SetIterationTime(seconds_in_child([processes] { engine_loop_run(processes); }));
  }
  state.SetItemsProcessed(state.iterations() * waits_per_run);
  state.counters["ratio"] = engine_wait_s(processes) / bare_simgrid_wait_s(processes);
}
BENCHMARK(engine_loop)
    ->ArgName("processes")
    ->Arg(1)
    ->Arg(2)
    ->Arg(100)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);

}  // namespace

double engine_wait_s(std::int64_t processes) {
  static std::map<std::int64_t, double> known;
  const auto [entry, is_new] = known.try_emplace(processes);
  if (is_new) {
    entry->second = best_seconds_in_child([processes] { engine_loop_run(processes); }) / waits_per_run;
  }
  return entry->second;
}

}  // namespace seekahead::bench
