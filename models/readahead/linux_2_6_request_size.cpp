// Policy `linux-2.6-request-size`: the readahead of Linux 2.6.11 to 2.6.22, which knows how much a read
// wants.
//
// Asked once a request or once a window, the policy reads random requests as they are and keeps two windows
// ahead of sequential ones. Rule names (R1 ... R5 the read, A1 ... A9 the readahead step, B1 ... B9 the one
// of 2.6.11, and the helpers BLOCK, OFF, RESET, INIT, NEXT, AHEAD, MISS) are those of the specification,
// docs/rules.md. Arithmetic wraps modulo 2^64, as the kernel's does.
#include <bit>

#include "models/readahead/linux_2_6.hpp"
#include "models/readahead/models.hpp"
#include "models/readahead/shared.hpp"

namespace seekahead {

namespace {

constexpr std::uint64_t nothing = ~std::uint64_t{0};
constexpr std::uint64_t min_pages = 4;  // 16 KiB
constexpr std::uint64_t cache_hits_until_off = 256;
constexpr std::uint64_t flag_miss = 1;
constexpr std::uint64_t flag_incache = 2;

// Everything in which the versions differ.
struct Version {
  bool counts_pages;       // 2.6.11: readahead step B, which returns a count, instead of A
  std::uint64_t size_off;  // size while there is no window
  bool keeps_ahead_end;    // 2.6.22: RESET keeps the end of the ahead window, and A9 stops prev there
  bool small_first;  // 2.6.22: INIT starts with 2 or 4 times the request, not with a quarter of the maximum
  bool miss_forgets_hits;  // 2.6.22: MISS starts counting cache hits anew
  bool keeps_offset;       // 2.6.22: prev_offset
  bool noreuse_reads;
  const char* prev_name;
};
constexpr Version v_2_6_11 = {true, nothing, false, false, false, false, true, "prev_page"};
constexpr Version v_2_6_12 = {false, 0, false, false, false, false, true, "prev_page"};
constexpr Version v_2_6_22 = {false, 0, true, true, true, true, false, "prev_index"};

const Version& version_of(const std::string& kernel) {
  return kernel == "2.6.11" ? v_2_6_11 : kernel == "2.6.12" ? v_2_6_12 : v_2_6_22;
}

struct RequestSizeParameters final : Parameters {
  std::string kernel = "2.6.22";
  void visit(ParameterVisitor& v) override {
    v.choice("kernel", kernel, {"2.6.11", "2.6.12", "2.6.22"},
             "version of the rules; 2.6.12 holds to 2.6.16, 2.6.22 from about 2.6.17 on",
             "Linux 2.6.11, 2.6.12, 2.6.22");
  }
};

class RequestSize final : public Linux26Policy {
 public:
  RequestSize(const Version& version, std::uint64_t ra_pages)
      : Linux26Policy(ra_pages, version.noreuse_reads), version_(version) {}

  std::uint64_t read(PageCacheView& view, std::uint64_t position, std::uint64_t length) override;
  void visit_state(StateVisitor& visitor) const override;

 private:
  void fault_readahead(PageCacheView& view, PageIndex page) override {
    if (version_.counts_pages) {
      readahead_b(view, page, 1);
    } else {
      readahead_a(view, page, 1);
    }
  }
  void missed(PageCacheView& view, PageIndex page) override;

  PageIndex readahead_a(PageCacheView& view, PageIndex offset, std::uint64_t request);
  PageIndex next_call(PageCacheView& view);
  std::uint64_t readahead_b(PageCacheView& view, PageIndex offset, std::uint64_t request);
  bool first_window_b(PageCacheView& view, PageIndex offset, std::uint64_t request, std::uint64_t newsize);
  void windows_b(PageCacheView& view, PageIndex last);

  bool block(PageCacheView& view, PageIndex first, std::uint64_t count, bool blocking,
             WindowClass window_class);
  bool ahead(PageCacheView& view, bool force);
  bool ahead_b(PageCacheView& view, bool blocking);
  void switch_off();
  void reset();
  std::uint64_t init_size(std::uint64_t request) const;
  std::uint64_t next_size(std::uint64_t current);

