// Keeps what happens in a run as tables of plain records, for those who look at a run row by row (the Python
// package). A record is packed, little endian, and the same on every machine; the columns device, process,
// file, call and window_class index lists of names.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "sim/memory/memory.hpp"
#include "sim/observe/probe.hpp"

namespace seekahead {

#pragma pack(push, 1)

// A completed request, in order of completion.
struct RecordedRequest {
  TimeNs queued_ns, started_ns, completed_ns;
  TimeNs seek_ns, rotation_ns, transfer_ns, bus_ns, overhead_ns;
  std::uint64_t sector;
  std::uint32_t sectors;
  std::int32_t cylinder, head;  // of the arm when it was completed; -1: no mechanics
  std::uint16_t device;
  std::uint8_t is_read, cache_hit;
};

// A submission of a readahead policy.
struct RecordedWindow {
  TimeNs time_ns;
  std::uint64_t start;          // page
  std::int64_t marker;          // page that got the marker; -1: none
  std::uint64_t file_position;  // of the descriptor, bytes
  std::uint32_t pages, pages_read, async_pages;
  std::uint32_t demand_pages;  // of `pages`, those that the process's present call asks for
  std::uint16_t process, device, file;
  std::uint8_t window_class, reserved;
};

// A system call or page fault.
struct RecordedCall {
  TimeNs start_ns, end_ns;
  std::uint64_t position, bytes;
  std::uint16_t process, file;
  std::uint8_t call;
  std::array<std::uint8_t, 3> reserved;
};

// The state whenever a request was queued, started or completed.
struct RecordedMoment {
  TimeNs time_ns;
  std::uint64_t read_bytes, written_bytes;  // of the device, completed so far
  std::uint32_t cached_pages, dirty_pages;
  std::int32_t cylinder;
  std::uint32_t queue_depth;  // requests of the device that wait or are served
  std::uint16_t device;
  std::array<std::uint8_t, 2> reserved;
};

// A page that is cached at the end.
struct RecordedPage {
  std::uint64_t page;
  std::uint16_t file;
  std::uint8_t state;  // PageState::bits()
  std::array<std::uint8_t, 5> reserved;
};

#pragma pack(pop)

static_assert(sizeof(RecordedRequest) == 88 && sizeof(RecordedWindow) == 56 && sizeof(RecordedCall) == 40 &&
              sizeof(RecordedMoment) == 44 && sizeof(RecordedPage) == 16);

// Rows up to a limit; what comes later only says that it came.
template <class Row>
class RecordedTable {
 public:
  RecordedTable(bool wanted, std::size_t limit) : wanted_(wanted), limit_(limit) {}

  void add(const Row& row) {
    if (wanted_ && rows_.size() < limit_) {
      rows_.push_back(row);
    } else {
      truncated_ = wanted_;
    }
  }
  bool wanted() const { return wanted_; }
  bool truncated() const { return truncated_; }
  const std::vector<Row>& rows() const { return rows_; }

 private:
  bool wanted_;
  std::size_t limit_;
  bool truncated_ = false;
  std::vector<Row> rows_;
};

// Names in order of first appearance, and their numbers.
class NameList {
 public:
  std::uint16_t number_of(std::string_view name);
  const std::deque<std::string>& names() const { return names_; }

 private:
  std::deque<std::string> names_;  // a deque: the keys of the map point into it
  std::unordered_map<std::string_view, std::uint16_t> numbers_;
};

class Recorder final : public Probe {
 public:
  static constexpr std::array<std::string_view, 5> table_names = {"requests", "windows", "calls", "timeline",
                                                                  "cache"};

  // Keeps the tables that are named, up to `limit` rows each.
  // Throws std::invalid_argument for a name that is none of table_names.
  Recorder(const std::vector<std::string>& tables, std::size_t limit);

  // Before the run: where cached and dirty pages are counted. REQUIRES: it outlives the run.
  void watch(const Memory& memory) { memory_ = &memory; }
  // After the run: the pages that are cached.
  void record_cache();

  void window(const WindowEvent& event) override;
  void request_queued(const RequestEvent& event) override;
  void request_started(const RequestEvent& event) override;
  void request_completed(const RequestEvent& event) override;
  void call(const CallEvent& event) override;

  const RecordedTable<RecordedRequest>& requests() const { return requests_; }
  const RecordedTable<RecordedWindow>& windows() const { return windows_; }
  const RecordedTable<RecordedCall>& calls() const { return calls_; }
  const RecordedTable<RecordedMoment>& timeline() const { return timeline_; }
  const RecordedTable<RecordedPage>& cache() const { return cache_; }

  // Writes everything to a file descriptor: a line of JSON
  //   {"tables": {name: {"rows": n, "offset": bytes from the start, "truncated": bool}}, "names": {...}}
  // padded with blanks, then the tables, each at a multiple of 64 bytes. False: it could not be written.
  bool write(int file) const;

 private:
  struct Device {
    std::uint64_t read_bytes = 0, written_bytes = 0;
  };
  Device& device(std::string_view name, std::uint16_t& number);
  void moment(const RequestEvent& event, std::uint16_t number, const Device& device);

  RecordedTable<RecordedRequest> requests_;
  RecordedTable<RecordedWindow> windows_;
  RecordedTable<RecordedCall> calls_;
  RecordedTable<RecordedMoment> timeline_;
  RecordedTable<RecordedPage> cache_;
  NameList device_names_, process_names_, file_names_, call_names_;
  std::vector<Device> devices_;
  const Memory* memory_ = nullptr;
};

}  // namespace seekahead
