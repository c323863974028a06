// Interface of a workload: what one simulated process does, written as straight code. run() is called on the
// process's own stack; every call of ProcessApi may take simulated time and returns when it is over.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/engine/units.hpp"
#include "sim/file/advice.hpp"

namespace seekahead {

// A file descriptor of the simulated process.
using Descriptor = int;

// The system calls and the CPU of one process. Positions and lengths in bytes.
class ProcessApi {
 public:
  virtual ~ProcessApi() = default;

  // Opens a file of the scenario by its name. REQUIRES: the scenario has it (checked before the run).
  virtual Descriptor open(const std::string& file) = 0;
  virtual void close(Descriptor fd) = 0;
  virtual std::uint64_t file_size(Descriptor fd) const = 0;

  // Both return the bytes moved: fewer than `length` only at end of file (read) or end of the file's space
  // (write).
  virtual std::uint64_t read(Descriptor fd, std::uint64_t position, std::uint64_t length) = 0;
  virtual std::uint64_t write(Descriptor fd, std::uint64_t position, std::uint64_t length) = 0;
  virtual void fsync(Descriptor fd) = 0;

  // Touches one page of a shared mapping of the whole file. False: beyond the end (SIGBUS).
  virtual bool fault(Descriptor fd, PageIndex page) = 0;
  virtual void fadvise(Descriptor fd, FileAdvice advice, std::uint64_t position, std::uint64_t length) = 0;
  virtual void madvise(Descriptor fd, MapHint hint) = 0;

  // Uses the CPU for that long (several processes contend for the cores) / waits without using it.
  virtual void compute(TimeNs cpu_ns) = 0;
  virtual void sleep(TimeNs span_ns) = 0;

  virtual TimeNs now_ns() const = 0;

  // Becomes another program: same pid, same open files, another command name in the kernel's log.
  virtual void exec(const std::string& command) = 0;
};

class Workload {
 public:
  virtual ~Workload() = default;
  virtual void run(ProcessApi& process) = 0;
};

}  // namespace seekahead
