// Adaptive readahead: the table of what differs between the two postings, what a device learns, its event
// table, and the model's entry in the registry.
#include "models/readahead/adaptive.hpp"

#include <string>

#include "models/readahead/models.hpp"

namespace seekahead {

namespace {

constexpr std::array<AdaptiveKernel, 2> kernels = {{
    // name smooth  whole  pages0 expect  thrash   memory snap hit_rate
    {"v15", true, true, 32, 131072, 131072, 1024, 0, 1},
    {"v16", false, false, 16, 0, 1048576, 128, 4, 0},
}};

constexpr std::array<std::string_view, 9> class_names = {
    "none", "initial", "state", "context", "contexta", "backward", "onthrash", "onseek", "none"};

constexpr std::array<std::string_view, static_cast<std::size_t>(AdaptiveEvent::count_)> event_names = {
    "cache_miss",       "random_read",      "io_congestion",    "io_cache_hit",
    "io_block",         "readahead",        "readahead_hit",    "lookahead",
    "lookahead_hit",    "lookahead_ignore", "readahead_mmap",   "readahead_eof",
    "readahead_shrink", "readahead_thrash", "readahead_mutilt", "readahead_rescue"};

constexpr std::int64_t kernel_default = -1;

struct AdaptiveParameters : Parameters {
  std::string kernel = "v16";
  std::int64_t readahead_ratio = 50;
  std::int64_t readahead_hit_rate = kernel_default;

  void visit(ParameterVisitor& v) override {
    v.choice("kernel", kernel, {"v15", "v16"}, "which posting of the patch set", "linux-kernel 2006");
    v.integer("readahead_ratio", readahead_ratio, {0, 1'000'000},
              "percent of the memory that reclaim leaves to a stream that it may read ahead; 0: no readahead",
              "adaptive readahead V15, V16: 50");
    v.integer("readahead_hit_rate", readahead_hit_rate, {kernel_default, 10'000},
              "sparse readers use one page in so many; -1: the kernel's default (v15: 1, v16: 0)",
              "adaptive readahead V15, V16");
  }
};

}  // namespace

AdaptiveDevice::AdaptiveDevice(const AdaptiveKernel& kernel_used, std::uint64_t readahead_ratio,
                               std::uint64_t readahead_hit_rate, std::uint64_t device_ra_pages)
    : kernel(kernel_used),
      ratio(readahead_ratio),
      hit_rate(readahead_hit_rate),
      ra_pages(device_ra_pages),
      ra_expect_bytes(kernel_used.ra_expect_bytes),
      ra_thrash_bytes(kernel_used.ra_thrash_bytes) {}

std::unique_ptr<ReadaheadPolicy> AdaptiveDevice::open() {
  return kernel.name == "v15" ? open_adaptive_v15(*this) : open_adaptive_v16(*this);
}

// UPDATE_THRASH: the estimate falls quickly and rises slowly.
void AdaptiveDevice::update_thrash(std::uint64_t pages) {
  const std::uint64_t bytes = pages * page_bytes;
  const std::uint64_t memory = ra_thrash_bytes < bytes ? kernel.thrash_memory : 8;
  ra_thrash_bytes = (bytes + (memory - 1) * ra_thrash_bytes) / memory;
}

// The kernel's counters take a signed int, so that a wrapped difference counts as negative.
void AdaptiveDevice::count(AdaptiveClass window_class, AdaptiveEvent event, std::uint64_t pages) {
  const AdaptiveClass row = window_class == AdaptiveClass::unset ? AdaptiveClass::none : window_class;
  Counter& counter = events_[static_cast<std::size_t>(row)][static_cast<std::size_t>(event)];
  ++counter.requests;
  counter.pages += static_cast<std::int32_t>(pages);
}

void AdaptiveDevice::visit_state(const PageCacheView& view, StateVisitor& visitor) const {
  if (kernel.ra_expect_bytes != 0) {
    visitor.unsigned_field("bdi_ra_expect_bytes", ra_expect_bytes);
  }
  visitor.unsigned_field("bdi_ra_thrash_bytes", ra_thrash_bytes);
  visitor.unsigned_field("aging", aging(view));
}

void AdaptiveDevice::visit_events(EventVisitor& visitor) const {
  for (std::size_t row = 0; row < class_count; ++row) {
    for (std::size_t event = 0; event < event_count; ++event) {
      if (const Counter& counter = events_[row][event]; counter.requests != 0) {
        visitor.event(class_names[row], event_names[event], counter.requests, counter.pages);
      }
    }
  }
}

ReadaheadModel adaptive_policy() {
  return model_of<AdaptiveParameters, ReadaheadModel>(
      "adaptive", "windows follow the speed of reclaim; lost readers are recognised by their cached pages",
      "adaptive readahead patches V15 (2.6.17-rc5) and V16 (2.6.19-rc5-mm2), 2006",
      [](const AdaptiveParameters& p, const ReadaheadLimits& limits) -> std::unique_ptr<ReadaheadDevice> {
        const AdaptiveKernel& kernel = kernels[p.kernel == "v15" ? 0 : 1];
        const std::int64_t hit_rate =
            p.readahead_hit_rate == kernel_default ? kernel.readahead_hit_rate : p.readahead_hit_rate;
        return std::make_unique<AdaptiveDevice>(kernel, static_cast<std::uint64_t>(p.readahead_ratio),
                                                static_cast<std::uint64_t>(hit_rate), limits.ra_pages);
      });
}

}  // namespace seekahead
