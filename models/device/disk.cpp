#include "models/device/disk.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "models/device/drive_queue.hpp"
#include "models/device/media_reader.hpp"
#include "models/device/media_writer.hpp"
#include "models/device/segment_cache.hpp"
#include "models/device/write_buffer.hpp"

namespace seekahead {

namespace {

// A command with what its service took.
struct Service {
  Command command;
  Moment begun = 0;  // when the drive turned to it
  Moment completion = 0;
  double overhead_ns = 0;
  Positioning positioning;
  bool cache_hit = false;
};

// A write accepted by a segment and not yet on the media.
struct DirtyWrite {
  SectorNumber end;
  std::size_t segment;
  Moment finish;  // on the media
};

struct Overhead {
  double hit;
  double miss;
};

class Disk : public BlockDevice {
 public:
  Disk(const DiskParameters& p, double start_angle, std::shared_ptr<SharedBus> in,
       std::shared_ptr<SharedBus> out)
      : parameters_(p),
        mechanism_(p.geometry, p.mechanics, start_angle),
        cache_(p.cache),
        reader_(mechanism_, p.cache, cache_, heads_),
        writer_(mechanism_, p.cache.zero_latency_write, heads_),
        buffer_(mechanism_, p.cache.write_buffer_sectors, heads_),
        bus_in_(p.bus, std::move(in)),
        bus_out_(p.bus, std::move(out)),
        to_host_(bus_in_),
        to_drive_(bus_out_),
        queue_(p.queue.scheduling, mechanism_, heads_) {}

  std::int64_t capacity_sectors() const override { return mechanism_.geometry().capacity(); }
  std::int64_t queue_depth() const override { return parameters_.queue.depth; }
  std::int64_t max_request_sectors() const override {
    return seekahead::max_request_sectors(parameters_.bus);
  }
  HeadPosition head_position() const override { return {seen_.cylinder, seen_.head}; }
  TimeNs rotation_ns() const override { return static_cast<TimeNs>(std::llround(mechanism_.rotation_ns())); }

  void submit(TimeNs now, const DeviceRequest& request) override {
    Command command;
    command.request = request;
    command.submitted_ns = now;
    bus_out_.forget(static_cast<Moment>(now));
    bus_in_.forget(static_cast<Moment>(now));
    command.arrival = bus_out_.command_arrives(static_cast<Moment>(now)) +
                      static_cast<double>(parameters_.overhead.per_request_ns);
    if (active_ && parameters_.bus.kind == "scsi") {
      // The bus that carries the command carries the data of the one before.
      const BusProgress& data = active_->command.request.is_write ? to_drive_ : to_host_;
      command.arrival = std::max(command.arrival, data.busy_until(command.arrival));
    }
    command.after_write = last_was_write_;
    queue_.push(command);
    if (!active_) {
      turn_to_next(static_cast<Moment>(now));
    }
  }

  TimeNs next_event_ns() const override { return active_ ? completion_ns_ : wake_ns_; }

  void advance(TimeNs now, std::vector<Completion>& done) override {
    while (next_event_ns() <= now) {
      if (active_) {
        done.push_back(completion_of(*active_));
        last_was_write_ = active_->command.request.is_write;
        active_.reset();
        seen_ = arm();
        turn_to_next(static_cast<Moment>(completion_ns_));
      } else {
        turn_to_next(wake_);
      }
    }
  }

 private:
  // Chooses the next command and serves it. While written data is on its way to the media only a write that
  // appends to it is served; the choice among others is made when the heads are free.
  void turn_to_next(Moment now) {
    wake_ns_ = never_ns;
    if (queue_.empty()) {
      return;
    }
    now = std::max(now, queue_.first_arrival());
    wind(now);
    seen_ = arm();
    if (dirty_.empty()) {
      serve(queue_.pop(now), now);
    } else if (accepts_append(now)) {
      serve(queue_.pop_next(), now);
    } else {
      wake_ = dirty_.back().finish;
      wake_ns_ = static_cast<TimeNs>(std::llround(wake_));
    }
  }

  bool accepts_append(Moment now) const {
    return (parameters_.cache.fast_write_level > 1 || queue_.size() == 1) && appends(queue_.next(), now);
  }

