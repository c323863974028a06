// `seekahead replay` as a whole: read and parse a trace, simulate the drive, print the rows. The floor is the
// loop that only reads and parses the same trace.
#include <benchmark/benchmark.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>

#include "bench/in_child.hpp"
#include "cli/commands.hpp"
#include "sim/device/request_trace.hpp"
#include "sim/engine/random.hpp"

namespace seekahead::bench {
namespace {

constexpr std::int64_t requests = 200'000;
constexpr std::int64_t lbns = 17'783'240;  // of cheetah9lp, the smaller of the two drives

// A generated trace in a file that goes away with the program.
class Trace {
 public:
  explicit Trace(const std::string& kind)
      : path_((std::filesystem::temp_directory_path() /
               ("seekahead_bench_" + std::to_string(::getpid()) + "_" + kind + ".csv"))
                  .string()) {
    const bool random = kind == "random_4k";
    Random numbers(1, kind);
    std::ofstream file(path_);
    file << "arrival_ms,lbn,blocks,is_read,response_ms\n";
    for (std::int64_t i = 0; i < requests; ++i) {
      const std::int64_t sectors = random ? 8 : 128;
      const std::int64_t lbn = random ? numbers.between(0, lbns - sectors) : i * sectors % (lbns - sectors);
      file << i << ".123456," << lbn << ',' << sectors << ",1,7.654321\n";
    }
  }
  ~Trace() { std::filesystem::remove(path_); }
  Trace(const Trace&) = delete;
  Trace& operator=(const Trace&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

const std::string& trace_of(const std::string& kind) {
  static std::map<std::string, Trace> traces;
  return traces.try_emplace(kind, kind).first->second.path();
}

void parse_only(const std::string& path) {
  RequestTrace trace(path);
  trace.read_header();
  trace.limit(lbns, 256);
  TraceRow row;
  std::int64_t sum = 0;
  while (trace.next(row)) {
    sum += row.request.lbn + row.reference_ns;
  }
  benchmark::DoNotOptimize(sum);
}

// The whole command with its output thrown away.
void replay_whole(const std::string& path, const std::string& drive) {
  if (std::freopen("/dev/null", "w", stdout) == nullptr ||
      cli::run_replay({"--drive", drive, "--set", "bus.sector_time=3.2 us", "--set",
                       "cache.almost_read_hits=true", "--closed", "1", path}) != 0) {
    throw std::runtime_error("the replay failed");
  }
}

void replay_command(benchmark::State& state, const std::string& kind, const std::string& drive) {
  const std::string& path = trace_of(kind);
  for (auto _ : state) {
    state.SetIterationTime(seconds_in_child([&] { replay_whole(path, drive); }));
  }
  const double floor_s = best_seconds_in_child([&] { parse_only(path); });
  const double whole_s = best_seconds_in_child([&] { replay_whole(path, drive); });
  state.SetItemsProcessed(state.iterations() * requests);
  state.counters["ratio"] = whole_s / floor_s;
}
BENCHMARK_CAPTURE(replay_command, atlas10k_random_4k, "random_4k", "atlas10k")
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(replay_command, atlas10k_sequential_64k, "sequential_64k", "atlas10k")
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(replay_command, cheetah9lp_random_4k, "random_4k", "cheetah9lp")
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(replay_command, cheetah9lp_sequential_64k, "sequential_64k", "cheetah9lp")
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace seekahead::bench
