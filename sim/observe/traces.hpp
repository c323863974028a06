// The observers that write a file: one for each format of --trace.
#pragma once

#include <memory>

#include "sim/observe/probe.hpp"
#include "sim/text/output_file.hpp"

namespace seekahead {

// A probe that may have more to write when the run has ended.
class Trace : public Probe {
 public:
  virtual void finish() {}
};

// `file` must outlive the trace.
std::unique_ptr<Trace> make_kernel_log_trace(OutputFile& file);
std::unique_ptr<Trace> make_readahead_events_trace(OutputFile& file);
std::unique_ptr<Trace> make_requests_csv_trace(OutputFile& file);

}  // namespace seekahead
