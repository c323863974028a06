// What observers (traces, logs, plots) may listen to. Every hook has an empty default; with no observer a
// step of the simulation pays one branch.
#pragma once

#include <cstdint>
#include <string_view>

#include "sim/block/elevator.hpp"
#include "sim/device/block_device.hpp"
#include "sim/engine/units.hpp"
#include "sim/file/page_cache_view.hpp"

namespace seekahead {

// One submission of a readahead policy.
struct WindowEvent {
  TimeNs time_ns = 0;
  std::string_view process;  // its name in the scenario
  std::string_view command;  // what it runs now: exec changes it
  std::int32_t pid = 0;
  std::string_view device;
  std::string_view file;
  std::uint64_t file_position = 0;  // of the descriptor, bytes; page faults do not move it
  PageIndex file_end = 0;           // pages of the file
  Submission wish;
  std::uint64_t pages_read = 0;    // of the wish, inserted and sent to the device
  std::uint64_t demand_pages = 0;  // of the wish, inside what the process's present read or fault asks for
};

struct RequestEvent {
  TimeNs time_ns = 0;
  std::string_view device;
  const Request* request = nullptr;
  ServiceTime service;  // of a completed request
  HeadPosition head;
  std::int64_t outstanding = 0;  // requests that wait or are served after this event
};

struct CallEvent {
  TimeNs start_ns = 0;
  TimeNs end_ns = 0;
  std::string_view process;
  std::string_view call;  // "read", "write", "fault", ...
  std::string_view file;
  std::uint64_t position = 0;
  std::uint64_t bytes = 0;
};

class Probe {
 public:
  virtual ~Probe() = default;
  virtual void window(const WindowEvent&) {}
  virtual void request_queued(const RequestEvent&) {}
  virtual void request_started(const RequestEvent&) {}
  virtual void request_completed(const RequestEvent&) {}
  virtual void call(const CallEvent&) {}
};

}  // namespace seekahead