  void serve(const Command& command, Moment now) {
    Service service;
    service.command = command;
    service.begun = now;
    if (!service.command.request.is_write) {
      serve_read(service);
    } else if (parameters_.cache.write_buffer_sectors > 0) {
      serve_buffered_write(service);
    } else {
      serve_write(service);
    }
    completion_ns_ = static_cast<TimeNs>(std::llround(service.completion));
    active_ = service;
  }

  Overhead overhead(const Command& c) const {
    const OverheadParameters& o = parameters_.overhead;
    TimeNs hit = c.after_write ? o.read_hit_after_write_ns : o.read_hit_after_read_ns;
    TimeNs miss = c.after_write ? o.read_miss_after_write_ns : o.read_miss_after_read_ns;
    if (c.request.is_write) {
      hit = c.after_write ? o.write_hit_after_write_ns : o.write_hit_after_read_ns;
      miss = c.after_write ? o.write_miss_after_write_ns : o.write_miss_after_read_ns;
    }
    return {static_cast<double>(hit), static_cast<double>(miss)};
  }

  // Where the arm stands, at the moment to which everything is wound: with whoever moves it.
  Arm arm() const {
    return reader_.active() ? reader_.arm() : buffer_.writing() ? buffer_.arm() : heads_.arm;
  }

  // Winds everything that goes on in the background to `now`.
  void wind(Moment now) {
    reader_.advance(now);
    if (!reader_.active() && !buffer_.writing() && !buffer_.empty()) {
      const Moment at = std::max(reader_.free_since(), buffer_.ready_since());
      if (at < now) {
        buffer_.begin(at);
      }
    }
    buffer_.advance(now);
    while (!dirty_.empty() && dirty_.front().finish <= now) {
      clean_first_dirty();
    }
  }

  void clean_first_dirty() {
    const std::size_t segment = dirty_.front().segment;
    dirty_.erase(dirty_.begin());
    if (dirty_.empty() || dirty_.front().segment != segment) {
      cache_[segment].state = SegmentState::clean;
    }
  }

  // Waits until the running read-ahead has reached its minimum.
  Moment after_least_readahead(Moment now) {
    const Moment free = reader_.active() ? reader_.stoppable_from(now) : now;
    reader_.advance(free);
    return free;
  }

  // Frees the heads at `now` or as soon as a sector's end allows.
  Moment stop_background(Moment now) {
    if (reader_.active()) {
      return reader_.stop(now);
    }
    return buffer_.writing() ? buffer_.stop(now) : now;
  }

  Moment drain_overlapping(const DeviceRequest& r, Moment now) {
    if (!buffer_.overlaps(r.lbn, r.sectors)) {
      return now;
    }
    return write_out(buffer_.used(), now);
  }

  Moment write_out(std::int64_t sectors, Moment now) {
    if (!buffer_.writing()) {
      buffer_.begin(std::max(stop_background(now), buffer_.ready_since()));
    }
    return std::max(now, buffer_.write_out(sectors));
  }

  bool continues_stream(const SegmentChoice& choice) const {
    return reader_.active() && choice.hit != Hit::none && choice.segment == reader_.segment();
  }

  void serve_read(Service& service) {
    const DeviceRequest& r = service.command.request;
    const Moment arrival = service.command.arrival;
    Moment now = drain_overlapping(r, service.begun);
    SegmentChoice choice = cache_.choose_for_read(r.lbn, r.sectors);
    if (reader_.active() && !continues_stream(choice)) {
      const Moment free = after_least_readahead(now);
      if (free > now) {
        now = free;
        choice = cache_.choose_for_read(r.lbn, r.sectors);
      }
    }
    service.begun = now;
    read_from(service, choice, now == arrival);
    service.cache_hit = choice.hit == Hit::whole;
    cache_.touch(choice.segment);
    reader_.advance_during_request(service.completion, r.lbn, service.command.end(), to_host_);
  }

