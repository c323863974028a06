// deadline of Linux 2.6: reads and writes each sorted by sector and in a FIFO by arrival; batches of
// contiguous requests; reads first, but not for ever. Rules: docs/elevators.md (2.6.8 - 2.6.18).
#include <deque>
#include <memory>

#include "models/builtin.hpp"
#include "models/elevator/elevators.hpp"
#include "models/elevator/merge_index.hpp"

namespace seekahead {

namespace {

struct DeadlineParameters : Parameters {
  TimeNs read_expire_ns = 500 * ns_per_ms;
  TimeNs write_expire_ns = 5 * ns_per_s;
  std::int64_t writes_starved = 2;
  std::int64_t fifo_batch = 16;
  bool front_merges = true;

  void visit(ParameterVisitor& v) override {
    constexpr IntegerRange times{0, 1000 * ns_per_s};
    v.time("read_expire", read_expire_ns, times, "a read older than this goes first", "Linux 2.6.8");
    v.time("write_expire", write_expire_ns, times, "a write older than this goes first", "Linux 2.6.8");
    v.integer("writes_starved", writes_starved, {1, 1'000'000},
              "batches of reads before writes get their turn", "Linux 2.6.8");
    v.integer("fifo_batch", fifo_batch, {1, 1'000'000},
              "contiguous requests dispatched before expiry is looked at", "Linux 2.6.8");
    v.boolean("front_merges", front_merges, "a bio may be put in front of a waiting request", "Linux 2.6.8");
  }
};

class Deadline final : public Elevator {
 public:
  explicit Deadline(const DeadlineParameters& parameters) : parameters_(parameters) {}

  Merge find_merge(const Bio& bio, const MergeLimits& limits) override {
    return index_.find(bio, limits, parameters_.front_merges);
  }

  Request* merged(Request& request, const Bio& bio, MergeKind kind, const MergeLimits& limits) override {
    Request* neighbour = index_.grown(request, bio, kind, limits);
    if (neighbour != nullptr) {
      leave_fifo(*neighbour);
      request.deadline_ns = std::min(request.deadline_ns, neighbour->deadline_ns);
      next_[neighbour->is_write] =
          next_[neighbour->is_write] == neighbour ? &request : next_[neighbour->is_write];
    }
    return neighbour;
  }

  void add(Request& request, TimeNs now) override {
    request.deadline_ns = now + (request.is_write ? parameters_.write_expire_ns : parameters_.read_expire_ns);
    index_.add(request);
    fifo_[request.is_write].push_back(&request);
  }

  Request* next(TimeNs now) override {
    Request* request = next_[0] != nullptr ? next_[0] : next_[1];
    if (request != nullptr && request->start != last_end_) {
      batch_ += parameters_.fifo_batch;  // a jump ends the batch
    }
    if (request == nullptr || batch_ >= parameters_.fifo_batch) {
      if (waiting() == 0) {
        return nullptr;
      }
      request = choose(now, choose_writes());
    }
    ++batch_;
    dispatch(*request);
    return request;
  }

  std::size_t waiting() const override { return fifo_[0].size() + fifo_[1].size(); }

 private:
  // Rule 2: reads, unless only writes wait or they have been passed over often enough.
  bool choose_writes() {
    const bool reads_wait = !fifo_[0].empty();
    const bool writes_wait = !fifo_[1].empty();
    const bool writes = reads_wait ? writes_wait && starved_++ >= parameters_.writes_starved : true;
    if (writes) {
      starved_ = 0;
    }
    return writes;
  }

  // Rule 3: the expired head of the FIFO, else the successor of the last one in this direction (batch not
  // reset), else the lowest sector.
  Request* choose(TimeNs now, bool writes) {
    Request* oldest = fifo_[writes].front();
    if (oldest->deadline_ns < now) {
      batch_ = 0;
      return oldest;
    }
    if (next_[writes] != nullptr) {
      return next_[writes];
    }
    batch_ = 0;
    return index_.sorted(writes).begin()->second;
  }

  void dispatch(Request& request) {
    next_[0] = next_[1] = nullptr;
    const auto& sorted = index_.sorted(request.is_write);
    for (auto it = sorted.lower_bound(request.start); it != sorted.end(); ++it) {
      if (it->second != &request) {
        next_[request.is_write] = it->second;
        break;
      }
    }
    last_end_ = request.end();
    index_.remove(request);
    leave_fifo(request);
  }

  void leave_fifo(Request& request) {
    std::deque<Request*>& fifo = fifo_[request.is_write];
    for (auto it = fifo.begin(); it != fifo.end(); ++it) {
      if (*it == &request) {
        fifo.erase(it);
        return;
      }
    }
  }

  DeadlineParameters parameters_;
  MergeIndex index_;
  std::deque<Request*> fifo_[2];  // reads, writes
  Request* next_[2] = {nullptr, nullptr};
  SectorNumber last_end_ = 0;
  std::int64_t batch_ = 0;
  std::int64_t starved_ = 0;
};

}  // namespace

void register_deadline(Registry& registry) {
  registry.elevators.add(model_of<DeadlineParameters, ElevatorModel>(
      "deadline", "sorted batches with expiry, reads preferred (Linux 2.6)", "Linux 2.6.8",
      [](const DeadlineParameters& parameters) { return std::make_unique<Deadline>(parameters); }));
}

}  // namespace seekahead
