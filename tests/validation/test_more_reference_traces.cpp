// Traces of kinds that the public set has not: eight streams, requests longer than a segment, nearest LBN
// first, open arrivals with queueing. And the Cheetah 15K.5, whose layout is approximate, with wider bars.
#include "tests/drive_under_test.hpp"

using namespace seekahead;

namespace {

struct Bars {
  double mean = 0.02;
  double demerit = 0.03;
};

void stays_inside(const std::string& drive, const std::string& trace, const ReplayOptions& options, Bars bars,
                  const std::vector<std::string>& more_sets = {}) {
  std::vector<std::string> sets = {"bus.sector_time=3.2 us", "cache.almost_read_hits=true"};
  sets.insert(sets.end(), more_sets.begin(), more_sets.end());
  const std::string path = std::string(SEEKAHEAD_SOURCE_DIR) + "/tests/data/diskref_more/" + drive +
                           "__u160ah__" + trace + ".csv.gz";
  TraceComparison comparison(path, catalogue_disk(drive, sets));
  const ComparisonFigures all = comparison.run(options).all;
  INFO(drive << " " << trace << ": mean " << all.mean_ms << " reference " << all.reference_mean_ms
             << " demerit " << all.demerit_ms << " ms");
  CHECK(all.requests >= 1000);
  CHECK(std::abs(all.mean_ms / all.reference_mean_ms - 1) <= bars.mean);
  CHECK(all.demerit_ms <= std::max(bars.demerit * all.reference_mean_ms, 0.05));
}

ReplayOptions outstanding(std::int64_t requests) {
  ReplayOptions options;
  options.outstanding = requests;
  options.think_ns = 0;
  return options;
}

}  // namespace

TEST_CASE("eight interleaved streams follow the reference") {
  for (const char* drive : {"atlas10k", "cheetah9lp", "ibm18es"}) {
    stays_inside(drive, "8streams64k_qd1", outstanding(1), {});
  }
}

TEST_CASE("requests longer than a segment follow the reference") {
  for (const char* drive : {"atlas10k", "cheetah9lp", "ibm18es"}) {
    stays_inside(drive, "mix512k_qd1", outstanding(1), {});
  }
}

TEST_CASE("nearest LBN first follows the reference") {
  ReplayOptions options = outstanding(8);
  options.order = HostOrder::sstf;
  for (const char* drive : {"atlas10k", "cheetah9lp", "ibm18es"}) {
    stays_inside(drive, "rand4k_qd8_sstf", options, {});
  }
}

TEST_CASE("open arrivals that queue follow the reference") {
  ReplayOptions in_the_drive;
  in_the_drive.depth = 8;
  for (const char* drive : {"atlas10k", "cheetah9lp", "ibm18es"}) {
    stays_inside(drive, "rand4k_open", ReplayOptions{}, {});
    // A tie decided the other way changes the order of a queue for a while: 5 % instead of 3.
    stays_inside(drive, "mix4k_open_sptf", in_the_drive, {.mean = 0.02, .demerit = 0.05},
                 {"queue.depth=8", "queue.scheduling=sptf"});
  }
}

TEST_CASE("the Cheetah 15K.5 stays near the reference with an approximate layout") {
  for (const char* trace : {"rand", "seq4k", "seqw64k", "8streams"}) {
    stays_inside("cheetah15k5", trace, outstanding(1), {.mean = 0.05, .demerit = 0.1});
  }
}