  // `at_once`: the drive was free when the command came. Otherwise its overhead has run while it waited, and
  // found data goes to the bus without more.
  void read_from(Service& service, const SegmentChoice& choice, bool at_once) {
    const DeviceRequest& r = service.command.request;
    const SectorNumber end = service.command.end();
    const Moment arrival = service.command.arrival;
    const Overhead o = overhead(service.command);
    const Moment now = service.begun;
    const bool needs_media = choice.hit != Hit::whole;
    const bool on_stream = continues_stream(choice);
    Moment stopped = now;
    if (!on_stream && (needs_media || reader_.active())) {
      stopped = stop_background(now);
    }
    // The command's overhead runs from its arrival, but not while read-ahead is being stopped.
    const Moment media_at = stopped + std::max(0.0, arrival + o.miss - now);
    service.overhead_ns = std::max(0.0, arrival + (needs_media ? o.miss : o.hit) - now);

    Segment& s = cache_[choice.segment];
    if (choice.hit == Hit::none) {
      s = Segment{};
      s.start = s.end = r.lbn;
      to_host_.begin(media_at, r.lbn);
    } else {
      to_host_.begin(at_once ? arrival + o.hit : std::max(now, arrival + o.miss), r.lbn);
      to_host_.add_there(std::min(s.end, end) - r.lbn);
    }
    reader_.raise_limits(s, r.lbn, end);
    if (needs_media) {
      if (!on_stream) {
        reader_.begin(media_at, choice.segment, s.end, service.positioning);
      }
      reader_.read_request(r.lbn, s.end, end, to_host_, service.positioning);
    } else if (!on_stream && parameters_.cache.readahead_on_full_hit && s.end < s.readahead_limit) {
      Positioning of_nobody;
      reader_.begin(media_at, choice.segment, s.end, of_nobody);
    }
    service.completion = to_host_.end();
  }

  // Whether a command that comes now only adds to the data of the one write that is on its way to the media.
  bool appends(const Command& c, Moment now) const {
    return c.request.is_write && c.arrival == now && dirty_.size() == 1 &&
           dirty_.front().end == c.request.lbn && parameters_.cache.fast_write_level > 0 &&
           c.request.lbn - writer_.written_at(now) < cache_.segment_sectors();
  }

  // Writes through the segments of the cache: accepted while nothing else is dirty, or as an append.
  void serve_write(Service& service) {
    const DeviceRequest& r = service.command.request;
    const Moment arrival = service.command.arrival;
    const bool fast = parameters_.cache.fast_write_level > 0;
    const bool append = !dirty_.empty();
    const Moment now = after_least_readahead(service.begun);
    service.begun = now;
    const Overhead o = overhead(service.command);
    const Moment ready = arrival + (fast ? o.hit : o.miss);
    service.overhead_ns = std::max(0.0, ready - now);
    const std::size_t segment = append ? dirty_.front().segment : cache_.choose_for_write(r.lbn, r.sectors);
    cache_.drop_overlapping(r.lbn, r.sectors, segment);
    const Moment stopped = append ? now : stop_background(now);
    take_write_segment(segment, r, append);

    DataArrival data{r.lbn, std::max(now, ready), 0};
    to_drive_.begin(data.start, r.lbn);
    to_drive_.add_there(r.sectors);
    data.interval = (to_drive_.end() - data.start) / static_cast<double>(r.sectors);
    Moment media_at = stopped + std::max(0.0, ready - now);
    if (append) {
      dirty_.front().finish = writer_.go_on(service.command.end(), data);
      media_at = std::max(dirty_.front().finish, ready);
    }
    Positioning in_background;
    Positioning& share = fast ? in_background : service.positioning;
    const Moment finish = writer_.write(media_at, r.lbn, service.command.end(), data, share);
    service.completion = fast ? taken(r, data) : std::max(finish, to_drive_.end());
    service.cache_hit = fast && now == arrival;
    dirty_.push_back({service.command.end(), segment, finish});
  }

  // When all data of a write is in its segment. What does not fit comes in bursts: as much as there is room
  // for, then nothing until the segment is all but written out.
  Moment taken(const DeviceRequest& r, const DataArrival& data) const {
    const std::int64_t size = cache_.segment_sectors();
    if (r.sectors <= size) {
      return to_drive_.end();
    }
    Moment now = data.start;
    const SectorNumber end = r.lbn + r.sectors;
    SectorNumber written = r.lbn;
    for (SectorNumber next = r.lbn; next < end;) {
      written = std::max(written, std::min(next, writer_.written_at(now)));
      const std::int64_t room = size - (next - written);
      if (room == 0) {
        written = next - (size > 1 ? 1 : 0);
        now = std::max(now, writer_.end_of(written - 1));
        continue;
      }
      const std::int64_t burst = std::min(room, end - next);
      now += static_cast<double>(burst) * data.interval;
      next += burst;
    }
    return std::max(now, to_drive_.end());
  }

