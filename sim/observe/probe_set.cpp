#include "sim/observe/probe_set.hpp"

#include <functional>
#include <stdexcept>

#include "sim/text/output_file.hpp"

namespace seekahead {

struct ProbeSet::Member {
  std::unique_ptr<OutputFile> file;
  std::unique_ptr<Probe> probe;
};

namespace {

std::unique_ptr<Probe> make_probe(const std::string& format, OutputFile&) {
  throw std::logic_error("no trace format " + format);
}

}  // namespace

const std::vector<TraceFormat>& trace_formats() {
  static const std::vector<TraceFormat> formats;
  return formats;
}

ProbeSet::ProbeSet(const std::vector<TraceRequest>& traces) {
  for (const TraceRequest& trace : traces) {
    auto member = std::make_unique<Member>();
    member->file = std::make_unique<OutputFile>(trace.file);
    member->probe = make_probe(trace.format, *member->file);
    members_.push_back(std::move(member));
  }
}

ProbeSet::~ProbeSet() = default;

void ProbeSet::finish() {
  for (const auto& member : members_) {
    member->file->finish();
  }
}

void ProbeSet::window(const WindowEvent& event) {
  for (const auto& member : members_) {
    member->probe->window(event);
  }
}
void ProbeSet::request_queued(const RequestEvent& event) {
  for (const auto& member : members_) {
    member->probe->request_queued(event);
  }
}
void ProbeSet::request_started(const RequestEvent& event) {
  for (const auto& member : members_) {
    member->probe->request_started(event);
  }
}
void ProbeSet::request_completed(const RequestEvent& event) {
  for (const auto& member : members_) {
    member->probe->request_completed(event);
  }
}
void ProbeSet::call(const CallEvent& event) {
  for (const auto& member : members_) {
    member->probe->call(event);
  }
}

}  // namespace seekahead
