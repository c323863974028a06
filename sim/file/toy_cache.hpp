// A page cache without time, device or memory limit: the small models under which the real kernels' decisions
// were recorded. `seekahead decide`, tests and lessons run policies on it.
//
// A *run* is a stretch of pages that go to the disk together: pages submitted in ascending neighbourhood
// while the batch is open. With instant I/O a submitted page is up to date at once. With lazy I/O it stays in
// flight until the policy waits for it (or complete() is called): then all runs up to and including the one
// that holds the page complete, in the order in which they were created.
//
// The cache checks its caller: a policy that submits a cached page, waits for a page that is not in flight or
// copies from a page that is not up to date gets a std::logic_error.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <stdexcept>
#include <unordered_map>
#include <vector>

#include "sim/file/page_cache_view.hpp"

namespace seekahead {

enum class ToyIo : std::uint8_t { instant, lazy };

// More pages would have to be cached than max_cached_pages: some size of the case is absurd.
class ToyCacheFull : public std::runtime_error {
 public:
  ToyCacheFull();
};

class ToyCache final : public PageCacheView {
 public:
  static constexpr std::uint64_t max_cached_pages = std::uint64_t{1} << 22;  // 16 GiB of file

  struct Run {
    std::uint64_t operation;
    PageIndex start;
    std::uint64_t count;
    WindowClass window_class;  // of its first page
  };
  struct Wait {
    std::uint64_t operation;
    PageIndex page;
  };

  ToyCache(std::uint64_t file_size, ToyIo io, std::uint64_t vm_pages);
  ~ToyCache() override;

  // Is told of every submission and of the pages it inserted; empty: nobody listens.
  std::function<void(const Submission& wish, std::uint64_t inserted)> on_submission;

  // --- what the world outside the policy does, between the policy's calls
  // Starts operation number `operation`; runs and waits are recorded under it. Closes the batch.
  void begin_operation(std::uint64_t operation);
  // Drops every up-to-date page of [start, start + count).
  void evict(PageIndex start, std::uint64_t count);
  // Makes every absent page of [start, start + count) up to date, without I/O.
  void populate(PageIndex start, std::uint64_t count);
  // Completes all I/O.
  void complete();
  void set_congested(bool congested) { congested_ = congested; }
  // The inactive list moves by `count` pages.
  void age(std::uint64_t count) { aging_ += count; }

  const std::vector<Run>& runs() const { return runs_; }
  const std::vector<Wait>& waits() const { return waits_; }
  std::uint64_t copied_bytes() const { return copied_bytes_; }

  // --- PageCacheView
  std::uint64_t file_size() const override { return file_size_; }
  PageState state(PageIndex page) const override;
  PageIndex next_absent(PageIndex from, std::uint64_t limit) const override;
  PageIndex previous_absent(PageIndex from, std::uint64_t limit) const override;
  std::uint64_t cached_pages() const override { return cached_pages_; }
  void close_batch() override { batch_open_ = false; }
  std::uint64_t submit(const Submission& wish) override;
  void submit_page(PageIndex page, WindowClass window_class) override;
  void wait(PageIndex page) override;
  void clear_marker(PageIndex page) override;
  void drop(PageIndex first, PageIndex last) override;
  void copy(PageIndex page, std::uint64_t bytes) override;
  void mark_accessed(PageIndex page) override;
  std::uint64_t rescue(PageIndex page, std::uint64_t count) override;
  bool congested() const override { return congested_; }
  std::uint64_t vm_pages() const override { return vm_pages_; }
  std::uint64_t aging() const override { return aging_; }

 private:
  static constexpr PageIndex nobody = ~PageIndex{0};
  static constexpr std::uint64_t chunk_pages = 512;

  // A cached page and its place on one of the two reclaim lists.
  struct Page {
    std::uint8_t bits = 0;
    std::uint32_t run = 0;  // that reads it
    PageIndex newer = nobody;
    PageIndex older = nobody;
  };
  using Chunk = std::array<Page, chunk_pages>;
  struct List {
    PageIndex head = nobody;  // newest
  };

  Page* find(PageIndex page) const;
  Page& insert(PageIndex page, std::uint8_t bits);
  void start_reading(PageIndex page, WindowClass window_class, std::uint8_t extra_bits);
  void finish_runs(std::size_t past);
  void drop_if_uptodate(PageIndex page);
  List& list_of(const Page& page) { return (page.bits & PageState::active_bit) != 0 ? active_ : inactive_; }
  void push(List& list, PageIndex page);
  void unlink(PageIndex page);

  std::uint64_t file_size_;
  PageIndex end_page_;
  ToyIo io_;
  std::uint64_t vm_pages_;
  std::uint64_t aging_ = 0;
  bool congested_ = false;

  std::unordered_map<std::uint64_t, std::unique_ptr<Chunk>> chunks_;
  // The chunk looked at last: readers stay in one for long.
  mutable std::uint64_t recent_key_ = nobody;
  mutable Chunk* recent_ = nullptr;
  std::uint64_t cached_pages_ = 0;
  List inactive_;
  List active_;

  std::uint64_t operation_ = 0;
  bool batch_open_ = false;
  std::vector<Run> runs_;
  std::size_t finished_runs_ = 0;  // lazy: runs_ before this one are complete
  std::vector<Wait> waits_;
  std::uint64_t copied_bytes_ = 0;
};

}  // namespace seekahead
