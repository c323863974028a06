// Whole runs: 1 GiB read by two processes from one disk, as `seekahead run` does it. `pages_per_wall_second`
// counts the pages delivered; `ratio` is the wall time of a run over that of the bare engine loop with as
// many waits as the run has requests.
#include <benchmark/benchmark.h>

#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>

#include "bench/floors.hpp"
#include "models/builtin.hpp"
#include "sim/scenario/load.hpp"
#include "sim/scenario/simulate.hpp"

namespace seekahead::bench {
namespace {

std::string scenario_text(const std::string& policy, const std::string& cpu_per_page) {
  return "[scenario]\ntitle = \"two readers\"\n"
         "[machine]\nmemory = \"128 MiB\"\ncpu_per_page = \"" +
         cpu_per_page +
         "\"\n"
         "[[device]]\nname = \"hda\"\ndrive = \"dtla307045\"\n"
         "[[file]]\nname = \"a\"\ndevice = \"hda\"\nsize = \"512 MiB\"\nposition = \"10 %\"\n"
         "[[file]]\nname = \"b\"\ndevice = \"hda\"\nsize = \"512 MiB\"\nposition = \"60 %\"\n"
         "[readahead]\npolicy = \"" +
         policy +
         "\"\nread_ahead_kb = 128\n"
         "[[process]]\nname = \"a\"\nworkload = \"stream\"\nfiles = [\"a\"]\n"
         "[[process]]\nname = \"b\"\nworkload = \"stream\"\nfiles = [\"b\"]\n";
}

void whole_run(benchmark::State& state, const std::string& policy, const std::string& cpu_per_page) {
  Registry registry;
  register_builtin_models(registry);
  Diagnostics diagnostics;
  const Document document = parse_document(scenario_text(policy, cpu_per_page), "bench.toml", diagnostics);
  const std::optional<Scenario> scenario = load_scenario(document, {}, registry, diagnostics);
  if (!scenario) {
    throw std::runtime_error(diagnostics.text());
  }
  double requests = 0;
  double seconds = 0;
  for (auto _ : state) {
    const auto start = std::chrono::steady_clock::now();
    const nlohmann::ordered_json result = simulate(*scenario);
    const double spent = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    state.SetIterationTime(spent);
    seconds += spent;
    requests += result.at("devices").at(0).at("requests").get<double>();
  }
  constexpr double pages = (1 << 30) / 4096.0;
  state.counters["pages_per_wall_second"] = pages * static_cast<double>(state.iterations()) / seconds;
  state.counters["ratio"] = seconds / (requests * engine_wait_s(2));
}

BENCHMARK_CAPTURE(whole_run, linux_2_4, "linux-2.4", "10 us")->UseManualTime()->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(whole_run, linux_2_4_no_cpu_cost, "linux-2.4", "0 us")
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(whole_run, ondemand, "ondemand", "10 us")->UseManualTime()->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace seekahead::bench
