#include "sim/observe/recording.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace seekahead {

namespace {

constexpr std::size_t alignment = 64;

std::size_t aligned(std::size_t offset) { return (offset + alignment - 1) / alignment * alignment; }

bool wants(const std::vector<std::string>& tables, std::string_view name) {
  return std::find(tables.begin(), tables.end(), name) != tables.end();
}

std::uint8_t state_of(const Frame& frame) {
  const auto bit = [](bool is_set, std::uint8_t value) { return is_set ? value : std::uint8_t{0}; };
  return static_cast<std::uint8_t>(PageState::present_bit | bit(frame.uptodate, PageState::uptodate_bit) |
                                   bit(frame.marker, PageState::marker_bit) |
                                   bit(frame.referenced, PageState::referenced_bit) |
                                   bit(frame.active, PageState::active_bit));
}

bool write_all(int file, const char* bytes, std::size_t count) {
  while (count > 0) {
    const ssize_t n = ::write(file, bytes, count);
    if (n < 0 && errno != EINTR) {
      return false;
    }
    bytes += std::max<ssize_t>(n, 0);
    count -= static_cast<std::size_t>(std::max<ssize_t>(n, 0));
  }
  return true;
}

// The parts of a file in the making: where each table begins, and its bytes.
class Blob {
 public:
  template <class Row>
  void add(std::string_view name, const RecordedTable<Row>& table) {
    if (table.wanted()) {
      parts_.push_back({std::string(name), table.rows().size(), table.truncated(),
                        reinterpret_cast<const char*>(table.rows().data()),
                        table.rows().size() * sizeof(Row)});
    }
  }

  bool write(int file, const nlohmann::ordered_json& names) const {
    // Offsets are numbers inside the header whose length decides them: room for the longest ones.
    std::string head = header(std::size_t{1} << 60, names);
    const std::size_t begin = aligned(head.size() + 1);
    head = header(begin, names);
    head.resize(begin - 1, ' ');
    head += '\n';
    bool good = write_all(file, head.data(), head.size());
    for (const Part& part : parts_) {
      static constexpr std::array<char, alignment> zeros{};
      good = good && write_all(file, part.bytes, part.size) &&
             write_all(file, zeros.data(), aligned(part.size) - part.size);
    }
    return good;
  }

 private:
  struct Part {
    std::string name;
    std::size_t rows;
    bool truncated;
    const char* bytes;
    std::size_t size;
  };

  std::string header(std::size_t begin, const nlohmann::ordered_json& names) const {
    nlohmann::ordered_json tables = nlohmann::ordered_json::object();
    for (const Part& part : parts_) {
      tables[part.name] = {{"rows", part.rows}, {"offset", begin}, {"truncated", part.truncated}};
      begin += aligned(part.size);
    }
    return nlohmann::ordered_json({{"tables", tables}, {"names", names}}).dump();
  }

  std::vector<Part> parts_;
};

}  // namespace

std::uint16_t NameList::number_of(std::string_view name) {
  const auto found = numbers_.find(name);
  if (found != numbers_.end()) {
    return found->second;
  }
  names_.emplace_back(name);
  return numbers_[names_.back()] = static_cast<std::uint16_t>(names_.size() - 1);
}

Recorder::Recorder(const std::vector<std::string>& tables, std::size_t limit)
    : requests_(wants(tables, "requests"), limit),
      windows_(wants(tables, "windows"), limit),
      calls_(wants(tables, "calls"), limit),
      timeline_(wants(tables, "timeline"), limit),
      cache_(wants(tables, "cache"), limit) {
  for (const std::string& name : tables) {
    if (std::find(table_names.begin(), table_names.end(), name) == table_names.end()) {
      throw std::invalid_argument("no table is called " + name);
    }
  }
}

Recorder::Device& Recorder::device(std::string_view name, std::uint16_t& number) {
  number = device_names_.number_of(name);
  if (number >= devices_.size()) {
    devices_.resize(number + std::size_t{1});
  }
  return devices_[number];
}