  void take_write_segment(std::size_t segment, const DeviceRequest& r, bool append) {
    Segment& s = cache_[segment];
    if (!append) {
      s = Segment{};
      s.start = r.lbn;
    }
    s.end = r.lbn + r.sectors;
    s.state = SegmentState::dirty;
    s.written = true;
    cache_.wrap(s);
    cache_.touch(segment);
  }

  void serve_buffered_write(Service& service) {
    const DeviceRequest& r = service.command.request;
    const Moment now = service.begun;
    service.overhead_ns = overhead(service.command).hit;
    if (parameters_.cache.write_hit_stops_prefetch && reader_.active() &&
        cache_[reader_.segment()].overlaps(r.lbn, r.sectors)) {
      reader_.stop(now);
    }
    const std::int64_t missing = buffer_.missing_room(r.sectors);
    const Moment room = missing > 0 ? write_out(missing, now) : now;
    DataArrival data{r.lbn, std::max(service.command.arrival + service.overhead_ns, room), 0};
    to_drive_.begin(data.start, r.lbn);
    to_drive_.add_there(r.sectors);
    data.interval = (to_drive_.end() - data.start) / static_cast<double>(r.sectors);
    buffer_.accept(r.sectors, data);
    cache_.drop_overlapping(r.lbn, r.sectors, static_cast<std::size_t>(-1));
    service.completion = to_drive_.end();
    service.cache_hit = missing == 0;
  }

  // Shares of the response time in whole nanoseconds; they add up to it.
  Completion completion_of(const Service& s) const {
    Completion c;
    c.id = s.command.request.id;
    c.time_ns = completion_ns_;
    c.service.cache_hit = s.cache_hit;
    TimeNs left = completion_ns_ - s.command.submitted_ns;
    const auto take = [&left](double share) {
      const TimeNs taken = std::clamp<TimeNs>(static_cast<TimeNs>(std::llround(share)), 0, left);
      left -= taken;
      return taken;
    };
    c.service.queue_ns = take(s.begun - static_cast<Moment>(s.command.submitted_ns));
    c.service.overhead_ns = take(s.overhead_ns);
    c.service.seek_ns = take(s.positioning.seek_ns);
    c.service.rotation_ns = take(s.positioning.rotation_ns);
    const TimeNs on_bus = take(static_cast<double>(s.command.request.sectors) * bus_in_.sector_ns());
    if (s.cache_hit) {
      c.service.bus_ns = on_bus + left;
    } else {
      c.service.bus_ns = on_bus;
      c.service.transfer_ns = left;
    }
    return c;
  }

  const DiskParameters parameters_;
  Mechanism mechanism_;
  Heads heads_;
  Arm seen_;  // serving winds to the completion at once: where the arm was when it began or, after it, ended
  SegmentCache cache_;
  MediaReader reader_;
  MediaWriter writer_;
  WriteBuffer buffer_;
  TransferBus bus_in_;
  TransferBus bus_out_;
  BusProgress to_host_;
  BusProgress to_drive_;
  DriveQueue queue_;
  std::vector<DirtyWrite> dirty_;  // in the order in which they reach the media; at most two
  std::optional<Service> active_;
  TimeNs completion_ns_ = 0;
  Moment wake_ = 0;  // when written data will be on the media and a waiting command can be chosen
  TimeNs wake_ns_ = never_ns;
  bool last_was_write_ = false;
};

}  // namespace

std::unique_ptr<BlockDevice> make_disk(const DiskParameters& parameters, double start_angle,
                                       std::shared_ptr<SharedBus> shared_in,
                                       std::shared_ptr<SharedBus> shared_out) {
  return std::make_unique<Disk>(parameters, start_angle, std::move(shared_in), std::move(shared_out));
}

}  // namespace seekahead
