// Interface of everything that stores sectors: a disk, a RAID0 array, a flash drive, a fixed-latency teaching
// device.
//
// A device is clockwork without an engine: its user hands it requests, asks when something will next happen
// inside it and winds it forward. The request queue of the simulated kernel does that, so does the replay of
// a trace, so does a RAID0 with its members, so does a unit test. Devices include no SimGrid and keep no
// global state.
//
//     device.submit(now, request);
//     while ((t = device.next_event_ns()) != never_ns) { done.clear(); device.advance(t, done); ... }
//
// Two requests at the same moment are served in the order in which they were submitted.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/engine/units.hpp"

namespace seekahead {

struct DeviceRequest {
  std::uint64_t id = 0;  // the user's own number, given back in the completion
  SectorNumber lbn = 0;
  std::int64_t sectors = 0;  // > 0
  bool is_write = false;
};

// Where the time between submit and completion went; the parts add up to that time. `queue_ns` is waiting
// inside the device (for the bus, behind other requests in the drive).
struct ServiceTime {
  TimeNs overhead_ns = 0;
  TimeNs seek_ns = 0;
  TimeNs rotation_ns = 0;
  TimeNs transfer_ns = 0;  // media
  TimeNs bus_ns = 0;
  TimeNs queue_ns = 0;
  bool cache_hit = false;  // the whole request was served from (or accepted by) the drive's cache
};

struct Completion {
  std::uint64_t id = 0;
  TimeNs time_ns = 0;
  ServiceTime service;
};

// Where the head is, for traces and plots. `cylinder` < 0: the device has no head.
struct HeadPosition {
  std::int64_t cylinder = -1;
  std::int64_t head = 0;
};

class BlockDevice {
 public:
  virtual ~BlockDevice() = default;

  virtual std::int64_t capacity_sectors() const = 0;

  // How many requests the device holds at once (1 for IDE, the tagged queue depth for SCSI). The user waits
  // when so many are outstanding.
  virtual std::int64_t queue_depth() const = 0;

  // Largest request of one command, in sectors.
  virtual std::int64_t max_request_sectors() const = 0;

  // Hands over a request at `now`.
  // REQUIRES: now is not before any earlier submit or advance; 0 <= lbn, lbn + sectors <= capacity_sectors();
  // fewer than queue_depth() requests outstanding.
  virtual void submit(TimeNs now, const DeviceRequest& request) = 0;

  // The next moment at which something happens inside the device by itself, never_ns when it is idle for
  // good.
  virtual TimeNs next_event_ns() const = 0;

  // Carries out everything up to and including `now`, appending the requests that completed, in order of
  // time.
  virtual void advance(TimeNs now, std::vector<Completion>& done) = 0;

  virtual HeadPosition head_position() const { return {}; }

  // Time of one revolution; 0: nothing turns.
  virtual TimeNs rotation_ns() const { return 0; }
};

}  // namespace seekahead
