// elevator_linus of Linux 2.4: one list, served from its head; each new buffer scans it from the tail for a
// request to merge with or a place in ascending order. A request may be overtaken only so often: its sequence
// counts down by 1 for each later buffer that passes it and by the buffer's sectors for each merge in front
// of it. Rules: docs/elevators.md (2.4.5).
#include <algorithm>
#include <memory>
#include <vector>

#include "models/builtin.hpp"
#include "models/elevator/elevators.hpp"

namespace seekahead {

namespace {

struct LinusParameters : Parameters {
  std::int64_t read_passes = 8192;
  std::int64_t write_passes = 16384;

  void visit(ParameterVisitor& v) override {
    v.integer("read_passes", read_passes, {0, 1'000'000'000}, "sectors and buffers that may overtake a read",
              "2.4.5: 8192; 2.4.0: 1000000; 2.4.22: 128");
    v.integer("write_passes", write_passes, {0, 1'000'000'000},
              "sectors and buffers that may overtake a write", "2.4.5: 16384; 2.4.0: 2000000; 2.4.22: 512");
  }
};

class Linus final : public Elevator {
 public:
  explicit Linus(const LinusParameters& parameters) : parameters_(parameters) {}

  Merge find_merge(const Bio& bio, const MergeLimits& limits) override {
    place_ = list_.size();
    bool placed = false;
    for (std::size_t i = list_.size(); i-- > 0;) {
      Request& q = *list_[i];
      if (q.sequence-- <= 0) {
        break;
      }
      if (!placed && between(i, bio.start)) {
        place_ = i + 1;
        placed = true;
      }
      if (q.is_write != bio.is_write || q.sectors + bio.sectors > limits.max_sectors) {
        continue;
      }
      if (q.sequence < bio.sectors) {
        break;
      }
      const bool back = q.end() == bio.start;
      if (back || bio.start + bio.sectors == q.start) {
        if (q.segments >= limits.max_segments) {
          place_ = list_.size();  // refused by the scatter list: a new request at the tail
          break;
        }
        merged_at_ = i;
        q.sequence -= back ? 0 : bio.sectors;
        return {back ? MergeKind::back : MergeKind::front, &q};
      }
    }
    return {};
  }

  Request* merged(Request& request, const Bio& bio, MergeKind kind, const MergeLimits& limits) override {
    for (std::size_t i = merged_at_ + 1; i < list_.size(); ++i) {
      list_[i]->sequence -= bio.sectors;
    }
    const bool back = kind == MergeKind::back;
    if (back ? merged_at_ + 1 >= list_.size() : merged_at_ == 0) {
      return nullptr;
    }
    const std::size_t other = back ? merged_at_ + 1 : merged_at_ - 1;
    Request& neighbour = *list_[other];
    const bool touches = back ? request.end() == neighbour.start : neighbour.end() == request.start;
    if (!touches || neighbour.is_write != request.is_write ||
        neighbour.sectors + request.sectors > limits.max_sectors ||
        neighbour.segments + request.segments > limits.max_segments) {
      return nullptr;
    }
    request.sequence = std::min(request.sequence, neighbour.sequence);
    list_.erase(list_.begin() + static_cast<std::ptrdiff_t>(other));
    return &neighbour;
  }

  void add(Request& request, TimeNs) override {
    request.sequence = request.is_write ? parameters_.write_passes : parameters_.read_passes;
    list_.insert(list_.begin() + static_cast<std::ptrdiff_t>(place_), &request);
  }

  Request* next(TimeNs) override {
    if (list_.empty()) {
      return nullptr;
    }
    Request* head = list_.front();
    list_.erase(list_.begin());
    return head;
  }

  std::size_t waiting() const override { return list_.size(); }

 private:
  // Does `start` belong right behind entry i? Rule 3; where the order wraps, larger and smaller sectors both
  // fit.
  bool between(std::size_t i, SectorNumber start) const {
    if (i + 1 >= list_.size()) {
      return false;
    }
    const SectorNumber before = list_[i]->start;
    const SectorNumber after = list_[i + 1]->start;
    if (before < start && start < after) {
      return true;
    }
    return after <= before && (start > before || start < after);
  }

  LinusParameters parameters_;
  std::vector<Request*> list_;  // head first
  std::size_t place_ = 0;       // where the bio of the last find_merge goes if it becomes a request
  std::size_t merged_at_ = 0;
};

}  // namespace

void register_linus(Registry& registry) {
  registry.elevators.add(model_of<LinusParameters, ElevatorModel>(
      "linus", "one ascending sweep with a limit on overtaking (Linux 2.4)", "Linux 2.4.5",
      [](const LinusParameters& parameters) { return std::make_unique<Linus>(parameters); }));
}

}  // namespace seekahead
