// noop of Linux 2.6: first in, first out, with merging. Rules: docs/elevators.md.
#include <algorithm>
#include <deque>
#include <memory>

#include "models/builtin.hpp"
#include "models/elevator/elevators.hpp"
#include "models/elevator/merge_index.hpp"

namespace seekahead {

namespace {

struct NoopParameters : Parameters {
  void visit(ParameterVisitor&) override {}
};

class Noop final : public Elevator {
 public:
  Merge find_merge(const Bio& bio, const MergeLimits& limits) override { return index_.find(bio, limits); }

  Request* merged(Request& request, const Bio& bio, MergeKind kind, const MergeLimits& limits) override {
    Request* neighbour = index_.grown(request, bio, kind, limits);
    if (neighbour != nullptr) {
      fifo_.erase(std::find(fifo_.begin(), fifo_.end(), neighbour));
    }
    return neighbour;
  }

  void add(Request& request, TimeNs) override {
    index_.add(request);
    fifo_.push_back(&request);
  }

  Request* next(TimeNs) override {
    if (fifo_.empty()) {
      return nullptr;
    }
    Request* request = fifo_.front();
    fifo_.pop_front();
    index_.remove(*request);
    return request;
  }

  std::size_t waiting() const override { return fifo_.size(); }

 private:
  MergeIndex index_;
  std::deque<Request*> fifo_;
};

}  // namespace

void register_noop(Registry& registry) {
  registry.elevators.add(model_of<NoopParameters, ElevatorModel>(
      "noop", "first in, first out, with merging (Linux 2.6)", "Linux 2.6.8",
      [](const NoopParameters&) { return std::make_unique<Noop>(); }));
}

}  // namespace seekahead