void Recorder::moment(const RequestEvent& event, std::uint16_t number, const Device& device) {
  const PageCache* cache = memory_ == nullptr ? nullptr : &memory_->cache();
  timeline_.add({event.time_ns,
                 device.read_bytes,
                 device.written_bytes,
                 static_cast<std::uint32_t>(cache == nullptr ? 0 : cache->cached()),
                 static_cast<std::uint32_t>(cache == nullptr ? 0 : cache->dirty()),
                 static_cast<std::int32_t>(event.head.cylinder),
                 static_cast<std::uint32_t>(event.outstanding),
                 number,
                 {}});
}

void Recorder::request_queued(const RequestEvent& event) {
  std::uint16_t number = 0;
  const Device& at = device(event.device, number);
  moment(event, number, at);
}

void Recorder::request_started(const RequestEvent& event) {
  std::uint16_t number = 0;
  const Device& at = device(event.device, number);
  moment(event, number, at);
}

void Recorder::request_completed(const RequestEvent& event) {
  std::uint16_t number = 0;
  Device& at = device(event.device, number);
  const Request& request = *event.request;
  (request.is_write ? at.written_bytes : at.read_bytes) +=
      static_cast<std::uint64_t>(request.sectors) * sector_bytes;
  moment(event, number, at);
  const bool has_head = event.head.cylinder >= 0;
  requests_.add({request.queued_ns, request.dispatched_ns, event.time_ns, event.service.seek_ns,
                 event.service.rotation_ns, event.service.transfer_ns, event.service.bus_ns,
                 event.service.overhead_ns, static_cast<std::uint64_t>(request.start),
                 static_cast<std::uint32_t>(request.sectors), static_cast<std::int32_t>(event.head.cylinder),
                 has_head ? static_cast<std::int32_t>(event.head.head) : -1, number,
                 static_cast<std::uint8_t>(!request.is_write),
                 static_cast<std::uint8_t>(event.service.cache_hit)});
}

void Recorder::window(const WindowEvent& event) {
  const Submission& wish = event.wish;
  std::uint16_t number = 0;
  device(event.device, number);
  windows_.add(
      {event.time_ns, wish.start,
       wish.mark_at == Submission::no_mark ? -1 : static_cast<std::int64_t>(wish.start + wish.mark_at),
       event.file_position, static_cast<std::uint32_t>(wish.count),
       static_cast<std::uint32_t>(event.pages_read), static_cast<std::uint32_t>(wish.async_size),
       static_cast<std::uint32_t>(event.demand_pages), process_names_.number_of(event.process), number,
       file_names_.number_of(event.file), static_cast<std::uint8_t>(wish.window_class), 0});
}

void Recorder::call(const CallEvent& event) {
  calls_.add({event.start_ns,
              event.end_ns,
              event.position,
              event.bytes,
              process_names_.number_of(event.process),
              file_names_.number_of(event.file),
              static_cast<std::uint8_t>(call_names_.number_of(event.call)),
              {}});
}

void Recorder::record_cache() {
  if (memory_ == nullptr || !cache_.wanted()) {
    return;
  }
  const PageCache& cache = memory_->cache();
  for (std::size_t file = 0; file < memory_->files().size(); ++file) {
    const auto id = static_cast<FileId>(file);
    const std::uint16_t number = file_names_.number_of(memory_->file(id).name);
    const std::uint64_t pages = pages_for(memory_->file(id).size_bytes);
    std::int64_t left = cache.cached_of(id);
    for (PageIndex page = 0; page < pages && left > 0; ++page) {
      if (const FrameId frame = cache.find(id, page); frame != no_frame) {
        cache_.add({page, number, state_of(cache.frame(frame)), {}});
        --left;
      }
    }
  }
}

bool Recorder::write(int file) const {
  Blob blob;
  blob.add("requests", requests_);
  blob.add("windows", windows_);
  blob.add("calls", calls_);
  blob.add("timeline", timeline_);
  blob.add("cache", cache_);
  std::vector<std::string> classes;
  for (std::size_t i = 0; i < static_cast<std::size_t>(WindowClass::count_); ++i) {
    classes.emplace_back(window_class_name(static_cast<WindowClass>(i)));
  }
  return blob.write(file, {{"devices", device_names_.names()},
                           {"processes", process_names_.names()},
                           {"files", file_names_.names()},
                           {"calls", call_names_.names()},
                           {"classes", classes}});
}

}  // namespace seekahead
