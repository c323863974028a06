#include "models/device/device_array.hpp"

#include <algorithm>
#include <deque>
#include <queue>
#include <utility>

#include "models/device/rate.hpp"

namespace seekahead {

namespace {

// A moment at which a request leaves the controller for the members, a piece has crossed the link, or a
// request is complete; served by time, then in the order in which they were planned.
struct Step {
  enum Kind { issue, crossed, complete };
  TimeNs time_ns;
  std::uint64_t order;
  Kind kind;
  std::size_t index;  // of the request, or of the piece
  bool operator>(const Step& other) const {
    return time_ns != other.time_ns ? time_ns > other.time_ns : order > other.order;
  }
};

struct Request {
  DeviceRequest asked;
  TimeNs arrival_ns = 0;
  std::size_t pieces_left = 0;
  TimeNs write_link_ns = 0;
  ServiceTime service;  // of the piece that came last
};

struct Piece {
  std::size_t request = 0;
  ArrayPiece part;
};

struct Member {
  std::unique_ptr<BlockDevice> device;
  TimeNs ahead_ns = 0;  // its clock is ahead of the array's by this
  std::int64_t outstanding = 0;
  std::deque<std::size_t> waiting;  // pieces
};

// Slots with a free list, so that a long run allocates nothing.
template <class T>
class Pool {
 public:
  std::size_t take(T value) {
    if (free_.empty()) {
      slots_.push_back(std::move(value));
      return slots_.size() - 1;
    }
    const std::size_t index = free_.back();
    free_.pop_back();
    slots_[index] = std::move(value);
    return index;
  }
  void give_back(std::size_t index) { free_.push_back(index); }
  T& operator[](std::size_t index) { return slots_[index]; }

 private:
  std::vector<T> slots_;
  std::vector<std::size_t> free_;
};

class DeviceArray final : public BlockDevice {
 public:
  DeviceArray(std::vector<std::unique_ptr<BlockDevice>> members, ArraySplitter split,
              const ArrayOptions& options)
      : options_(options), split_(std::move(split)) {
    const auto count = static_cast<TimeNs>(members.size());
    for (TimeNs i = 0; i < count; ++i) {
      std::unique_ptr<BlockDevice>& device = members[static_cast<std::size_t>(i)];
      const TimeNs ahead_ns = options.staggered_spindles ? device->rotation_ns() * i / count : 0;
      members_.push_back({std::move(device), ahead_ns, 0, {}});
    }
  }

  std::int64_t capacity_sectors() const override { return options_.capacity_sectors; }
  std::int64_t queue_depth() const override { return options_.queue_depth; }
  std::int64_t max_request_sectors() const override { return options_.max_request_sectors; }

  void submit(TimeNs now, const DeviceRequest& request) override {
    controller_free_ns_ = std::max(now, controller_free_ns_) + options_.controller_overhead_ns;
    TimeNs issue_ns = controller_free_ns_;
    Request r{request, now, 0, 0, {}};
    if (request.is_write && options_.link_rate > 0) {
      const TimeNs start_ns = std::max(issue_ns, link_free_ns_);
      r.write_link_ns = time_at_rate_ns(request.sectors * sector_bytes, options_.link_rate);
      link_free_ns_ = start_ns + r.write_link_ns;
      issue_ns = link_free_ns_;
    }
    const std::size_t index = requests_.take(r);
    if (issue_ns == now) {
      issue(now, index);
    } else {
      plan(issue_ns, Step::issue, index);
    }
  }

  TimeNs next_event_ns() const override {
    TimeNs next = steps_.empty() ? never_ns : steps_.top().time_ns;
    for (const Member& member : members_) {
      next = std::min(next, next_of(member));
    }
    return next;
  }

  void advance(TimeNs now, std::vector<Completion>& done) override {
    for (TimeNs time = next_event_ns(); time <= now; time = next_event_ns()) {
      for (Member& member : members_) {
        if (next_of(member) <= time) {
          advance_member(time, member);
        }
      }
      while (!steps_.empty() && steps_.top().time_ns <= time) {
        const Step step = steps_.top();
        steps_.pop();
        carry_out(step, done);
      }
    }
  }

  // One member: what the array shows is what the member does.
  HeadPosition head_position() const override {
    return members_.size() == 1 ? members_.front().device->head_position() : HeadPosition{};
  }
  TimeNs rotation_ns() const override {
    return members_.size() == 1 ? members_.front().device->rotation_ns() : 0;
  }

