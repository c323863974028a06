// A flash drive or stick, as far as readahead can tell one from another: a command costs time, then the
// controller starts the channels that its pages lie on, one after the other; a started channel reads its
// pages by itself. When every channel has given its first page, the data crosses the interface.
//
//     overhead | start channel, channel, ... | page read | whole request over the interface
//
// A sequential read (pages read ahead) therefore takes
//     overhead + min(pages, channels) * channel_start + size / interface_rate
// which is what published tables of rate against readahead size look like. Erasing, garbage collection and
// wear are not modelled: rates are those of a fresh drive.
#include "models/device/flash.hpp"

#include <algorithm>
#include <functional>
#include <queue>
#include <vector>

#include "models/device/rate.hpp"

namespace seekahead {

void FlashParameters::visit(ParameterVisitor& v) {
  v.bytes("capacity", capacity_bytes, {sector_bytes, std::int64_t{1} << 60}, "size of the device",
          "data sheet");
  v.integer("channels", channels, {1, 1024}, "flash channels that work at the same time",
            "Intel X25-M: 10; others estimate");
  v.bytes("page", page_bytes, {sector_bytes, 1 << 20}, "unit that is read or programmed on a channel",
          "data sheet, estimate");
  v.time("page_read", page_read_ns, {0, ns_per_s}, "from the array of a chip into its register",
         "data sheet, estimate");
  v.time("page_program", page_program_ns, {0, ns_per_s}, "from the register of a chip into its array",
         "data sheet, estimate");
  v.boolean("prefetch", prefetch,
            "a read that begins where the one before it ended finds its pages read already", "estimate");
  v.time("command_overhead", command_overhead_ns, {0, ns_per_s}, "controller time of each command, in turn",
         "fitted to rate against size");
  v.time("channel_start", channel_start_ns, {0, ns_per_s},
         "controller time to set a channel to work, for each channel that a command needs",
         "fitted to rate against size");
  v.rate("interface_rate", interface_rate, {1, 1'000'000'000'000}, "between buffer and host",
         "fitted to rate against size");
  v.bytes("write_buffer", write_buffer_bytes, {0, 1 << 30},
          "writes complete when they are in a buffer of this size; \"0 B\": when they are programmed",
          "data sheet, estimate");
  v.integer("queue_depth", queue_depth, {1, 65536}, "commands the device holds at once (NCQ 32, USB 1)",
            "data sheet");
  v.bytes("max_request", max_request_bytes, {sector_bytes, 1 << 30}, "largest command", "ATA, LBA48");
}

void FlashParameters::check(const ProblemSink& problem) const {
  const auto whole_sectors = [&problem](const char* name, std::int64_t bytes) {
    if (bytes % sector_bytes != 0) {
      problem(name, "is not a multiple of the sector, 512 bytes");
    }
  };
  whole_sectors("capacity", capacity_bytes);
  whole_sectors("page", page_bytes);
  whole_sectors("max_request", max_request_bytes);
}

void FlashParameters::without_effect(const ProblemSink& unused) const {
  if (page_read_ns == 0) {
    unused("prefetch", "page_read is 0, so that there is nothing to gain");
  }
}

namespace {

// Written data that holds room in the buffer until it is programmed.
struct Programming {
  TimeNs end_ns;
  std::int64_t bytes;
};

struct Later {
  bool operator()(const Completion& a, const Completion& b) const { return a.time_ns > b.time_ns; }
};

// Every stage serves the commands in the order in which they came, so a command's whole course is known when
// it is submitted.
class Flash final : public BlockDevice {
 public:
  explicit Flash(const FlashParameters& p)
      : p_(p),
        page_sectors_(p.page_bytes / sector_bytes),
        channel_free_ns_(static_cast<std::size_t>(p.channels)) {}

  std::int64_t capacity_sectors() const override { return p_.capacity_bytes / sector_bytes; }
  std::int64_t queue_depth() const override { return p_.queue_depth; }
  std::int64_t max_request_sectors() const override { return p_.max_request_bytes / sector_bytes; }

  void submit(TimeNs now, const DeviceRequest& request) override {
    controller_free_ns_ = std::max(now, controller_free_ns_) + p_.command_overhead_ns;
    Completion c;
    c.id = request.id;
    c.service.overhead_ns = p_.command_overhead_ns;
    c.service.bus_ns = time_at_rate_ns(request.sectors * sector_bytes, p_.interface_rate);
    c.time_ns = request.is_write ? write(request, c.service) : read(request, c.service);
    const ServiceTime& s = c.service;
    c.service.queue_ns = c.time_ns - now - s.overhead_ns - s.transfer_ns - s.bus_ns;
    read_end_ = request.is_write ? -1 : request.lbn + request.sectors;
    outstanding_.push(c);
  }

