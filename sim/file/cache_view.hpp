// The simulation's PageCacheView: one open descriptor's look at the real page cache and request queue.
#pragma once

#include <string>

#include "sim/engine/cpu_account.hpp"
#include "sim/file/page_cache_view.hpp"
#include "sim/file/readahead_policy.hpp"
#include "sim/memory/memory.hpp"
#include "sim/observe/probe.hpp"
#include "sim/observe/process_statistics.hpp"
#include "sim/observe/submission_record.hpp"

namespace seekahead {

// Who looks: for observers and for the costs.
struct ViewOwner {
  std::string process;  // its name in the scenario
  std::string command;  // what it runs now
  std::int32_t pid = 0;
  TimeNs cpu_per_page_ns = 0;
};

// Who is told of submissions. `probe` may be null.
struct ViewObservers {
  ProcessStatistics& process;
  SubmissionRecord& record;
  Probe* probe = nullptr;
};

class CacheView final : public PageCacheView {
 public:
  // `owner` and `policy`, whose view this is, must outlive it.
  CacheView(Memory& memory, CpuAccount& cpu, FileId file, const ViewOwner& owner,
            const ReadaheadPolicy& policy, const ViewObservers& observers);

  std::uint64_t file_size() const override { return memory_.file(file_).size_bytes; }
  PageState state(PageIndex page) const override;
  PageIndex next_absent(PageIndex from, std::uint64_t limit) const override;
  PageIndex previous_absent(PageIndex from, std::uint64_t limit) const override;
  std::uint64_t cached_pages() const override;

  void close_batch() override { flush_run(); }
  std::uint64_t submit(const Submission& wish) override;
  void submit_page(PageIndex page, WindowClass window_class) override;
  void wait(PageIndex page) override;
  void clear_marker(PageIndex page) override;
  void drop(PageIndex first, PageIndex last) override;

  void copy(PageIndex page, std::uint64_t bytes) override;
  void mark_accessed(PageIndex page) override;
  std::uint64_t rescue(PageIndex page, std::uint64_t count) override;
  // The process uses a mapped page: as copy(), without its cost.
  void touch_mapped(PageIndex page) { use(page); }

  // The descriptor's file position, the end of its last read.
  std::uint64_t position() const { return position_; }
  void set_position(std::uint64_t position) { position_ = position; }
  // The pages [first, past) that the present read or fault asks for; for observers.
  void set_demand(PageIndex first, PageIndex past) {
    demand_first_ = first;
    demand_past_ = past;
  }

  bool congested() const override { return memory_.file(file_).queue->congested(false); }
  std::uint64_t vm_pages() const override;
  std::uint64_t aging() const override { return memory_.aging(); }

 private:
  bool insert(PageIndex page, WindowClass window_class, bool marker);
  void use(PageIndex page);
  void append(FrameId id);
  void flush_run();
  void tell(const Submission& wish, std::uint64_t read);

  Memory& memory_;
  PageCache& cache_;
  CpuAccount& cpu_;
  FileId file_;
  const ViewOwner& owner_;
  const ReadaheadPolicy& policy_;
  ViewObservers observers_;
  std::uint64_t position_ = 0;
  PageIndex demand_first_ = 0, demand_past_ = 0;

  // The run that is being gathered: consecutive pages not yet sent to the queue.
  FrameId run_first_ = no_frame;
  FrameId run_last_ = no_frame;
  std::int64_t run_pages_ = 0;
  PageIndex last_used_ = ~PageIndex{0};
};

}  // namespace seekahead
