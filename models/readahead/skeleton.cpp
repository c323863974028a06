// Policy `skeleton`: a small readahead to start your own from.
//
// It notices a sequential reader, reads a window that doubles up to the device's limit, and starts the next
// window when the reader is half way through the current one, so that a steady reader never waits. Copy this
// file, rename the class, add a line to models.hpp and register.cpp (or make it a plug-in, docs/plugins.md),
// and run `seekahead decide --explain --policy skeleton` on any case to see it think.
#include <algorithm>

#include "models/readahead/models.hpp"
#include "models/readahead/read_cursor.hpp"

namespace seekahead {

namespace {

// 1. Parameters: defaults in place, one line each to declare name, range, help and source. Scenario files,
// the
//    command line and `seekahead models` all use this declaration.
struct SkeletonParameters final : Parameters {
  std::int64_t first_pages = 4;

  void visit(ParameterVisitor& v) override {
    v.pages("first_window", first_pages, {1, 1024}, "size of the first window of a sequential reader",
            "chosen");
  }
};

// 2. The policy: one object an open file. Its variables live as long as the descriptor.
class Skeleton final : public ReadaheadPolicy {
 public:
  Skeleton(std::uint64_t first_pages, std::uint64_t max_pages)
      : first_pages_(std::min(first_pages, max_pages)), max_pages_(max_pages) {}

  // What `decide` prints after each operation.
  void visit_state(StateVisitor& visitor) const override {
    visitor.unsigned_field("start", start_);
    visitor.unsigned_field("size", size_);
    visitor.unsigned_field("async_size", size_ / 2);
  }

 private:
  // 3. Hooks. The loop calls this one when the page that the reader wants is not cached. `remaining` pages,
  //    this one included, are left of the reader's request.
  void page_absent(PageCacheView& view, PageIndex page, std::uint64_t remaining) override {
    if (page == start_ + size_) {
      note(view, "sequential", "right behind the window: the next one, twice as long");
      start_next_window(view);
    } else {
      note(view, "seek", "elsewhere: the request as it is, within the limit");
      start_ = page;
      size_ = std::min(remaining, max_pages_);
      view.submit({.start = start_, .count = size_, .window_class = WindowClass::random});
    }
  }

  // The page is cached and carries the marker that start_next_window() asked for: the reader is half way
  // through, and the next window can be read while it goes on.
  void marker_hit(PageCacheView& view, PageIndex, std::uint64_t) override {
    note(view, "marker", "half way through the window: the next one, asynchronously");
    start_next_window(view);
  }

  // 4. Submitting: the view leaves out cached pages and pages behind the end of the file.
  void start_next_window(PageCacheView& view) {
    start_ += size_;
    size_ = std::min(std::max(2 * size_, first_pages_), max_pages_);
    view.submit({.start = start_,
                 .count = size_,
                 .mark_at = size_ / 2,
                 .window_class = WindowClass::window,
                 .async_size = size_ / 2});
  }

  const std::uint64_t first_pages_;
  const std::uint64_t max_pages_;
  PageIndex start_ = 0;  // of the current window
  std::uint64_t size_ = 0;
};

// 5. The device: what its open files share, and where they are opened.
class SkeletonDevice final : public ReadaheadDevice {
 public:
  SkeletonDevice(const SkeletonParameters& parameters, const ReadaheadLimits& limits)
      : first_pages_(static_cast<std::uint64_t>(parameters.first_pages)), max_pages_(limits.ra_pages) {}
  std::unique_ptr<ReadaheadPolicy> open() override {
    return std::make_unique<Skeleton>(first_pages_, max_pages_);
  }

 private:
  const std::uint64_t first_pages_;
  const std::uint64_t max_pages_;
};

}  // namespace

// 6. The entry of the registry: name, one line of help, source, and how the device is made.
ReadaheadModel skeleton_policy() {
  return model_of<SkeletonParameters, ReadaheadModel>(
      "skeleton", "a small sequential readahead, to start your own from", "docs/plugins.md",
      [](const SkeletonParameters& parameters, const ReadaheadLimits& limits) {
        return std::make_unique<SkeletonDevice>(parameters, limits);
      });
}

}  // namespace seekahead