  TimeNs next_event_ns() const override {
    return outstanding_.empty() ? never_ns : outstanding_.top().time_ns;
  }

  void advance(TimeNs now, std::vector<Completion>& done) override {
    while (!outstanding_.empty() && outstanding_.top().time_ns <= now) {
      done.push_back(outstanding_.top());
      outstanding_.pop();
    }
  }

 private:
  TimeNs& channel_of(std::int64_t page) {
    return channel_free_ns_[static_cast<std::size_t>(page % p_.channels)];
  }

  // The transfer to the host starts when the first stripe is gathered and cannot end before the last page is
  // there.
  TimeNs read(const DeviceRequest& request, ServiceTime& service) {
    const TimeNs page_ns = p_.prefetch && request.lbn == read_end_ ? 0 : p_.page_read_ns;
    const std::int64_t first = request.lbn / page_sectors_;
    const std::int64_t end = (request.lbn + request.sectors - 1) / page_sectors_ + 1;
    TimeNs gathered_ns = 0;
    TimeNs last_ns = 0;
    for (std::int64_t page = first; page < end; ++page) {
      TimeNs& channel = channel_of(page);
      if (page - first < p_.channels) {
        controller_free_ns_ += p_.channel_start_ns;
        channel = std::max(controller_free_ns_, channel) + page_ns;
        gathered_ns = std::max(gathered_ns, channel);
      } else {
        channel += page_ns;
      }
      last_ns = std::max(last_ns, channel);
    }
    const TimeNs start_ns = std::max(gathered_ns, interface_free_ns_);
    const TimeNs last_page_ns = std::min(service.bus_ns, time_at_rate_ns(p_.page_bytes, p_.interface_rate));
    interface_free_ns_ = std::max(start_ns + service.bus_ns, last_ns + last_page_ns);
    service.transfer_ns = page_ns + std::min(end - first, p_.channels) * p_.channel_start_ns;
    return interface_free_ns_;
  }

  TimeNs write(const DeviceRequest& request, ServiceTime& service) {
    const std::int64_t bytes = request.sectors * sector_bytes;
    interface_free_ns_ = std::max(room_for(bytes), interface_free_ns_) + service.bus_ns;
    const std::int64_t first = request.lbn / page_sectors_;
    const std::int64_t end = (request.lbn + request.sectors - 1) / page_sectors_ + 1;
    TimeNs programmed_ns = 0;
    for (std::int64_t page = first; page < end; ++page) {
      TimeNs& channel = channel_of(page);
      channel = std::max(interface_free_ns_, channel) + p_.page_program_ns;
      programmed_ns = std::max(programmed_ns, channel);
    }
    if (p_.write_buffer_bytes > 0) {
      buffered_.push_back({programmed_ns, bytes});
      buffered_bytes_ += bytes;
      return interface_free_ns_;
    }
    service.transfer_ns = p_.page_program_ns;
    return programmed_ns;
  }

  // When the controller has the command and the buffer has room for it (a command larger than the buffer
  // waits until it is empty).
  TimeNs room_for(std::int64_t bytes) {
    TimeNs when_ns = controller_free_ns_;
    std::sort(buffered_.begin(), buffered_.end(),
              [](const Programming& a, const Programming& b) { return a.end_ns < b.end_ns; });
    auto it = buffered_.begin();
    for (;
         it != buffered_.end() && (it->end_ns <= when_ns || buffered_bytes_ + bytes > p_.write_buffer_bytes);
         ++it) {
      when_ns = std::max(when_ns, it->end_ns);
      buffered_bytes_ -= it->bytes;
    }
    buffered_.erase(buffered_.begin(), it);
    return when_ns;
  }

  FlashParameters p_;
  std::int64_t page_sectors_;
  TimeNs controller_free_ns_ = 0;
  std::vector<TimeNs> channel_free_ns_;
  TimeNs interface_free_ns_ = 0;
  SectorNumber read_end_ = -1;  // behind the last read; -1: a write came since
  std::vector<Programming> buffered_;
  std::int64_t buffered_bytes_ = 0;
  std::priority_queue<Completion, std::vector<Completion>, Later> outstanding_;
};

}  // namespace

std::unique_ptr<BlockDevice> make_flash(const FlashParameters& parameters, const DeviceContext&) {
  return std::make_unique<Flash>(parameters);
}

}  // namespace seekahead
