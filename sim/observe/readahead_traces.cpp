// Traces of readahead: the kernel's debug lines, and its table of events at the end.
#include "sim/observe/kernel_log.hpp"
#include "sim/observe/readahead_events.hpp"
#include "sim/observe/traces.hpp"

namespace seekahead {

namespace {

class KernelLogTrace final : public Trace {
 public:
  explicit KernelLogTrace(OutputFile& file) : file_(file) {}

  void window(const WindowEvent& event) override {
    const std::string path = std::string(event.device) + "/" + std::string(event.file);
    file_.write(
        kernel_log_line({event.command, event.pid, path, event.file_position}, event.wish, event.pages_read) +
        "\n");
  }

 private:
  OutputFile& file_;
};

class ReadaheadEventsTrace final : public Trace {
 public:
  explicit ReadaheadEventsTrace(OutputFile& file) : file_(file) {}

  void window(const WindowEvent& event) override {
    events_.submitted(event.wish, event.pages_read, event.file_end);
  }
  void finish() override { file_.write(events_.text()); }

 private:
  OutputFile& file_;
  ReadaheadEvents events_;
};

}  // namespace

std::unique_ptr<Trace> make_kernel_log_trace(OutputFile& file) {
  return std::make_unique<KernelLogTrace>(file);
}

std::unique_ptr<Trace> make_readahead_events_trace(OutputFile& file) {
  return std::make_unique<ReadaheadEventsTrace>(file);
}

}  // namespace seekahead
