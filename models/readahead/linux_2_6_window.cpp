// Policy `linux-2.6-window`: the current window and the ahead window of Linux 2.6.8 and 2.6.9.
//
// Asked once a page, the policy keeps a current window and, while the reader is in it, an ahead window behind
// it. Window sizes follow the average length of sequential runs; a page that should have been there and is
// not (MISS) shrinks them. Rule names (R1 ... R5 the read, A1 ... A11 the readahead step, M1, M2 the miss,
// CHECK) are those of the specification, docs/rules.md. Arithmetic wraps modulo 2^64, as the kernel's
// does.
#include "models/readahead/linux_2_6.hpp"
#include "models/readahead/models.hpp"

namespace seekahead {

namespace {

constexpr std::uint64_t off = ~std::uint64_t{0};  // next_size: readahead is switched off
constexpr std::uint64_t min_pages = 4;            // 16 KiB

// Everything in which the two versions differ.
struct Version {
  bool tests_end_late;  // 2.6.8: a read asks, misses and caches a page before it finds the end of the file
  bool counts_window_hits;   // 2.6.9: average of the hits in a window, not of the length of sequential runs
  const char* counter_name;  // of run_
};
constexpr Version v_2_6_8 = {true, false, "serial_cnt"};
constexpr Version v_2_6_9 = {false, true, "currnt_wnd_hit"};

struct WindowParameters final : Parameters {
  std::string kernel = "2.6.9";
  void visit(ParameterVisitor& v) override {
    v.choice("kernel", kernel, {"2.6.8", "2.6.9"}, "version of the rules", "Linux 2.6.8, 2.6.9");
  }
};

class Window final : public Linux26Policy {
 public:
  Window(const Version& version, std::uint64_t ra_pages)
      : Linux26Policy(ra_pages, true), version_(version), average_(ra_pages / 2) {}

  std::uint64_t read(PageCacheView& view, std::uint64_t position, std::uint64_t length) override;
  void visit_state(StateVisitor& visitor) const override;

 private:
  void fault_readahead(PageCacheView& view, PageIndex page) override { readahead(view, page); }
  void missed(PageCacheView& view, PageIndex page) override;

  void readahead(PageCacheView& view, PageIndex index);
  bool adapt_size(PageCacheView& view, PageIndex index);
  void new_window(PageCacheView& view, PageIndex index, bool first, std::uint64_t original);
  void new_ahead_window(PageCacheView& view, std::uint64_t original);
  std::uint64_t start_io(PageCacheView& view, PageIndex first, std::uint64_t count, WindowClass window_class);
  void check(PageCacheView& view, std::uint64_t actual, std::uint64_t original);
  void count_sequential() {
    if (run_ <= 2 * ra_pages_) {
      ++run_;
    }
  }
  void end_run();
  std::uint64_t expected_run() const { return run_ > average_ ? (run_ + average_ + 1) / 2 : average_; }
  void drop_ahead() { ahead_start_ = ahead_size_ = 0; }

