// The page cache: page frames in one flat array, a flat index of frames for every file, a least-recently-used
// list and the list of dirty pages. Plain data structure: it knows no engine and never waits
// (sim/memory/memory does).
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "sim/engine/units.hpp"
#include "sim/file/page_cache_view.hpp"

namespace seekahead {

using FrameId = std::uint32_t;
inline constexpr FrameId no_frame = ~FrameId{0};
using FileId = std::uint32_t;

// Counters of one window class.
struct ClassCounters {
  std::int64_t windows = 0;         // submissions
  std::int64_t pages_asked = 0;     // as the policy wished
  std::int64_t pages_read = 0;      // not cached yet, inside the file: sent to the device
  std::int64_t pages_hit = 0;       // used later
  std::int64_t pages_wasted = 0;    // evicted, or left at the end, without having been used
  std::int64_t pages_thrashed = 0;  // evicted unused and then wanted
};

struct Frame {
  PageIndex page = 0;
  FileId file = 0;
  FrameId newer = no_frame, older = no_frame;                // LRU neighbours
  FrameId dirty_next = no_frame, dirty_previous = no_frame;  // dirty list, oldest first
  TimeNs due_ns = 0;                                         // when kupdate writes it
  WindowClass window_class = WindowClass::other;
  bool uptodate : 1 = false;
  bool marker : 1 = false;
  bool referenced : 1 = false;
  bool active : 1 = false;
  bool dirty : 1 = false;
  bool in_write : 1 = false;    // on its way to the disk
  bool used : 1 = false;        // a process has had data of it
  bool read_in : 1 = false;     // came from the disk (not written first)
  bool parked : 1 = false;      // fell off the LRU list while it could not be evicted
  bool waited_for : 1 = false;  // some process waits for its I/O

  bool in_flight() const { return !uptodate; }
  bool evictable() const { return uptodate && !dirty && !in_write; }
};

class PageCache {
 public:
  // `insert_active`: new pages start on the active list (2.4) or on the inactive one (2.6).
  PageCache(std::int64_t frames, bool insert_active);

  FileId add_file(std::uint64_t pages);

  FrameId find(FileId file, PageIndex page) const {
    const FileIndex& index = files_[file];
    return page < index.pages ? frame_of(index.slots[page]) : no_frame;
  }
  Frame& frame(FrameId id) { return frames_[id]; }
  const Frame& frame(FrameId id) const { return frames_[id]; }

  // A free frame, or the least recently used one that may go, evicted; no_frame if there is none.
  FrameId take();

  // REQUIRES: `id` comes from take(); the page is absent and below the `pages` of add_file().
  void insert(FrameId id, FileId file, PageIndex page, WindowClass window_class, bool read_in);
  void give_back(FrameId id);      // a frame from take() that is not needed after all
  void remove(FrameId id);         // REQUIRES: evictable
  void touch(FrameId id);          // most recently used now
  void now_evictable(FrameId id);  // its I/O has ended or it was cleaned
  void mark_used(FrameId id);

  void add_dirty(FrameId id, TimeNs due_ns);  // no effect if it is dirty: it keeps its place
  void remove_dirty(FrameId id);
  FrameId oldest_dirty() const { return dirty_oldest_; }

  void set_active(FrameId id, bool active);

  std::int64_t frames() const { return static_cast<std::int64_t>(frames_.size()); }
  std::int64_t free_frames() const { return free_count_; }
  std::int64_t cached() const { return frames() - free_count_; }
  std::int64_t cached_of(FileId file) const { return files_[file].cached; }
  std::int64_t dirty() const { return dirty_count_; }
  std::int64_t active() const { return active_count_; }
  std::int64_t evictions() const { return evictions_; }

  std::array<ClassCounters, static_cast<std::size_t>(WindowClass::count_)>& classes() { return classes_; }
  ClassCounters& counters(WindowClass window_class) {
    return classes_[static_cast<std::size_t>(window_class)];
  }
  // Counts the pages still cached that nobody has used as wasted. Call once, at the end.
  void count_leftovers();

 private:
  // A slot of a file's index: 0 = absent, frame + 1, or a ghost: evicted unused, with the class that had read
  // it.
  static constexpr std::uint32_t first_ghost = ~std::uint32_t{0} - 255;
  static FrameId frame_of(std::uint32_t slot) {
    return slot == 0 || slot >= first_ghost ? no_frame : slot - 1;
  }

  struct FreeDeleter {
    void operator()(std::uint32_t* memory) const;
  };
  struct FileIndex {
    std::uint64_t pages = 0;
    std::int64_t cached = 0;
    std::unique_ptr<std::uint32_t[], FreeDeleter> slots;  // zero pages of the host until touched
  };

  void link_newest(FrameId id);
  void link_oldest(FrameId id);
  void unlink(FrameId id);
  void forget(FrameId id);

  bool insert_active_;
  std::vector<Frame> frames_;
  std::vector<FrameId> free_;
  std::vector<FileIndex> files_;
  FrameId newest_ = no_frame, oldest_ = no_frame;
  FrameId dirty_oldest_ = no_frame, dirty_newest_ = no_frame;
  std::int64_t free_count_ = 0;
  std::int64_t dirty_count_ = 0;
  std::int64_t active_count_ = 0;
  std::int64_t evictions_ = 0;
  std::array<ClassCounters, static_cast<std::size_t>(WindowClass::count_)> classes_{};
};

}  // namespace seekahead