  const Version& version_;
  std::uint64_t start_ = 0;  // current window
  std::uint64_t size_ = 0;
  std::uint64_t flags_ = 0;
  std::uint64_t cache_hit_ = 0;
  std::uint64_t prev_ = nothing;
  std::uint64_t ahead_start_ = 0;  // 0: there is no ahead window
  std::uint64_t ahead_size_ = 0;
  std::uint64_t prev_offset_ = 0;
  PageIndex copied_page_ = nothing;  // page of the last copy
};

// R1 ... R5
std::uint64_t RequestSize::read(PageCacheView& view, std::uint64_t position, std::uint64_t length) {
  const std::uint64_t size = view.file_size();
  ReadCursor cursor(position, length);
  const PageIndex last = pages_for(position + length);
  std::uint64_t request = pages_for(length);  // 2.6.11: forgets the offset in the first page
  PageIndex next = cursor.index;
  for (;;) {
    const std::uint64_t n = cursor.available(size);
    if (n == 0) {
      break;
    }
    if (cursor.index == next) {  // R3
      if (!version_.counts_pages) {
        next = readahead_a(view, cursor.index, last - cursor.index);
      } else if (request != 0) {
        const std::uint64_t covered = readahead_b(view, cursor.index, request);
        next += covered;
        request -= covered;
      }
    }
    look_up(view, cursor.index);
    if (copied_page_ != cursor.index) {
      view.mark_accessed(cursor.index);
      copied_page_ = cursor.index;
    }
    const bool more = cursor.deliver(view, n);
    if (version_.keeps_offset) {
      prev_offset_ = cursor.offset;
    }
    if (!more) {
      break;
    }
  }
  return cursor.copied;
}

// A1 ... A9: returns the page at which to call again.
PageIndex RequestSize::readahead_a(PageCacheView& view, PageIndex offset, std::uint64_t request) {
  if (offset == prev_) {  // A1
    --request;
    if (request != 0) {
      note(view, "A1", "begins in the page read last: that one is done");
      ++offset;
    }
  }
  const std::uint64_t max = ra_pages_;
  const bool sequential = offset == prev_ + 1;  // A2
  prev_ = offset;
  prev_offset_ = 0;
  const std::uint64_t newsize = std::min(request, max);
  if (newsize == 0 || (flags_ & flag_incache) != 0) {  // A3
    note(view, "A3", "nothing new is wanted, or all is cached anyway");
    return prev_ + 1;
  }
  prev_ += newsize - 1;  // A4
  if (sequential && size_ == 0) {
    note(view, "A5", "sequential, no window yet: initial window");
    size_ = init_size(newsize);
    start_ = offset;
    if (block(view, offset, size_, true, WindowClass::window) && request >= max) {
      ahead(view, true);
    }
    return prev_ + 1;
  }
  if (!sequential) {
    note(view, "A6", "a seek: the request as it is");
    switch_off();
    block(view, offset, newsize, true, WindowClass::random);
    return prev_ + 1;
  }
  if (ahead_start_ == 0) {
    note(view, "A7", "sequential in the window: ahead window");
    if (!ahead(view, false)) {
      return next_call(view);
    }
  }
  if (prev_ >= ahead_start_) {
    note(view, "A8", "reached the ahead window: it becomes the current one, and the next is read");
    start_ = ahead_start_;
    size_ = ahead_size_;
    ahead(view, false);
    return next_call(view);
  }
  return prev_ + 1;
}

// A9
PageIndex RequestSize::next_call(PageCacheView& view) {
  if (version_.keeps_ahead_end && prev_ > ahead_start_ + ahead_size_ - 1) {
    note(view, "A9", "the request reaches beyond the ahead window: ask again at its end");
    prev_ = ahead_start_ + ahead_size_ - 1;
  }
  return prev_ + 1;
}

// B1 ... B9 (2.6.11): returns how many pages of the request are dealt with.
std::uint64_t RequestSize::readahead_b(PageCacheView& view, PageIndex offset, std::uint64_t request) {
  std::uint64_t newsize = request;
  if (offset == prev_ && request == 1 && size_ != 0) {
    note(view, "B1", "the page read last again");
  } else {
    newsize = std::min(request, ra_pages_);
    if (newsize == 0 || (flags_ & flag_incache) != 0) {
      note(view, "B2", "readahead is off, or all is cached anyway");
      newsize = 1;
    } else if (!first_window_b(view, offset, request, newsize)) {
      windows_b(view, offset + newsize - 1);
    }
  }
  prev_ = offset + newsize - 1;  // B9
  return newsize;
}

// B3, B4: true when the request began a stream or was a seek, and so is done.
bool RequestSize::first_window_b(PageCacheView& view, PageIndex offset, std::uint64_t request,
                                 std::uint64_t newsize) {
  if ((size_ == 0 && offset == 0) || (size_ == nothing && prev_ == offset - 1)) {
    note(view, "B3", "start of the file, or sequential after a seek: initial window");
    size_ = init_size(newsize);
    start_ = offset;
    if (block(view, offset, size_, true, WindowClass::window) && request >= ra_pages_) {
      ahead_size_ = next_size(size_);
      ahead_start_ = start_ + size_;
      block(view, ahead_start_, ahead_size_, true, WindowClass::ahead);
    }
    return true;
  }
  if (offset != prev_ + 1 || size_ == 0) {
    note(view, "B4", "a seek: the request as it is");
    switch_off();
    block(view, offset, newsize, true, WindowClass::random);
    return true;
  }
  return false;
}

// B5, B6: `last` is the last page wanted.
void RequestSize::windows_b(PageCacheView& view, PageIndex last) {
  if (ahead_start_ == 0) {
    note(view, "B5", "sequential in the window: ahead window");
    ahead_size_ = next_size(size_);
    ahead_start_ = start_ + size_;
    if (!ahead_b(view, last >= ahead_start_)) {
      return;
    }
  }
  if (last >= ahead_start_) {
    note(view, "B6", "reached the ahead window: it becomes the current one, and the next is read");
    start_ = ahead_start_;
    size_ = ahead_size_;
    ahead_start_ += ahead_size_;
    ahead_size_ = next_size(ahead_size_);
    ahead_b(view, last >= ahead_start_);
  }
}

bool RequestSize::ahead_b(PageCacheView& view, bool blocking) {
  const bool ok = block(view, ahead_start_, ahead_size_, blocking, WindowClass::ahead);
  if (!ok) {
    reset();
  }
  return ok;
}

// AHEAD
bool RequestSize::ahead(PageCacheView& view, bool force) {
  ahead_size_ = next_size(size_);
  ahead_start_ = start_ + size_;
  const bool blocking = force || prev_ >= ahead_start_;
  const bool ok = block(view, ahead_start_, ahead_size_, blocking, WindowClass::ahead);
  if (!ok && !force) {
    reset();
  }
  return ok;
}

// BLOCK
bool RequestSize::block(PageCacheView& view, PageIndex first, std::uint64_t count, bool blocking,
                        WindowClass window_class) {
  if (!blocking && view.congested()) {
    note(view, "BLOCK", "the queue is congested and the window can wait: not read");
    return false;
  }
  if (read_window(view, first, count, window_class) != 0) {
    cache_hit_ = 0;
    return true;
  }
  cache_hit_ += count;
  if (cache_hit_ >= cache_hits_until_off) {
    note(view, "BLOCK", "256 pages in a row were cached: off until a miss");
    switch_off();
    flags_ |= flag_incache;
    return false;
  }
  return true;
}

// OFF
void RequestSize::switch_off() {
  start_ = 0;
  flags_ = 0;
  size_ = version_.size_off;
  reset();
}

// RESET
void RequestSize::reset() {
  ahead_size_ = version_.keeps_ahead_end ? ahead_size_ + ahead_start_ : 0;
  ahead_start_ = 0;
}

// INIT
std::uint64_t RequestSize::init_size(std::uint64_t request) const {
  const std::uint64_t max = ra_pages_;
  if (version_.small_first) {
    return initial_window(request, max);
  }
  const std::uint64_t pages = std::bit_ceil(request);
  return pages <= max / 64 ? pages * pages : pages <= max / 4 ? max / 4 : max;
}

// NEXT
std::uint64_t RequestSize::next_size(std::uint64_t current) {
  if ((flags_ & flag_miss) == 0) {
    return next_window(current, ra_pages_);
  }
  flags_ &= ~flag_miss;
  return std::min(std::max(current - 2, min_pages), ra_pages_);  // wraps below 2: the maximum
}

// MISS
void RequestSize::missed(PageCacheView& view, PageIndex) {
  note(view, "MISS", "a page that should have been there is not: the next window shrinks");
  flags_ = (flags_ | flag_miss) & ~flag_incache;
  if (version_.miss_forgets_hits) {
    cache_hit_ = 0;
  }
}

void RequestSize::visit_state(StateVisitor& visitor) const {
  visitor.field("start", static_cast<std::int64_t>(start_));
  visitor.field("size", static_cast<std::int64_t>(size_));
  visitor.field("flags", static_cast<std::int64_t>(flags_));
  visitor.field("cache_hit", static_cast<std::int64_t>(cache_hit_));
  visitor.field(version_.prev_name, static_cast<std::int64_t>(prev_));
  visitor.field("ahead_start", static_cast<std::int64_t>(ahead_start_));
  visitor.field("ahead_size", static_cast<std::int64_t>(ahead_size_));
  visit_mapping(visitor);
  if (version_.keeps_offset) {
    visitor.field("prev_offset", static_cast<std::int64_t>(prev_offset_));
  }
}

class RequestSizeDevice final : public ReadaheadDevice {
 public:
  RequestSizeDevice(const Version& version, std::uint64_t ra_pages)
      : version_(version), ra_pages_(ra_pages) {}
  std::unique_ptr<ReadaheadPolicy> open() override {
    return std::make_unique<RequestSize>(version_, ra_pages_);
  }

 private:
  const Version& version_;
  std::uint64_t ra_pages_;
};

}  // namespace

ReadaheadModel linux_2_6_request_size_policy() {
  return model_of<RequestSizeParameters, ReadaheadModel>(
      "linux-2.6-request-size", "two windows ahead of sequential reads, random requests as they are",
      "Linux 2.6.11, 2.6.12, 2.6.22",
      [](const RequestSizeParameters& parameters, const ReadaheadLimits& limits) {
        return std::make_unique<RequestSizeDevice>(version_of(parameters.kernel), limits.ra_pages);
      });
}

}  // namespace seekahead
