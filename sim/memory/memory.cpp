#include "sim/memory/memory.hpp"

#include <utility>

namespace seekahead {

Memory::Memory(Engine& engine, std::int64_t frames, const QueueRules& rules)
    : engine_(engine),
      rules_(rules),
      cache_(frames, rules.page_by_page),
      payload_next_(static_cast<std::size_t>(frames), no_payload) {}

FileId Memory::add_file(CachedFile file) {
  // One page more than the file has: old kernels insert a page of zeroes at its end.
  const FileId id = cache_.add_file(pages_for(file.size_bytes) + 1);
  files_.push_back(std::move(file));
  return id;
}

FrameId Memory::allocate() {
  FrameId id = cache_.take();
  while (id == no_frame) {
    ++memory_waits_;
    if (cache_.dirty() > 0 && pressure_) {
      pressure_();
    }
    id = cache_.take();
    if (id != no_frame) {
      break;
    }
    memory_waiters_.push_back(&engine_.current());
    unplug_all();  // lets others run, who may give a frame back
    engine_.block({"a free page frame", "", 0, false});
    id = cache_.take();
  }
  return id;
}

void Memory::give_back(FrameId id) {
  cache_.give_back(id);
  wake_for_memory();
}

void Memory::drop(FrameId id) {
  cache_.remove(id);
  wake_for_memory();
}

void Memory::submit(FrameId first, FrameId last, std::int64_t pages, bool is_write) {
  const Frame& head = cache_.frame(first);
  const CachedFile& file = files_[head.file];
  Bio bio;
  bio.start = file.start_sector + static_cast<SectorNumber>(head.page) * sectors_per_page;
  bio.sectors = pages * sectors_per_page;
  bio.is_write = is_write;
  bio.is_sync = !is_write;
  file.queue->submit({bio, first, last});
}

void Memory::write_page(FrameId id) {
  Frame& frame = cache_.frame(id);
  cache_.remove_dirty(id);
  frame.in_write = true;
  submit(id, id, 1, true);
}

void Memory::wait(FrameId id) {
  Frame& frame = cache_.frame(id);
  if (frame.uptodate && !frame.in_write) {
    return;
  }
  const CachedFile& file = files_[frame.file];
  unplug_for_wait(*file.queue);
  frame.waited_for = true;
  waiters_.push_back({id, &engine_.current()});
  engine_.block({"page", file.name, frame.page, true});
}

void Memory::unplug_all() {
  for (RequestQueue* queue : queues_) {
    queue->unplug();
  }
}

void Memory::unplug_for_wait(RequestQueue& queue) {
  if (rules_.unplug_all_on_wait) {
    unplug_all();
  } else {
    queue.unplug();
  }
}

void Memory::page_done(FrameId id, bool is_write) {
  Frame& frame = cache_.frame(id);
  if (is_write) {
    frame.in_write = false;
  } else {
    frame.uptodate = true;
  }
  if (frame.waited_for) {
    frame.waited_for = false;
    std::erase_if(waiters_, [&](const Waiter& waiter) {
      if (waiter.frame != id) {
        return false;
      }
      engine_.wake(*waiter.process);
      return true;
    });
  }
  cache_.now_evictable(id);
  if (frame.evictable()) {
    wake_for_memory();
  }
}

void Memory::wake_for_memory() {
  if (!memory_waiters_.empty()) {
    Process& first = *memory_waiters_.front();
    memory_waiters_.pop_front();  // before wake(), which lets others run
    engine_.wake(first);
  }
}

}  // namespace seekahead
