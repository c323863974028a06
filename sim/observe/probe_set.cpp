#include "sim/observe/probe_set.hpp"

#include <stdexcept>

#include "sim/observe/traces.hpp"

namespace seekahead {

struct ProbeSet::Member {
  std::unique_ptr<OutputFile> file;
  std::unique_ptr<Trace> trace;
};

namespace {

struct Maker {
  TraceFormat format;
  std::unique_ptr<Trace> (*make)(OutputFile& file);
};

constexpr Maker makers[] = {
    {{"kernel-log", "the kernel's debug line for every readahead submission"}, make_kernel_log_trace},
    {{"readahead-events", "the kernel's table of readahead events by class"}, make_readahead_events_trace},
    {{"requests-csv", "a row for every request of the block layer"}, make_requests_csv_trace},
};

std::unique_ptr<Trace> make_trace(const std::string& format, OutputFile& file) {
  for (const Maker& maker : makers) {
    if (maker.format.name == format) {
      return maker.make(file);
    }
  }
  throw std::logic_error("no trace format " + format);
}

}  // namespace

const std::vector<TraceFormat>& trace_formats() {
  static const std::vector<TraceFormat> formats = [] {
    std::vector<TraceFormat> all;
    for (const Maker& maker : makers) {
      all.push_back(maker.format);
    }
    return all;
  }();
  return formats;
}

ProbeSet::ProbeSet(const std::vector<TraceRequest>& traces) {
  for (const TraceRequest& trace : traces) {
    auto member = std::make_unique<Member>();
    member->file = std::make_unique<OutputFile>(trace.file);
    member->trace = make_trace(trace.format, *member->file);
    listeners_.push_back(member->trace.get());
    members_.push_back(std::move(member));
  }
}

ProbeSet::~ProbeSet() = default;

void ProbeSet::finish() {
  for (const auto& member : members_) {
    member->trace->finish();
    member->file->finish();
  }
}

void ProbeSet::window(const WindowEvent& event) {
  for (Probe* listener : listeners_) {
    listener->window(event);
  }
}
void ProbeSet::request_queued(const RequestEvent& event) {
  for (Probe* listener : listeners_) {
    listener->request_queued(event);
  }
}
void ProbeSet::request_started(const RequestEvent& event) {
  for (Probe* listener : listeners_) {
    listener->request_started(event);
  }
}
void ProbeSet::request_completed(const RequestEvent& event) {
  for (Probe* listener : listeners_) {
    listener->request_completed(event);
  }
}
void ProbeSet::call(const CallEvent& event) {
  for (Probe* listener : listeners_) {
    listener->call(event);
  }
}

}  // namespace seekahead