  const Version& version_;
  std::uint64_t start_ = 0;  // current window
  std::uint64_t size_ = 0;
  std::uint64_t next_size_ = 0;
  std::uint64_t prev_page_ = 0;
  std::uint64_t ahead_start_ = 0;  // 0: there is no ahead window
  std::uint64_t ahead_size_ = 0;
  std::uint64_t run_ = 0;  // serial_cnt or currnt_wnd_hit
  std::uint64_t average_;
};

// R1 ... R5
std::uint64_t Window::read(PageCacheView& view, std::uint64_t position, std::uint64_t length) {
  const std::uint64_t size = view.file_size();
  ReadCursor cursor(position, length);
  if (version_.tests_end_late && cursor.index > size / page_bytes) {
    return 0;
  }
  for (;;) {
    if (!version_.tests_end_late && cursor.available(size) == 0) {
      break;
    }
    readahead(view, cursor.index);
    look_up(view, cursor.index);
    const std::uint64_t n = cursor.available(size);
    if (n == 0) {
      break;
    }
    if (cursor.offset == 0) {
      view.mark_accessed(cursor.index);
    }
    if (!cursor.deliver(view, n)) {
      break;
    }
  }
  return cursor.copied;
}

void Window::readahead(PageCacheView& view, PageIndex index) {
  if (index == prev_page_ && next_size_ != 0) {  // A1
    return;
  }
  const std::uint64_t max = ra_pages_;
  if (next_size_ == off || max == 0) {  // A2
    note(view, "A2", "readahead is off");
    return;
  }
  const std::uint64_t original = next_size_;  // A3
  if (next_size_ == 0) {                      // A4
    note(view, "A4", "first access: half the maximum");
    next_size_ = max / 2;
    prev_page_ = index;
    ++run_;
    new_window(view, index, true, original);
    return;
  }
  if (!adapt_size(view, index)) {
    return;
  }
  if (index >= start_ && index < start_ + size_) {
    new_ahead_window(view, original);
  } else if (index == ahead_start_) {  // A9
    note(view, "A9", "reached the ahead window: it becomes the current one");
    start_ = ahead_start_;
    size_ = ahead_size_;
    prev_page_ = start_;
    drop_ahead();
  } else {
    new_window(view, index, false, original);
  }
}

// A5 ... A8. False: readahead was switched off.
bool Window::adapt_size(PageCacheView& view, PageIndex index) {
  if (!version_.counts_window_hits) {  // A5
    if (index == prev_page_ + 1) {
      count_sequential();
    } else {
      end_run();
    }
  }
  prev_page_ = index;                                // A6
  if (start_ <= index && index <= start_ + size_) {  // A7: one past the end counts
    note(view, "A7", "in the window: next_size + 2");
    next_size_ += 2;
    if (version_.counts_window_hits) {
      count_sequential();
    }
  } else {
    note(view, "A7", "outside the window: next_size - 2");
    next_size_ -= 2;
    if (version_.counts_window_hits) {
      end_run();
    }
  }
  // A8, signed
  if (static_cast<std::int64_t>(next_size_) > static_cast<std::int64_t>(ra_pages_)) {
    next_size_ = ra_pages_;
  }
  if (static_cast<std::int64_t>(next_size_) <= 0) {
    note(view, "A8", "the size came down to 0: readahead off");
    next_size_ = off;
    size_ = 0;
    return false;
  }
  return true;
}

// The average takes in the run that has just ended.
void Window::end_run() {
  const std::uint64_t average = average_ < run_ ? average_ + 1 : average_;
  average_ = (average + run_) / 2;
  run_ = 1;
}

// A10
void Window::new_window(PageCacheView& view, PageIndex index, bool first, std::uint64_t original) {
  note(view, "A10", "a new current window");
  if (!first) {
    next_size_ = std::min(expected_run(), ra_pages_);
  }
  start_ = index;
  size_ = next_size_;
  drop_ahead();
  const std::uint64_t actual = start_io(view, index, size_, WindowClass::window);
  if (!first) {
    check(view, actual, original);
  }
}

// A11
void Window::new_ahead_window(PageCacheView& view, std::uint64_t original) {
  if (ahead_start_ != 0 || expected_run() <= ra_pages_) {
    return;
  }
  note(view, "A11", "in the window of a long run: ahead window behind it");
  ahead_start_ = start_ + size_;
  ahead_size_ = next_size_;
  const std::uint64_t actual = start_io(view, ahead_start_, ahead_size_, WindowClass::ahead);
  check(view, actual, original);
}

// D1
std::uint64_t Window::start_io(PageCacheView& view, PageIndex first, std::uint64_t count,
                               WindowClass window_class) {
  if (view.congested()) {
    note(view, "D1", "the queue is congested: nothing is read");
    return 0;
  }
  return read_window(view, first, count, window_class);
}

// CHECK: nothing had to be read; so ask for less, and in the end for nothing.
void Window::check(PageCacheView& view, std::uint64_t actual, std::uint64_t original) {
  if (actual != 0) {
    return;
  }
  if (original > 1) {
    note(view, "CHECK", "nothing was read: a smaller next_size");
    next_size_ = original - 1;
    if (ahead_size_ != 0) {
      ahead_size_ = next_size_;
    }
  } else {
    note(view, "CHECK", "nothing was read again: readahead off");
    next_size_ = off;
    size_ = 0;
  }
}

void Window::missed(PageCacheView& view, PageIndex index) {
  const std::uint64_t max = ra_pages_;
  if (next_size_ != off) {
    note(view, "M2", "a page of the window is gone: next_size - 3");
    next_size_ = std::max(next_size_ - 3, min_pages);  // wraps below 3
    return;
  }
  // M1: while off, size counts misses in sequence
  if (index == prev_page_ + 1) {
    ++size_;
    if (size_ >= max) {
      note(view, "M1", "a whole window of sequential misses: readahead on again");
      start_ = index - max;
      next_size_ = size_ = max;
      drop_ahead();
      average_ = max / 2;
    }
  } else if (size_ != 0) {
    --size_;
  }
  prev_page_ = index;
}

void Window::visit_state(StateVisitor& visitor) const {
  visitor.field("start", static_cast<std::int64_t>(start_));
  visitor.field("size", static_cast<std::int64_t>(size_));
  visitor.field("next_size", static_cast<std::int64_t>(next_size_));
  visitor.field("prev_page", static_cast<std::int64_t>(prev_page_));
  visitor.field("ahead_start", static_cast<std::int64_t>(ahead_start_));
  visitor.field("ahead_size", static_cast<std::int64_t>(ahead_size_));
  visitor.field(version_.counter_name, static_cast<std::int64_t>(run_));
  visitor.field("average", static_cast<std::int64_t>(average_));
  visit_mapping(visitor);
}

class WindowDevice final : public ReadaheadDevice {
 public:
  WindowDevice(const Version& version, std::uint64_t ra_pages) : version_(version), ra_pages_(ra_pages) {}
  std::unique_ptr<ReadaheadPolicy> open() override { return std::make_unique<Window>(version_, ra_pages_); }

 private:
  const Version& version_;
  std::uint64_t ra_pages_;
};

}  // namespace

ReadaheadModel linux_2_6_window_policy() {
  return model_of<WindowParameters, ReadaheadModel>(
      "linux-2.6-window", "a current window and an ahead window, sized by the average run",
      "Linux 2.6.8, 2.6.9", [](const WindowParameters& parameters, const ReadaheadLimits& limits) {
        return std::make_unique<WindowDevice>(parameters.kernel == "2.6.8" ? v_2_6_8 : v_2_6_9,
                                              limits.ra_pages);
      });
}

}  // namespace seekahead
