// Policy `linux-2.4`: file readahead of Linux 2.4.0 to 2.4.22 (checked against 2.4.5).
//
// Readahead is driven by locked pages. Meeting the page of a read that is still in flight (or was just
// submitted) starts a synchronous window behind it; touching an up-to-date page of the newest block starts
// the next one asynchronously. Rule names (R1 ... R7 the read, A ... D the readahead step, F1 ... F4 the
// fault) are those of the specification, docs/rules.md.
#include "models/readahead/models.hpp"
#include "models/readahead/read_cursor.hpp"

namespace seekahead {

namespace {

constexpr std::uint64_t small_first_read_bytes = 2048;

struct Linux24Parameters final : Parameters {
  std::string kernel = "2.4.5";
  std::int64_t min_readahead = 3;
  std::int64_t page_cluster = 4;

  void visit(ParameterVisitor& v) override {
    v.choice("kernel", kernel, {"2.4.5"}, "version of the rules; 2.4.0 to 2.4.22 decide alike",
             "Linux 2.4.5");
    v.pages("min_readahead", min_readahead, {0, 1 << 20}, "smallest window of a sequential read",
            "vm.min-readahead");
    v.integer("page_cluster", page_cluster, {0, 10},
              "page faults read aligned clusters of 2^this pages; 3 below 32 MB of memory, 2 below 16 MB",
              "vm.page-cluster");
  }
};

struct Limits {
  std::uint64_t max;      // MAX, pages
  std::uint64_t min;      // MIN
  std::uint64_t cluster;  // CL
};

class Linux24 final : public ReadaheadPolicy {
 public:
  explicit Linux24(const Limits& limits) : limits_(limits) {}

  std::uint64_t read(PageCacheView& view, std::uint64_t position, std::uint64_t length) override;
  bool fault(PageCacheView& view, PageIndex page) override;
  // 2.4 has no posix_fadvise.
  void fadvise(PageCacheView&, FileAdvice, std::uint64_t, std::uint64_t) override {}
  void madvise(PageCacheView&, MapHint hint) override {
    hint_ = hint;
    vm_raend_ = 0;
  }
  void visit_state(StateVisitor& visitor) const override;

 private:
  bool check_position(PageCacheView& view, PageIndex index);
  void size_for_request(PageCacheView& view, const ReadCursor& cursor, bool sequential);
  void bring_in(PageCacheView& view, PageIndex index, bool sequential);
  void readahead(PageCacheView& view, PageIndex index, bool locked, bool sequential);
  void read_mapping_ahead(PageCacheView& view, PageIndex page);

