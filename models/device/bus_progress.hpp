// How the sectors of one request cross the bus: one after the other, none before it is in the drive's buffer
// (reads) or before the drive can take it (writes).
#pragma once

#include <vector>

#include "models/device/transfer_bus.hpp"

namespace seekahead {

class BusProgress {
 public:
  explicit BusProgress(TransferBus& bus) : bus_(bus) {}

  // A request for sectors from `first` on; nothing moves before `ready`.
  void begin(Moment ready, SectorNumber first);
  // The next `count` sectors are there one by one: the first at `first_there`, each further one `interval`
  // later.
  void add(std::int64_t count, Moment first_there, double interval);
  // The next `count` sectors are there already.
  void add_there(std::int64_t count) { add(count, ready_, 0); }

  // When everything added so far has crossed.
  Moment end() const { return end_; }
  // When the sectors that cross the bus at `now` without a gap have crossed; `now` if none does.
  Moment busy_until(Moment now) const;
  // When one of the sectors added so far has crossed.
  Moment crossed(SectorNumber lbn) const;

 private:
  // `count` sectors from `first` on, while the bus was free at `free` for the first of them.
  struct Piece {
    SectorNumber first;
    std::int64_t count;
    Moment free;
    Moment first_there;
    double interval;
  };
  Moment crossed_in(const Piece& piece, std::int64_t count) const;
  void add_in_bursts(std::int64_t count, Moment first_there, double interval);

  TransferBus& bus_;
  Moment ready_ = 0;
  Moment end_ = 0;
  SectorNumber next_ = 0;
  std::vector<Piece> pieces_;
};

}  // namespace seekahead
