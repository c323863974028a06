// The observers that `--trace FORMAT:FILE` asked for, behind one Probe.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "sim/observe/probe.hpp"

namespace seekahead {

// FORMAT:FILE of --trace, already split.
struct TraceRequest {
  std::string format;
  std::string file;
};

// Formats that --trace accepts, with one line of help each.
struct TraceFormat {
  std::string_view name;
  std::string_view help;
};
const std::vector<TraceFormat>& trace_formats();

class ProbeSet : public Probe {
 public:
  // REQUIRES: every format is one of trace_formats(). Throws std::runtime_error when a file cannot be
  // written.
  explicit ProbeSet(const std::vector<TraceRequest>& traces);
  ~ProbeSet() override;

  // Another listener, which must outlive this.
  void add(Probe& listener) { listeners_.push_back(&listener); }

  // Null when nobody listens.
  Probe* probe() { return listeners_.empty() ? nullptr : this; }
  // Puts the finished files in place; until then they have temporary names. Throws std::runtime_error.
  void finish();

  void window(const WindowEvent& event) override;
  void request_queued(const RequestEvent& event) override;
  void request_started(const RequestEvent& event) override;
  void request_completed(const RequestEvent& event) override;
  void call(const CallEvent& event) override;

 private:
  struct Member;
  std::vector<std::unique_ptr<Member>> members_;  // the traces asked for
  std::vector<Probe*> listeners_;                 // theirs and those added
};

}  // namespace seekahead
