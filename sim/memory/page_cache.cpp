#include "sim/memory/page_cache.hpp"

#include <cstdlib>
#include <new>

namespace seekahead {

void PageCache::FreeDeleter::operator()(std::uint32_t* memory) const { std::free(memory); }

PageCache::PageCache(std::int64_t frames, bool insert_active)
    : insert_active_(insert_active), frames_(static_cast<std::size_t>(frames)), free_count_(frames) {
  free_.reserve(frames_.size());
  for (std::size_t id = frames_.size(); id > 0; --id) {
    free_.push_back(static_cast<FrameId>(id - 1));
  }
}

FileId PageCache::add_file(std::uint64_t pages) {
  // calloc: the index of a large file costs memory only where it is used.
  auto* slots = static_cast<std::uint32_t*>(std::calloc(pages == 0 ? 1 : pages, sizeof(std::uint32_t)));
  if (slots == nullptr) {
    throw std::bad_alloc();
  }
  files_.push_back({pages, 0, std::unique_ptr<std::uint32_t[], FreeDeleter>(slots)});
  return static_cast<FileId>(files_.size() - 1);
}

void PageCache::link_newest(FrameId id) {
  Frame& frame = frames_[id];
  frame.newer = no_frame;
  frame.older = newest_;
  (newest_ == no_frame ? oldest_ : frames_[newest_].newer) = id;
  newest_ = id;
}

void PageCache::link_oldest(FrameId id) {
  Frame& frame = frames_[id];
  frame.older = no_frame;
  frame.newer = oldest_;
  (oldest_ == no_frame ? newest_ : frames_[oldest_].older) = id;
  oldest_ = id;
}

void PageCache::unlink(FrameId id) {
  Frame& frame = frames_[id];
  (frame.newer == no_frame ? newest_ : frames_[frame.newer].older) = frame.older;
  (frame.older == no_frame ? oldest_ : frames_[frame.older].newer) = frame.newer;
}

FrameId PageCache::take() {
  if (!free_.empty()) {
    const FrameId id = free_.back();
    free_.pop_back();
    --free_count_;
    return id;
  }
  // What cannot go now is older than everything left on the list: it leaves the list and comes back to its
  // old end.
  while (oldest_ != no_frame && !frames_[oldest_].evictable()) {
    const FrameId id = oldest_;
    unlink(id);
    frames_[id].parked = true;
  }
  if (oldest_ == no_frame) {
    return no_frame;
  }
  const FrameId id = oldest_;
  ++evictions_;
  forget(id);
  return id;
}

void PageCache::insert(FrameId id, FileId file, PageIndex page, WindowClass window_class, bool read_in) {
  FileIndex& index = files_[file];
  std::uint32_t& slot = index.slots[page];
  if (slot >= first_ghost) {
    ++classes_[slot - first_ghost].pages_thrashed;
  }
  slot = id + 1;
  ++index.cached;
  Frame& frame = frames_[id];
  frame = Frame{};
  frame.page = page;
  frame.file = file;
  frame.window_class = window_class;
  frame.read_in = read_in;
  link_newest(id);
  set_active(id, insert_active_);
}

// Takes the page out of all lists; the frame belongs to the caller.
void PageCache::forget(FrameId id) {
  Frame& frame = frames_[id];
  FileIndex& index = files_[frame.file];
  const bool unused = frame.read_in && !frame.used;
  index.slots[frame.page] = unused ? first_ghost + static_cast<std::uint32_t>(frame.window_class) : 0;
  --index.cached;
  if (unused) {
    ++counters(frame.window_class).pages_wasted;
  }
  set_active(id, false);
  if (!frame.parked) {
    unlink(id);
  }
}

void PageCache::remove(FrameId id) {
  forget(id);
  give_back(id);
}

void PageCache::give_back(FrameId id) {
  free_.push_back(id);
  ++free_count_;
}

void PageCache::touch(FrameId id) {
  if (frames_[id].parked) {
    frames_[id].parked = false;
    link_newest(id);
  } else if (newest_ != id) {
    unlink(id);
    link_newest(id);
  }
}

void PageCache::now_evictable(FrameId id) {
  if (frames_[id].parked && frames_[id].evictable()) {
    frames_[id].parked = false;
    link_oldest(id);
  }
}

void PageCache::mark_used(FrameId id) {
  Frame& frame = frames_[id];
  if (!frame.used) {
    frame.used = true;
    if (frame.read_in) {
      ++counters(frame.window_class).pages_hit;
    }
  }
}

void PageCache::add_dirty(FrameId id, TimeNs due_ns) {
  Frame& frame = frames_[id];
  if (frame.dirty) {
    return;
  }
  frame.dirty = true;
  frame.due_ns = due_ns;
  frame.dirty_next = no_frame;
  frame.dirty_previous = dirty_newest_;
  (dirty_newest_ == no_frame ? dirty_oldest_ : frames_[dirty_newest_].dirty_next) = id;
  dirty_newest_ = id;
  ++dirty_count_;
}

void PageCache::remove_dirty(FrameId id) {
  Frame& frame = frames_[id];
  frame.dirty = false;
  (frame.dirty_previous == no_frame ? dirty_oldest_ : frames_[frame.dirty_previous].dirty_next) =
      frame.dirty_next;
  (frame.dirty_next == no_frame ? dirty_newest_ : frames_[frame.dirty_next].dirty_previous) =
      frame.dirty_previous;
  --dirty_count_;
}

void PageCache::set_active(FrameId id, bool active) {
  Frame& frame = frames_[id];
  if (frame.active != active) {
    frame.active = active;
    active_count_ += active ? 1 : -1;
  }
}

void PageCache::count_leftovers() {
  for (const FileIndex& index : files_) {
    for (std::uint64_t page = 0, left = static_cast<std::uint64_t>(index.cached); left > 0; ++page) {
      const FrameId id = frame_of(index.slots[page]);
      if (id != no_frame) {
        --left;
        if (frames_[id].read_in && !frames_[id].used) {
          ++counters(frames_[id].window_class).pages_wasted;
        }
      }
    }
  }
}

}  // namespace seekahead
