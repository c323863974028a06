// Policy `fixed`: a constant window. When the page that the reader wants is not cached, one window of W pages
// that holds it is read and waited for; nothing is read in advance of that. Two streams on one disk then
// share it as W / (W / bandwidth + access time) says.
#include "models/readahead/models.hpp"

namespace seekahead {

namespace {

struct FixedParameters final : Parameters {
  std::int64_t window_pages = 0;
  bool aligned = false;

  void visit(ParameterVisitor& v) override {
    v.pages("window", window_pages, {0, 1 << 20}, "pages read at once; 0 = the readahead limit of the device",
            "chosen");
    v.boolean("aligned", aligned,
              "windows start at multiples of their size, instead of at the page that was missing", "chosen");
  }
  void without_effect(const ProblemSink& unused) const override {
    for (const char* limit : {"read_ahead_kb", "setra", "max_readahead"}) {
      if (window_pages != 0) {
        unused(limit, "policy fixed goes by its window");
      }
    }
  }
};

class Fixed final : public ReadaheadPolicy {
 public:
  Fixed(std::uint64_t window, bool aligned) : window_(window), aligned_(aligned) {}

  void visit_state(StateVisitor& visitor) const override {
    visitor.unsigned_field("start", start_);
    visitor.unsigned_field("size", size_);
  }

 private:
  void page_absent(PageCacheView& view, PageIndex page, std::uint64_t) override {
    if (window_ == 0) {
      return;  // readahead is off: the loop reads the page
    }
    start_ = aligned_ ? page - page % window_ : page;
    size_ = window_;
    view.submit({.start = start_, .count = size_, .window_class = WindowClass::window});
    if (view.rules != nullptr) {
      view.rules->rule("window", aligned_ ? "page absent: the aligned window around it"
                                          : "page absent: a window from it on");
    }
  }

  const std::uint64_t window_;
  const bool aligned_;
  PageIndex start_ = 0;  // of the last window
  std::uint64_t size_ = 0;
};

class FixedDevice final : public ReadaheadDevice {
 public:
  FixedDevice(const FixedParameters& parameters, const ReadaheadLimits& limits)
      : window_(parameters.window_pages != 0 ? static_cast<std::uint64_t>(parameters.window_pages)
                                             : limits.ra_pages),
        aligned_(parameters.aligned) {}
  std::unique_ptr<ReadaheadPolicy> open() override { return std::make_unique<Fixed>(window_, aligned_); }

 private:
  std::uint64_t window_;
  bool aligned_;
};

}  // namespace

ReadaheadModel fixed_policy() {
  return model_of<FixedParameters, ReadaheadModel>(
      "fixed", "a constant window, read when a page is missing", "baseline",
      [](const FixedParameters& parameters, const ReadaheadLimits& limits) {
        return std::make_unique<FixedDevice>(parameters, limits);
      });
}

}  // namespace seekahead
