#include "models/device/bus_progress.hpp"

#include <algorithm>

namespace seekahead {

void BusProgress::begin(Moment ready, SectorNumber first) {
  ready_ = ready;
  end_ = ready;
  next_ = first;
  pieces_.clear();
}

// End of the first `count` sectors of a piece. Sector i (from 0) ends no earlier than the sectors before it
// and not before its own arrival: max over j <= i of there(j) + (i - j + 1) * bus, which the first or the
// last arrival decides.
Moment BusProgress::crossed_in(const Piece& p, std::int64_t count) const {
  const double bus = bus_.sector_ns();
  const auto n = static_cast<double>(count);
  const Moment by_bus = p.free + n * bus;
  const Moment by_arrival =
      p.interval >= bus ? p.first_there + (n - 1) * p.interval + bus : p.first_there + n * bus;
  return std::max(by_bus, by_arrival);
}

void BusProgress::add(std::int64_t count, Moment first_there, double interval) {
  if (!bus_.plain()) {
    add_in_bursts(count, first_there, interval);
    return;
  }
  pieces_.push_back({next_, count, end_, first_there, interval});
  end_ = crossed_in(pieces_.back(), count);
  next_ += count;
}

// On a bus that is shared or costs time to get, sectors are gathered into bursts.
void BusProgress::add_in_bursts(std::int64_t count, Moment first_there, double interval) {
  for (std::int64_t done = 0; done < count;) {
    const std::int64_t burst = std::min(bus_.burst_sectors(), count - done);
    const Moment there = first_there + static_cast<double>(done + burst - 1) * interval;
    const Moment ready = std::max(end_, there);
    end_ = bus_.transfer(ready, burst);
    pieces_.push_back({next_, burst, end_ - static_cast<double>(burst) * bus_.sector_ns(), ready, 0});
    next_ += burst;
    done += burst;
  }
}

Moment BusProgress::busy_until(Moment now) const {
  for (const Piece& p : pieces_) {
    const Moment end = crossed_in(p, p.count);
    const Moment begin = std::max(p.free, p.first_there);
    if (now < begin || now >= end) {
      continue;
    }
    if (p.interval <= bus_.sector_ns()) {
      now = end;  // the bus is the slower one: it is busy to the end of the piece
      continue;
    }
    // The media are: the bus is busy for a moment whenever a sector comes.
    const auto come = static_cast<std::int64_t>((now - p.first_there) / p.interval) + 1;
    return std::max(now, crossed_in(p, std::min(come, p.count)));
  }
  return now;
}

Moment BusProgress::crossed(SectorNumber lbn) const {
  const auto after = std::upper_bound(pieces_.begin(), pieces_.end(), lbn,
                                      [](SectorNumber l, const Piece& p) { return l < p.first; });
  const Piece& piece = *(after - 1);
  return crossed_in(piece, lbn - piece.first + 1);
}

}  // namespace seekahead
