// What all on-demand kernels have in common, the table of what differs, and the model's entry in the
// registry.
#include "models/readahead/ondemand.hpp"

#include <array>

#include "models/readahead/models.hpp"

namespace seekahead {

namespace {

using Family = OndemandKernel::Family;
constexpr FaultRequest one_page = FaultRequest::one_page;
constexpr FaultRequest limit = FaultRequest::limit;

constexpr std::array<OndemandKernel, 5> kernels = {{
    // name       family         max_sane merges adds_req sync      async
    {"2.6.24", Family::v2_6_24, false, false, false, one_page, one_page},
    {"mmap-2007", Family::mmap, true, true, false, one_page, one_page},
    {"mmap-2009", Family::mmap, true, true, true, one_page, limit},
    {"2.6.31", Family::v2_6_31, true, true, true, limit, limit},
    {"6.1", Family::v6_1, false, true, true, limit, limit},
}};

const OndemandKernel& kernel_named(std::string_view name) {
  for (const OndemandKernel& kernel : kernels) {
    if (kernel.name == name) {
      return kernel;
    }
  }
  return kernels.back();  // unreachable: the parameter is a choice of these names
}

class OndemandDevice final : public ReadaheadDevice {
 public:
  OndemandDevice(const OndemandKernel& kernel, const OndemandOptions& options, std::uint64_t ra_pages)
      : kernel_(kernel), options_(options), ra_pages_(static_cast<std::uint32_t>(ra_pages)) {}

  std::unique_ptr<ReadaheadPolicy> open() override {
    switch (kernel_.family) {
      case Family::v2_6_24:
        break;
      case Family::mmap:
      case Family::v2_6_31:
        return open_ondemand_2_6_31(kernel_, options_, ra_pages_);
      case Family::v6_1:
        return open_ondemand_6_1(kernel_, options_, ra_pages_);
    }
    return std::make_unique<OndemandPolicy>(kernel_, options_, ra_pages_);
  }

 private:
  const OndemandKernel& kernel_;
  const OndemandOptions options_;
  const std::uint32_t ra_pages_;
};

struct OndemandParameters : Parameters {
  std::string kernel = "6.1";
  std::int64_t io_pages = 320;
  bool quick_start = false;
  bool quick_start_detected = false;

  void visit(ParameterVisitor& v) override {
    v.choice("kernel", kernel, {"2.6.24", "mmap-2007", "mmap-2009", "2.6.31", "6.1"},
             "whose rules; mmap-2007 and mmap-2009 are 2.6.24 with the mmap patches of those years", "Linux");
    v.pages("io_pages", io_pages, {0, 1 << 20},
            "6.1: the device's best I/O size; requests above the readahead limit may go up to it",
            "Linux 6.1, max_sectors_kb / 4");
    v.boolean("quick_start", quick_start,
              "mmap-2007, mmap-2009: a missing fault under MADV_SEQUENTIAL asks for the whole limit at once",
              "patch series of December 2007");
    v.boolean("quick_start_detected", quick_start_detected,
              "mmap-2007, mmap-2009: so does a fault on the page after the previous access",
              "log lines of December 2007");
  }
  void without_effect(const ProblemSink& unused) const override {
    if (kernel != "6.1") {
      unused("io_pages", "only kernel 6.1 knows the best I/O size of a device");
    }
  }
  void check(const ProblemSink& problem) const override {
    const bool has_quick_start = kernel == "mmap-2007" || kernel == "mmap-2009";
    if (quick_start && !has_quick_start) {
      problem("quick_start", "only the kernels mmap-2007 and mmap-2009 have a quick start");
    }
    if (quick_start_detected && !has_quick_start) {
      problem("quick_start_detected", "only the kernels mmap-2007 and mmap-2009 have a quick start");
    }
  }
};

}  // namespace

void OndemandPolicy::sync(PageCacheView& view, PageIndex off, std::uint64_t req) {
  if (ra_pages_ != 0) {
    ondemand(view, false, off, req);
  }
}

void OndemandPolicy::async(PageCacheView& view, PageIndex off, std::uint64_t req) {
  if (ra_pages_ == 0) {
    return;  // the marker stays
  }
  view.clear_marker(off);
  if (view.congested()) {
    note(view, "ASYNC", "the queue is congested: no readahead");
    return;
  }
  ondemand(view, true, off, req);
}

std::uint64_t OndemandPolicy::submit(PageCacheView& view, const Submission& wish) const {
  view.close_batch();
  const std::uint64_t inserted = view.submit(wish);
  view.close_batch();
  return inserted;
}

std::uint64_t OndemandPolicy::submit(PageCacheView& view, PageIndex start, std::uint64_t count,
                                     WindowClass label) const {
  return submit(view,
                {.start = start, .count = count, .window_class = label, .previous_position = prev_pos_});
}

void OndemandPolicy::submit_window(PageCacheView& view, WindowClass label) const {
  submit(view, {.start = start_,
                .count = size_,
                .mark_at = std::uint64_t{size_} - async_size_,  // = size: no marker
                .window_class = label,
                .async_size = async_size_,
                .previous_position = prev_pos_});
}

void OndemandPolicy::initial(PageIndex off, std::uint64_t req, std::uint64_t max) {
  start_ = off;
  size_ = static_cast<std::uint32_t>(initial_window(req, max));
  async_size_ = size_ > req ? static_cast<std::uint32_t>(size_ - req) : size_;
}

void OndemandPolicy::next(std::uint64_t max) {
  size_ = static_cast<std::uint32_t>(next_window(size_, max));
  async_size_ = size_;
}

void OndemandPolicy::single_page(PageCacheView& view, PageIndex page) {
  if (view.state(page).absent()) {
    view.close_batch();
    view.submit_page(page, WindowClass::page);
    view.close_batch();
  }
  wait_if_in_flight(view, page);
}

void OndemandPolicy::wait_if_in_flight(PageCacheView& view, PageIndex page) {
  if (view.state(page).in_flight()) {
    view.wait(page);
  }
}

void OndemandPolicy::visit_state(StateVisitor& visitor) const {
  visitor.unsigned_field("start", start_);
  visitor.unsigned_field("size", size_);
  visitor.unsigned_field("async_size", async_size_);
  visitor.unsigned_field("ra_pages", ra_pages_);
  visitor.field("mmap_miss", mmap_miss_);
  visitor.field("prev_pos", prev_pos_);
}

ReadaheadModel ondemand_policy() {
  return model_of<OndemandParameters, ReadaheadModel>(
      "ondemand", "on-demand readahead: a marker page in the window triggers the next one",
      "Linux 2.6.24, the mmap patches of 2007 and 2009, 2.6.31, 6.1",
      [](const OndemandParameters& p, const ReadaheadLimits& limits) -> std::unique_ptr<ReadaheadDevice> {
        return std::make_unique<OndemandDevice>(
            kernel_named(p.kernel),
            OndemandOptions{static_cast<std::uint64_t>(p.io_pages), p.quick_start, p.quick_start_detected},
            limits.ra_pages);
      });
}

}  // namespace seekahead