  const Limits limits_;
  std::uint64_t raend_ = 0;  // one past the last page that was to be read ahead
  std::uint64_t ralen_ = 0;  // length of the newest block
  std::uint64_t ramax_ = 0;  // size of the next one
  std::uint64_t rawin_ = 0;  // length of the window: the newest block, or the last two
  std::uint64_t reada_ = 0;
  std::uint64_t vm_raend_ = 0;  // the same as raend_ for the mapping
  MapHint hint_ = MapHint::normal;
};

// R1, R4, R6, R7
std::uint64_t Linux24::read(PageCacheView& view, std::uint64_t position, std::uint64_t length) {
  ReadCursor cursor(position, length);
  const bool sequential = check_position(view, cursor.index);
  size_for_request(view, cursor, sequential);
  for (;;) {
    const std::uint64_t n = cursor.available(view.file_size());
    if (n == 0) {
      break;
    }
    bring_in(view, cursor.index, sequential);
    view.mark_accessed(cursor.index);
    if (!cursor.deliver(view, n)) {
      break;
    }
  }
  reada_ = 1;
  return cursor.copied;
}

// R2: is the read near the window? The answer holds for the whole read.
bool Linux24::check_position(PageCacheView& view, PageIndex index) {
  if (index > raend_ || index + rawin_ < raend_) {
    note(view, "R2", "outside the window: state is reset, no asynchronous readahead in this read");
    raend_ = ralen_ = ramax_ = rawin_ = 0;
    return false;
  }
  note(view, "R2", "in or right behind the window: sequential");
  return true;
}

// R3: the size of the next block follows the request.
void Linux24::size_for_request(PageCacheView& view, const ReadCursor& cursor, bool sequential) {
  if (cursor.index == 0 && cursor.offset + cursor.left <= small_first_read_bytes) {
    note(view, "R3", "a small read at the start of the file: no readahead");
    ramax_ = 0;
    return;
  }
  const std::uint64_t needed = (cursor.offset + cursor.left) / page_bytes + 1;
  ramax_ = std::max(ramax_, needed);
  if (sequential) {
    ramax_ = std::max(ramax_, limits_.min);
  }
  ramax_ = std::min(ramax_, limits_.max);
  note(view, "R3", "ramax covers the request, within the limits");
}

// R5: the page is up to date afterwards. The page itself and the window behind it are one batch, closed by
// the wait; every asynchronous block is a batch of its own.
void Linux24::bring_in(PageCacheView& view, PageIndex index, bool sequential) {
  PageState state = view.state(index);
  if (state.uptodate()) {  // R5b
    view.close_batch();
    readahead(view, index, false, sequential);
    view.close_batch();
    return;
  }
  if (state.absent()) {  // R5a
    view.submit_page(index, WindowClass::page);
    state = view.state(index);
    if (state.uptodate()) {
      note(view, "R5", "the page was read at once: no readahead");
      view.close_batch();
      return;
    }
  }
  readahead(view, index, true, sequential);  // R5a, R5c
  view.wait(index);
}

void Linux24::readahead(PageCacheView& view, PageIndex index, bool locked, bool sequential) {
  const PageIndex end = view.file_size() / page_bytes;  // a partial last page is never read ahead
  PageIndex base = raend_;
  std::uint64_t want = 0;
  if (locked) {
    // A
    if (ralen_ == 0 || index >= raend_ || index + rawin_ < raend_) {
      note(view, "A", "page in flight outside the newest block: synchronous window behind it");
      base = index;
      want = index < end ? ramax_ : 0;
      rawin_ = 0;
      ralen_ = 1;
      if (want == 0) {
        raend_ = index + 1;
        rawin_ = 1;
      }
    }
  } else if (sequential && ramax_ != 0 && raend_ >= 1 && index <= raend_ && index + ralen_ >= raend_) {
    // B
    base = raend_ - 1;
    if (base < end) {
      note(view, "B", "page of the newest block is up to date: next block asynchronously");
      want = ramax_ + 1;
      rawin_ = ralen_;
      ralen_ = 0;
    }
  }
  if (want == 0) {
    return;
  }
  // D, before the pages go off, so that who watches submissions sees the window that they belong to
  const std::uint64_t ahead = std::min(want, end - base);
  ralen_ += ahead;
  rawin_ += ralen_;
  raend_ = base + ahead + 1;
  ramax_ = std::min(2 * ramax_, limits_.max);
  // C: the page at which the end of the file stops the loop is counted, not read.
  const std::uint64_t count = base + ahead == end ? ahead - 1 : ahead;
  view.submit(
      {.start = base + 1, .count = count, .window_class = locked ? WindowClass::window : WindowClass::ahead});
}

// F1 ... F3
bool Linux24::fault(PageCacheView& view, PageIndex page) {
  const PageIndex end = view.end_page();
  if (page >= end) {
    return false;
  }
  if (view.state(page).absent()) {
    if (hint_ == MapHint::random) {
      note(view, "F2", "random mapping: the page alone");
      view.submit_page(page, WindowClass::page);
    } else {
      note(view, "F2", "page absent: its aligned cluster");
      view.submit({.start = page - page % limits_.cluster,
                   .count = limits_.cluster,
                   .window_class = WindowClass::cluster});
    }
    view.close_batch();
  }
  if (view.state(page).in_flight()) {
    view.wait(page);
  }
  if (hint_ == MapHint::sequential) {
    read_mapping_ahead(view, page);
  }
  view.mark_accessed(page);
  return true;
}

// F4: the middle of the window that was read last starts the next one.
void Linux24::read_mapping_ahead(PageCacheView& view, PageIndex page) {
  const std::uint64_t window = (limits_.max + limits_.cluster - 1) / limits_.cluster * limits_.cluster;
  if (vm_raend_ == 0) {
    vm_raend_ = window;
  }
  if (page + window / 2 == vm_raend_) {
    note(view, "F4", "middle of the mapping's window: the next window");
    view.submit({.start = vm_raend_, .count = window, .window_class = WindowClass::cluster});
    view.close_batch();
    vm_raend_ += window;
  }
}

void Linux24::visit_state(StateVisitor& visitor) const {
  visitor.field("f_reada", static_cast<std::int64_t>(reada_));
  visitor.field("f_ramax", static_cast<std::int64_t>(ramax_));
  visitor.field("f_raend", static_cast<std::int64_t>(raend_));
  visitor.field("f_ralen", static_cast<std::int64_t>(ralen_));
  visitor.field("f_rawin", static_cast<std::int64_t>(rawin_));
  visitor.field("vm_raend", static_cast<std::int64_t>(vm_raend_));
}

class Linux24Device final : public ReadaheadDevice {
 public:
  explicit Linux24Device(const Limits& limits) : limits_(limits) {}
  std::unique_ptr<ReadaheadPolicy> open() override { return std::make_unique<Linux24>(limits_); }

 private:
  Limits limits_;
};

}  // namespace

ReadaheadModel linux_2_4_policy() {
  return model_of<Linux24Parameters, ReadaheadModel>(
      "linux-2.4", "the window that doubles while pages in flight are met", "Linux 2.4.5",
      [](const Linux24Parameters& parameters, const ReadaheadLimits& limits) {
        return std::make_unique<Linux24Device>(
            Limits{.max = limits.ra_pages,
                   .min = static_cast<std::uint64_t>(parameters.min_readahead),
                   .cluster = std::uint64_t{1} << parameters.page_cluster});
      });
}

}  // namespace seekahead