 private:
  static TimeNs next_of(const Member& member) {
    const TimeNs next = member.device->next_event_ns();
    return next == never_ns ? never_ns : next - member.ahead_ns;
  }

  void plan(TimeNs time, Step::Kind kind, std::size_t index) { steps_.push({time, order_++, kind, index}); }

  void carry_out(const Step& step, std::vector<Completion>& done) {
    if (step.kind == Step::issue) {
      issue(step.time_ns, step.index);
    } else if (step.kind == Step::crossed) {
      finish_piece(step.time_ns, step.index);
    } else {
      Request& r = requests_[step.index];
      done.push_back({r.asked.id, step.time_ns, account(r, step.time_ns)});
      requests_.give_back(step.index);
    }
  }

  // Hands the pieces of a request to their members.
  void issue(TimeNs now, std::size_t index) {
    parts_.clear();
    split_(requests_[index].asked, parts_);
    for (const ArrayPiece& part : parts_) {
      Member& member = members_[part.member];
      const std::int64_t largest = member.device->max_request_sectors();
      for (std::int64_t from = 0; from < part.sectors; from += largest) {
        const std::int64_t sectors = std::min(largest, part.sectors - from);
        member.waiting.push_back(pieces_.take({index, {part.member, part.lbn + from, sectors}}));
        ++requests_[index].pieces_left;
      }
      feed(now, member);
    }
  }

  void feed(TimeNs now, Member& member) {
    while (!member.waiting.empty() && member.outstanding < member.device->queue_depth()) {
      const std::size_t index = member.waiting.front();
      member.waiting.pop_front();
      const Piece& piece = pieces_[index];
      ++member.outstanding;
      member.device->submit(now + member.ahead_ns, {index, piece.part.lbn, piece.part.sectors,
                                                    requests_[piece.request].asked.is_write});
    }
  }

  void advance_member(TimeNs now, Member& member) {
    member_done_.clear();
    member.device->advance(now + member.ahead_ns, member_done_);
    for (const Completion& completion : member_done_) {
      --member.outstanding;
      came_back(now, completion);
    }
    feed(now, member);
  }

  // A member has done a piece: what was read crosses the link, piece after piece.
  void came_back(TimeNs now, const Completion& completion) {
    const Piece& piece = pieces_[completion.id];
    Request& request = requests_[piece.request];
    request.service = completion.service;
    if (request.asked.is_write || options_.link_rate == 0) {
      finish_piece(now, completion.id);
      return;
    }
    const TimeNs crossing_ns = time_at_rate_ns(piece.part.sectors * sector_bytes, options_.link_rate);
    link_free_ns_ = std::max(now, link_free_ns_) + crossing_ns;
    request.service.bus_ns += crossing_ns;
    plan(link_free_ns_, Step::crossed, completion.id);
  }

  void finish_piece(TimeNs now, std::size_t index) {
    const std::size_t request = pieces_[index].request;
    pieces_.give_back(index);
    if (--requests_[request].pieces_left == 0) {
      plan(now + options_.link_overhead_ns, Step::complete, request);
    }
  }

  // Where the time went, as seen by the last piece; what no part explains was waiting.
  ServiceTime account(const Request& r, TimeNs end_ns) const {
    ServiceTime s = r.service;
    s.overhead_ns += options_.controller_overhead_ns + options_.link_overhead_ns;
    s.bus_ns += r.write_link_ns;
    s.queue_ns = 0;
    const TimeNs parts_ns = s.overhead_ns + s.seek_ns + s.rotation_ns + s.transfer_ns + s.bus_ns;
    s.queue_ns = end_ns - r.arrival_ns - parts_ns;
    return s;
  }

  ArrayOptions options_;
  ArraySplitter split_;
  std::vector<Member> members_;
  TimeNs controller_free_ns_ = 0;
  TimeNs link_free_ns_ = 0;
  Pool<Request> requests_;
  Pool<Piece> pieces_;
  std::uint64_t order_ = 0;
  std::priority_queue<Step, std::vector<Step>, std::greater<>> steps_;
  std::vector<ArrayPiece> parts_;
  std::vector<Completion> member_done_;
};

}  // namespace

std::unique_ptr<BlockDevice> make_device_array(std::vector<std::unique_ptr<BlockDevice>> members,
                                               ArraySplitter split, const ArrayOptions& options) {
  return std::make_unique<DeviceArray>(std::move(members), std::move(split), options);
}

}  // namespace seekahead
