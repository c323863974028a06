// What deciding costs: every readahead policy, 4 KiB reads in sequence over pages that are all cached, on a
// page index that is a flat array. The floor is a scan of that array, which is what a read without any policy
// would have to look at.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "models/builtin.hpp"
#include "sim/file/page_cache_view.hpp"

namespace seekahead::bench {
namespace {

constexpr std::uint64_t file_pages = 1 << 16;

// A file whose pages are all up to date; nothing is ever read from a device.
class CachedFile final : public PageCacheView {
 public:
  CachedFile() : index_(file_pages, PageState::present_bit | PageState::uptodate_bit) {}

  const std::vector<std::uint8_t>& index() const { return index_; }
  std::uint64_t copied_bytes() const { return copied_bytes_; }

  std::uint64_t file_size() const override { return file_pages * page_bytes; }
  PageState state(PageIndex page) const override {
    return PageState(page < file_pages ? index_[page] : std::uint8_t{0});
  }
  PageIndex next_absent(PageIndex from, std::uint64_t limit) const override {
    return from + std::min(limit, file_pages - std::min(from, file_pages));
  }
  PageIndex previous_absent(PageIndex from, std::uint64_t limit) const override {
    return from - std::min(limit, from + 1);
  }
  std::uint64_t cached_pages() const override { return file_pages; }
  void close_batch() override {}
  std::uint64_t submit(const Submission& wish) override {
    submitted_ += wish.count;
    return 0;
  }
  void submit_page(PageIndex, WindowClass) override { ++submitted_; }
  void wait(PageIndex) override {}
  void clear_marker(PageIndex) override {}
  void drop(PageIndex, PageIndex) override {}
  void copy(PageIndex, std::uint64_t bytes) override { copied_bytes_ += bytes; }
  void mark_accessed(PageIndex page) override { index_[page] |= PageState::referenced_bit; }
  std::uint64_t rescue(PageIndex, std::uint64_t) override { return 0; }
  bool congested() const override { return false; }
  std::uint64_t vm_pages() const override { return 1 << 18; }
  std::uint64_t aging() const override { return 0; }

 private:
  std::vector<std::uint8_t> index_;
  std::uint64_t submitted_ = 0;
  std::uint64_t copied_bytes_ = 0;
};

void scan(const std::vector<std::uint8_t>& index) {
  std::uint64_t uptodate = 0;
  for (const std::uint8_t bits : index) {
    uptodate += PageState(bits).uptodate();
  }
  benchmark::DoNotOptimize(uptodate);
}

double seconds_of(const std::chrono::steady_clock::time_point& start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// Seconds a page; the best of many, so that other work on the machine blurs it little.
double scan_floor_s() {
  static const double floor = [] {
    const CachedFile file;
    double best = 1;
    for (int i = 0; i < 200; ++i) {
      const auto start = std::chrono::steady_clock::now();
      scan(file.index());
      best = std::min(best, seconds_of(start));
    }
    return best / static_cast<double>(file_pages);
  }();
  return floor;
}

void index_scan(benchmark::State& state) {
  const CachedFile file;
  for (auto _ : state) {
    scan(file.index());
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(file_pages));
}
BENCHMARK(index_scan);

void decide(benchmark::State& state, const ReadaheadModel& model) {
  const std::unique_ptr<Parameters> parameters = model.parameters();
  const std::unique_ptr<ReadaheadDevice> device = model.make(*parameters, ReadaheadLimits{});
  CachedFile file;
  double best = 1;
  for (auto _ : state) {
    const std::unique_ptr<ReadaheadPolicy> policy = device->open();
    const auto start = std::chrono::steady_clock::now();
    for (std::uint64_t position = 0; position < file.file_size(); position += page_bytes) {
      policy->read(file, position, page_bytes);
    }
    best = std::min(best, seconds_of(start));
  }
  if (file.copied_bytes() != static_cast<std::uint64_t>(state.iterations()) * file.file_size()) {
    state.SkipWithError("bytes are missing");
  }
  const double page_s = best / static_cast<double>(file_pages);
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(file_pages));
  state.counters["ns_per_page"] = page_s * 1e9;
  state.counters["ratio"] = page_s / scan_floor_s();
}

// One benchmark a registered policy, with the parameters that it has by itself.
const int registered = [] {
  static Registry registry;
  register_builtin_models(registry);
  for (const ReadaheadModel& model : registry.readahead.all()) {
    benchmark::RegisterBenchmark(("decide/" + model.name).c_str(), decide, model);
  }
  return 0;
}();

}  // namespace
}  // namespace seekahead::bench
