// The system calls of one simulated process: ProcessApi on top of the page cache, the readahead policy of
// each file's device and the rules of write-back.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "sim/engine/cpu_account.hpp"
#include "sim/engine/engine.hpp"
#include "sim/file/cache_view.hpp"
#include "sim/file/readahead_policy.hpp"
#include "sim/memory/memory.hpp"
#include "sim/memory/write_back.hpp"
#include "sim/observe/process_statistics.hpp"
#include "sim/workload/workload.hpp"

namespace seekahead {

// CPU costs of the machine.
struct CpuCosts {
  TimeNs per_page_ns = 0;  // copy and bookkeeping of a whole page; parts of a page in proportion
  TimeNs per_call_ns = 0;
  TimeNs per_fault_ns = 0;
  TimeNs granularity_ns = ns_per_ms;
};

// The simulated kernel as a process sees it.
struct Kernel {
  Engine& engine;
  Memory& memory;
  WriteBack& write_back;
  CpuCosts costs;
  std::vector<ReadaheadDevice*> readahead_of_file;  // by FileId
  std::vector<std::uint64_t> bytes_of_file;         // moved by calls; by FileId
  SubmissionRecord submissions;
  Probe* probe = nullptr;
};

class SystemCalls final : public ProcessApi {
 public:
  SystemCalls(Kernel& kernel, std::string process, std::string command, std::int32_t pid);
  ~SystemCalls() override;

  Descriptor open(const std::string& file) override;
  void close(Descriptor fd) override;
  std::uint64_t file_size(Descriptor fd) const override;
  std::uint64_t read(Descriptor fd, std::uint64_t position, std::uint64_t length) override;
  std::uint64_t write(Descriptor fd, std::uint64_t position, std::uint64_t length) override;
  void fsync(Descriptor fd) override;
  bool fault(Descriptor fd, PageIndex page) override;
  void fadvise(Descriptor fd, FileAdvice advice, std::uint64_t position, std::uint64_t length) override;
  void madvise(Descriptor fd, MapHint hint) override;
  void compute(TimeNs cpu_ns) override;
  void sleep(TimeNs span_ns) override;
  void exec(const std::string& command) override;
  TimeNs now_ns() const override { return cpu_.now_ns(); }

  // Pays what is owed; call at the end of the process.
  void finish() { cpu_.pay(); }
  const ProcessStatistics& statistics() const { return statistics_; }
  ProcessStatistics& statistics() { return statistics_; }

 private:
  struct OpenFile;
  OpenFile& opened(Descriptor fd) const { return *open_files_[static_cast<std::size_t>(fd)]; }
  void with_policy(OpenFile& file, const std::function<void()>& call);
  void begin_call(TimeNs cost_ns);
  void end_call(const char* name, FileId file, TimeNs start_ns, std::uint64_t position, std::uint64_t bytes);
  void write_page(FileId file, PageIndex page, std::uint64_t offset, std::uint64_t bytes);
  FrameId page_for_write(FileId file, PageIndex page, bool whole_page);

  Kernel& kernel_;
  ViewOwner owner_;
  CpuAccount cpu_;
  std::vector<std::unique_ptr<OpenFile>> open_files_;
  ProcessStatistics statistics_;
};

}  // namespace seekahead
