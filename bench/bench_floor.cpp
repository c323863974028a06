// The floor: what SimGrid itself costs when a process waits for an event of a custom model, with nothing of
// ours in between. It is the one place outside sim/engine that speaks to SimGrid, because the floor must not
// contain our code.
#include <benchmark/benchmark.h>
#include <simgrid/kernel/resource/Model.hpp>
#include <simgrid/s4u.hpp>

#include <cstdint>
#include <map>
#include <queue>
#include <utility>
#include <vector>

#include "bench/floors.hpp"
#include "bench/in_child.hpp"

namespace seekahead::bench {
namespace {

constexpr std::int64_t waits_per_run = 200'000;
constexpr std::int64_t service_ns = 1'000;

// An agenda of int64 nanoseconds; each entry releases a semaphore.
class BareModel : public simgrid::kernel::resource::Model {
 public:
  BareModel() : Model("bare") {}

  void release_at(std::int64_t time_ns, simgrid::s4u::Semaphore* semaphore) {
    agenda_.emplace(time_ns, semaphore);
  }
  std::int64_t now_ns() const { return now_ns_; }

  double next_occurring_event(double) override {
    return agenda_.empty() ? -1.0 : static_cast<double>(agenda_.top().first - now_ns_) * 1e-9;
  }

  void update_actions_state(double now, double) override {
    constexpr double half_ns = 0.5;
    const auto reached_ns = static_cast<std::int64_t>(now * 1e9 + half_ns);
    while (!agenda_.empty() && agenda_.top().first <= reached_ns) {
      now_ns_ = agenda_.top().first;
      simgrid::s4u::Semaphore* const semaphore = agenda_.top().second;
      agenda_.pop();
      semaphore->release();
    }
  }

 private:
  using Entry = std::pair<std::int64_t, simgrid::s4u::Semaphore*>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> agenda_;
  std::int64_t now_ns_ = 0;
};

void bare_loop(std::int64_t processes) {
  char name[] = "bench";
  char quiet[] = "--log=root.thresh:critical";
  char* arguments[] = {name, quiet, nullptr};
  int argument_count = 2;
  simgrid::s4u::Engine engine(&argument_count, arguments);
  auto* zone = simgrid::s4u::create_full_zone("zone");
  auto* host = zone->create_host("host", 1e9);
  zone->seal();
  const auto model = std::make_shared<BareModel>();
  engine.add_model(model);
  for (std::int64_t process = 0; process < processes; ++process) {
    simgrid::s4u::Actor::create("process", host, [&model, processes] {
      const auto semaphore = simgrid::s4u::Semaphore::create(0);
      for (std::int64_t i = 0; i < waits_per_run / processes; ++i) {
        model->release_at(model->now_ns() + service_ns, semaphore.get());
        semaphore->acquire();
      }
    });
  }
  engine.run();
}

void bare_simgrid_loop(benchmark::State& state) {
  const std::int64_t processes = state.range(0);
  for (auto _ : state) {
    state.SetIterationTime(seconds_in_child([processes] { bare_loop(processes); }));
  }
  state.SetItemsProcessed(state.iterations() * waits_per_run);
}
BENCHMARK(bare_simgrid_loop)
    ->ArgName("processes")
    ->Arg(1)
    ->Arg(2)
    ->Arg(100)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);

}  // namespace

double bare_simgrid_wait_s(std::int64_t processes) {
  static std::map<std::int64_t, double> known;
  const auto [entry, is_new] = known.try_emplace(processes);
  if (is_new) {
    entry->second = best_seconds_in_child([processes] { bare_loop(processes); }) / waits_per_run;
  }
  return entry->second;
}

}  // namespace seekahead::bench
