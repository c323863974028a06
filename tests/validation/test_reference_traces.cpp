// Disks against the traces of the reference simulator (DiskSim 4.0), replayed closed, and against real
// drives. The bars are those of the project; what the model really reaches is far below them.
#include <fstream>
#include <sstream>

#include "tests/drive_under_test.hpp"

using namespace seekahead;

namespace {

struct Reference {
  const char* drive;
  const char* variant;
};
const Reference both_variants[] = {{"atlas10k", "asval"},
                                   {"atlas10k", "u160ah"},
                                   {"cheetah9lp", "asval"},
                                   {"cheetah9lp", "u160ah"},
                                   {"ibm18es", "u160ah"}};

bool exists(const std::string& path) { return std::ifstream(path).good(); }

std::string file_of(const Reference& r, const std::string& trace) {
  return diskref(std::string(r.drive) + "__" + r.variant + "__" + trace + ".csv.gz");
}

// asval: the bus as the drive was measured; u160ah: a fast bus and almost-hits.
std::vector<std::string> sets_of(const Reference& r) {
  std::vector<std::string> sets = {"cache.min_readahead_sectors=0"};
  if (std::string(r.variant) == "u160ah") {
    sets.insert(sets.end(), {"bus.sector_time=3.2 us", "cache.almost_read_hits=true"});
  } else {
    sets.push_back("cache.almost_read_hits=false");
  }
  return sets;
}

ReplayOptions closed(std::int64_t outstanding, TimeNs think_ns = 0) {
  ReplayOptions options;
  options.outstanding = outstanding;
  options.think_ns = think_ns;
  return options;
}

void stays_inside_the_bars(const std::string& trace, const ReplayOptions& options,
                           const std::vector<std::string>& more_sets = {}) {
  int found = 0;
  for (const Reference& r : both_variants) {
    if (!exists(file_of(r, trace))) {
      continue;
    }
    ++found;
    std::vector<std::string> sets = sets_of(r);
    sets.insert(sets.end(), more_sets.begin(), more_sets.end());
    TraceComparison comparison(file_of(r, trace), catalogue_disk(r.drive, sets));
    const ComparisonFigures all = comparison.run(options).all;
    INFO(r.drive << " " << r.variant << " " << trace << ": mean " << all.mean_ms << " reference "
                 << all.reference_mean_ms << " demerit " << all.demerit_ms << " ms");
    CHECK(all.requests == 2000);
    CHECK(std::abs(all.mean_ms / all.reference_mean_ms - 1) <= 0.02);
    CHECK(all.demerit_ms <= std::max(0.03 * all.reference_mean_ms, 0.05));
    CHECK(comparison.shares_add_up());
  }
  CHECK(found >= 2);
}

// Response times of the reference simulator itself against the same measurements.
double own_demerit_percent(const std::string& path) {
  RequestTrace trace(path);
  REQUIRE(trace.read_header());
  trace.limit(std::int64_t{1} << 40, 65536);
  std::vector<double> measured;
  std::vector<double> simulated;
  TraceRow row;
  while (trace.next(row)) {
    measured.push_back(static_cast<double>(row.reference_ns));
    simulated.push_back(std::stod(std::string(row.line.substr(row.line.rfind(',') + 1))) * 1e6);
  }
  std::sort(measured.begin(), measured.end());
  std::sort(simulated.begin(), simulated.end());
  double squares = 0;
  double sum = 0;
  for (std::size_t i = 0; i < measured.size(); ++i) {
    squares += (measured[i] - simulated[i]) * (measured[i] - simulated[i]);
    sum += measured[i];
  }
  const auto n = static_cast<double>(measured.size());
  return 100 * std::sqrt(squares / n) / (sum / n);
}

}  // namespace

TEST_CASE("random requests one at a time follow the reference request by request") {
  for (const char* trace : {"rand4k_qd1", "rand4kw_qd1", "mix67_rand4k_qd1"}) {
    for (const Reference& r : both_variants) {
      if (!exists(file_of(r, trace))) {
        continue;
      }
      TraceComparison comparison(file_of(r, trace), catalogue_disk(r.drive, sets_of(r)));
      const ComparisonFigures all = comparison.run(closed(1)).all;
      INFO(r.drive << " " << r.variant << " " << trace << ": rms " << all.rms_error_ms);
      CHECK(all.requests == 2000);
      CHECK(all.off_by_revolutions <= 4);
      CHECK(all.rms_error_without_them_ms <= 0.1);
      CHECK(all.rms_error_ms <= 0.001);  // what the model reaches
    }
  }
}

TEST_CASE("sequential reads follow the reference") {
  stays_inside_the_bars("seq4k_qd1", closed(1));
  stays_inside_the_bars("seq64k_qd1", closed(1));
}

TEST_CASE("sequential reads with think time follow the reference") {
  stays_inside_the_bars("seq4k_think5ms", closed(1, 5 * ns_per_ms));
  stays_inside_the_bars("seq64k_think20ms", closed(1, 20 * ns_per_ms));
}

TEST_CASE("sequential writes follow the reference") { stays_inside_the_bars("seqw64k_qd1", closed(1)); }

TEST_CASE("two interleaved streams follow the reference") {
  stays_inside_the_bars("2streams64k_qd1", closed(1));
  stays_inside_the_bars("2streams64k_qd2", closed(2));
}

TEST_CASE("requests queued in the host follow the reference") {
  ReplayOptions options = closed(8);
  stays_inside_the_bars("rand4k_qd8_fcfs", options);
  options.order = HostOrder::clook;
  stays_inside_the_bars("rand4k_qd8_clook", options);
}

TEST_CASE("requests queued in the drive follow the reference") {
  ReplayOptions options = closed(8);
  options.depth = 8;
  stays_inside_the_bars("rand4k_qd8_sptf", options, {"queue.depth=8", "queue.scheduling=sptf"});
}

TEST_CASE("measured drives: no worse than the reference simulator itself") {
  for (const char* drive : {"atlas10k", "cheetah9lp", "barracuda"}) {
    const std::string path = diskref(std::string("measured_") + drive + ".csv.gz");
    ReplayOptions options;
    options.outstanding = 1;
    TraceComparison comparison(path, catalogue_disk(drive));
    const ComparisonResult result = comparison.run(options);
    INFO(drive << ": demerit " << result.all.demerit_percent << " %");
    CHECK(result.all.requests == 10000);
    CHECK(result.all.demerit_percent <= own_demerit_percent(path) + 0.01);
  }
}
