// Page frames with time: allocation that waits for memory, page I/O through the request queues, waiting for
// pages. All functions that may wait say so; they are called inside a simulated process.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <vector>

#include "sim/block/request_queue.hpp"
#include "sim/engine/engine.hpp"
#include "sim/memory/page_cache.hpp"

namespace seekahead {

// A file as the page cache needs it: contiguous on its device.
struct CachedFile {
  std::string name;
  RequestQueue* queue = nullptr;
  SectorNumber start_sector = 0;
  std::uint64_t size_bytes = 0;
};

class Memory {
 public:
  Memory(Engine& engine, std::int64_t frames, const QueueRules& rules);

  void add_queue(RequestQueue& queue) { queues_.push_back(&queue); }
  FileId add_file(CachedFile file);
  const CachedFile& file(FileId id) const { return files_[id]; }
  const std::vector<CachedFile>& files() const { return files_; }
  PageCache& cache() { return cache_; }
  const PageCache& cache() const { return cache_; }
  std::vector<Payload>& payload_next() { return payload_next_; }
  const QueueRules& rules() const { return rules_; }

  // Called when no frame can be had: should get dirty pages written. May wait.
  void on_pressure(std::function<void()> callback) { pressure_ = std::move(callback); }

  // A frame if one is free or can be evicted at once, else no_frame.
  FrameId try_allocate() { return cache_.take(); }
  // Waits until there is one. The caller must not hold back unsent I/O: others may need it to go on.
  FrameId allocate();

  // A frame that was not needed after all, or an evictable page that is dropped: others may wait for memory.
  void give_back(FrameId id);
  void drop(FrameId id);

  // Sends pages that are consecutive in their file: a chain through payload_next from `first` to `last`. May
  // wait for request slots.
  void submit(FrameId first, FrameId last, std::int64_t pages, bool is_write);

  // Writes one dirty page (its dirty mark goes at once). May wait for request slots.
  void write_page(FrameId id);

  // Waits for the end of the page's I/O, if it has any. The frame may have been evicted on return.
  void wait(FrameId id);
  void unplug_all();
  // What a task that is about to wait for a page of this queue does: 2.4 starts all disks, 2.6 only this one.
  void unplug_for_wait(RequestQueue& queue);

  void page_done(FrameId id, bool is_write);

  // Pages that have passed the old end of the list: adaptive readahead's clock.
  std::uint64_t aging() const { return static_cast<std::uint64_t>(cache_.evictions()); }
  std::int64_t memory_waits() const { return memory_waits_; }

 private:
  struct Waiter {
    FrameId frame;
    Process* process;
  };
  void wake_for_memory();

  Engine& engine_;
  QueueRules rules_;
  PageCache cache_;
  std::vector<Payload> payload_next_;
  std::vector<CachedFile> files_;
  std::vector<RequestQueue*> queues_;
  std::vector<Waiter> waiters_;
  std::deque<Process*> memory_waiters_;
  std::function<void()> pressure_;
  std::int64_t memory_waits_ = 0;
};

}  // namespace seekahead
