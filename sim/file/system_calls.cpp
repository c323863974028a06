#include "sim/file/system_calls.hpp"

#include <algorithm>
#include <stdexcept>

namespace seekahead {

struct SystemCalls::OpenFile {
  FileId file;
  std::unique_ptr<ReadaheadPolicy> policy;
  CacheView view;
};

SystemCalls::SystemCalls(Kernel& kernel, std::string process, std::string command, std::int32_t pid)
    : kernel_(kernel),
      owner_{std::move(process), std::move(command), pid, kernel.costs.per_page_ns},
      cpu_(kernel.engine, kernel.costs.granularity_ns) {}

SystemCalls::~SystemCalls() = default;

void SystemCalls::begin_call(TimeNs cost_ns) {
  if (kernel_.engine.stopped()) {
    throw ProcessStopped();
  }
  cpu_.charge(cost_ns);
}

void SystemCalls::end_call(const char* name, FileId file, TimeNs start_ns, std::uint64_t position,
                           std::uint64_t bytes) {
  const TimeNs end_ns = cpu_.now_ns();
  if (kernel_.engine.stopped()) {  // it ended after the cut: not counted
    throw ProcessStopped();
  }
  statistics_.latency.add(end_ns - start_ns);
  kernel_.bytes_of_file[file] += bytes;
  statistics_.cpu_ns = cpu_.total_ns();
  if (kernel_.probe != nullptr) {
    kernel_.probe->call(
        {start_ns, end_ns, owner_.process, name, kernel_.memory.file(file).name, position, bytes});
  }
}

// Runs a call of the policy. What it gathered is sent in any case: others may wait for those pages, even when
// this process is being stopped. Nothing may block inside a handler (exceptions belong to the thread, not to
// the process).
void SystemCalls::with_policy(OpenFile& file, const std::function<void()>& call) {
  bool is_stopped = false;
  try {
    call();
  } catch (const ProcessStopped&) {
    is_stopped = true;
  }
  file.view.close_batch();
  if (is_stopped) {
    throw ProcessStopped();
  }
}

Descriptor SystemCalls::open(const std::string& name) {
  begin_call(kernel_.costs.per_call_ns);
  const std::vector<CachedFile>& files = kernel_.memory.files();
  const auto found =
      std::find_if(files.begin(), files.end(), [&](const CachedFile& f) { return f.name == name; });
  if (found == files.end()) {
    throw std::runtime_error("process " + owner_.process +
                             " opens a file that the scenario does not have: " + name);
  }
  const auto file = static_cast<FileId>(found - files.begin());
  std::unique_ptr<ReadaheadPolicy> policy = kernel_.readahead_of_file[file]->open();
  const CacheView view(kernel_.memory, cpu_, file, owner_, *policy,
                       {statistics_, kernel_.submissions, kernel_.probe});
  open_files_.push_back(std::make_unique<OpenFile>(OpenFile{file, std::move(policy), view}));
  return static_cast<Descriptor>(open_files_.size() - 1);
}

void SystemCalls::close(Descriptor fd) {
  begin_call(kernel_.costs.per_call_ns);
  OpenFile& file = opened(fd);
  file.policy->close(file.view, file.view.position());
}

std::uint64_t SystemCalls::file_size(Descriptor fd) const {
  return kernel_.memory.file(opened(fd).file).size_bytes;
}

std::uint64_t SystemCalls::read(Descriptor fd, std::uint64_t position, std::uint64_t length) {
  const TimeNs start_ns = cpu_.now_ns();
  begin_call(kernel_.costs.per_call_ns);
  OpenFile& file = opened(fd);
  std::uint64_t bytes = 0;
  file.view.set_demand(position / page_bytes, pages_for(position + length));
  with_policy(file, [&] { bytes = length == 0 ? 0 : file.policy->read(file.view, position, length); });
  file.view.set_position(position + bytes);
  end_call("read", file.file, start_ns, position, bytes);
  ++statistics_.reads;
  statistics_.bytes_read += bytes;
  return bytes;
}

bool SystemCalls::fault(Descriptor fd, PageIndex page) {
  const TimeNs start_ns = cpu_.now_ns();
  begin_call(kernel_.costs.per_fault_ns);
  OpenFile& file = opened(fd);
  bool good = false;
  file.view.set_demand(page, page + 1);
  with_policy(file, [&] { good = file.policy->fault(file.view, page); });
  if (good) {
    file.view.touch_mapped(page);
  }
  end_call("fault", file.file, start_ns, page * page_bytes, good ? page_bytes : 0);
  ++statistics_.faults;
  statistics_.bytes_read += good ? page_bytes : 0;
  return good;
}

void SystemCalls::fadvise(Descriptor fd, FileAdvice advice, std::uint64_t position, std::uint64_t length) {
  begin_call(kernel_.costs.per_call_ns);
  OpenFile& file = opened(fd);
  file.view.set_demand(0, 0);
  with_policy(file, [&] { file.policy->fadvise(file.view, advice, position, length); });
}

void SystemCalls::madvise(Descriptor fd, MapHint hint) {
  begin_call(kernel_.costs.per_call_ns);
  OpenFile& file = opened(fd);
  file.policy->madvise(file.view, hint);
}

// --- writing: rules A2 of 2.4.5

std::uint64_t SystemCalls::write(Descriptor fd, std::uint64_t position, std::uint64_t length) {
  const TimeNs start_ns = cpu_.now_ns();
  begin_call(kernel_.costs.per_call_ns);
  const FileId file = opened(fd).file;
  const std::uint64_t size = kernel_.memory.file(file).size_bytes;
  const std::uint64_t end = position >= size ? position : position + std::min(length, size - position);
  for (std::uint64_t at = position; at < end;) {
    const std::uint64_t offset = at % page_bytes;
    const std::uint64_t bytes = std::min(page_bytes - offset, end - at);
    write_page(file, at / page_bytes, offset, bytes);
    at += bytes;
  }
  end_call("write", file, start_ns, position, end - position);
  ++statistics_.writes;
  statistics_.bytes_written += end - position;
  return end - position;
}

void SystemCalls::write_page(FileId file, PageIndex page, std::uint64_t offset, std::uint64_t bytes) {
  PageCache& cache = kernel_.memory.cache();
  const FrameId id = page_for_write(file, page, bytes == page_bytes);
  cache.touch(id);
  cache.frame(id).used = true;
  cpu_.charge(kernel_.costs.per_page_ns * static_cast<TimeNs>(bytes) / static_cast<TimeNs>(page_bytes));
  // Charging may let time pass; the page is found again, for it may have been written out and evicted.
  const FrameId now_id = cache.find(file, page) == id ? id : page_for_write(file, page, true);
  const bool was_dirty = cache.frame(now_id).dirty;
  cache.add_dirty(now_id, kernel_.engine.now_ns() + kernel_.write_back.age_ns());
  if (offset + bytes == page_bytes) {
    cache.set_active(now_id, false);
  }
  if (!was_dirty) {
    kernel_.write_back.balance();
  }
}

// The page's frame, up to date where the write leaves old data: a partial write of an absent page reads it
// first.
FrameId SystemCalls::page_for_write(FileId file, PageIndex page, bool whole_page) {
  Memory& memory = kernel_.memory;
  PageCache& cache = memory.cache();
  while (true) {
    FrameId id = cache.find(file, page);
    if (id == no_frame) {
      cpu_.pay();
      id = memory.allocate();
      if (cache.find(file, page) != no_frame) {
        memory.give_back(id);
        continue;
      }
      cache.insert(id, file, page, WindowClass::page, !whole_page);
      if (whole_page) {
        cache.frame(id).uptodate = true;
      } else {
        cache.frame(id).used = true;
        memory.submit(id, id, 1, false);
      }
    }
    if (!cache.frame(id).in_flight()) {
      return id;
    }
    cpu_.pay();
    if (cache.find(file, page) == id && cache.frame(id).in_flight()) {
      memory.wait(id);
    }
  }
}

void SystemCalls::fsync(Descriptor fd) {
  begin_call(kernel_.costs.per_call_ns);
  cpu_.pay();
  const FileId file = opened(fd).file;
  Memory& memory = kernel_.memory;
  PageCache& cache = memory.cache();
  std::vector<PageIndex> pages;  // in the order in which they became dirty
  for (FrameId id = cache.oldest_dirty(); id != no_frame; id = cache.frame(id).dirty_next) {
    if (cache.frame(id).file == file) {
      pages.push_back(cache.frame(id).page);
    }
  }
  for (const PageIndex page : pages) {
    const FrameId id = cache.find(file, page);
    if (id != no_frame && cache.frame(id).dirty) {
      if (cache.frame(id).in_write) {
        memory.wait(id);
      }
      const FrameId again = cache.find(file, page);
      if (again != no_frame && cache.frame(again).dirty && !cache.frame(again).in_write) {
        memory.write_page(again);
      }
    }
  }
  for (const PageIndex page : pages) {
    const FrameId id = cache.find(file, page);
    if (id != no_frame && cache.frame(id).in_write) {
      memory.wait(id);
    }
  }
}

void SystemCalls::compute(TimeNs cpu_ns) {
  begin_call(0);
  cpu_.charge(cpu_ns);
}

void SystemCalls::sleep(TimeNs span_ns) {
  begin_call(0);
  cpu_.pay();
  kernel_.engine.sleep(span_ns);
}

// Descriptors and their readahead state stay, as those of the program file itself do in exec(2).
void SystemCalls::exec(const std::string& command) {
  begin_call(kernel_.costs.per_call_ns);
  owner_.command = command;
}

}  // namespace seekahead
