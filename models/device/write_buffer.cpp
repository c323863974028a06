#include "models/device/write_buffer.hpp"

#include <algorithm>
#include <cmath>

namespace seekahead {

bool WriteBuffer::overlaps(SectorNumber lbn, std::int64_t sectors) const {
  return std::any_of(extents_.begin(), extents_.end(),
                     [&](const Extent& e) { return lbn < e.end && e.from < lbn + sectors; });
}

std::int64_t WriteBuffer::missing_room(std::int64_t sectors) const {
  // A command larger than the buffer passes once the buffer is empty.
  return std::min(used_, std::max<std::int64_t>(0, used_ + sectors - capacity_));
}

Moment WriteBuffer::ready_since() const { return std::max(free_since_, extents_.front().data.start); }

void WriteBuffer::accept(std::int64_t sectors, const DataArrival& data) {
  extents_.push_back({data.first, data.first + sectors, data});
  used_ += sectors;
}

void WriteBuffer::begin(Moment at) {
  writing_ = true;
  run_ = mechanism_.approach(at, heads_.arm, extents_.front().from, true);
}

// The end of the piece under way: on one track, of one extent, whose data is there in time. Lets revolutions
// pass until at least one sector is.
SectorNumber WriteBuffer::piece_end() {
  const Extent& e = extents_.front();
  const Moment there = e.data.of(e.from);
  const Moment begin = run_.begin_of(e.from);
  if (there > begin) {
    const double turns = std::ceil((there - begin) / mechanism_.rotation_ns());
    run_.start = begin + turns * mechanism_.rotation_ns();
    run_.first = e.from;
  }
  const SectorNumber to = std::min(e.end, run_.track.last_lbn + 1);
  if (e.data.of(to - 1) <= run_.begin_of(to - 1)) {
    return to;
  }
  // The heads are faster than the data: sector i is late when start + i * media < there(i).
  const double ahead = run_.begin_of(e.from) - e.data.of(e.from);
  const auto in_time = static_cast<SectorNumber>(ahead / (e.data.interval - run_.sector_ns)) + 1;
  return std::min(to, e.from + in_time);
}

void WriteBuffer::written(SectorNumber to) {
  Extent& e = extents_.front();
  used_ -= to - e.from;
  e.from = to;
}

// Behind the end of a piece: to the next sectors that wait, without a pause if they follow.
void WriteBuffer::go_to_next(Moment now) {
  heads_.arm = run_.arm();
  heads_.transferred(heads_.arm, now);
  if (extents_.front().from == extents_.front().end) {
    const SectorNumber behind = extents_.front().end;
    extents_.pop_front();
    if (extents_.empty()) {
      writing_ = false;
      free_since_ = now;
      return;
    }
    if (extents_.front().from != behind) {
      run_ = mechanism_.approach(now, heads_.arm, extents_.front().from, true);
      return;
    }
  }
  if (!run_.track.holds(extents_.front().from)) {
    run_ = mechanism_.cross(run_, true);
  }
}

void WriteBuffer::advance(Moment now) {
  while (writing_) {
    const SectorNumber to = piece_end();
    const Moment end = run_.begin_of(to);
    if (now < end) {
      if (now > run_.start) {
        const auto done = run_.first + static_cast<SectorNumber>((now - run_.start) / run_.sector_ns);
        written(std::max(extents_.front().from, std::min(done, to)));
      }
      return;
    }
    written(to);
    go_to_next(end);
  }
}

Moment WriteBuffer::write_out(std::int64_t sectors) {
  const std::int64_t goal = used_ - sectors;
  Moment now = 0;
  while (writing_ && used_ > goal) {
    const SectorNumber to = std::min(piece_end(), extents_.front().from + used_ - goal);
    now = run_.begin_of(to);
    written(to);
    if (to == extents_.front().end || !run_.track.holds(to)) {
      go_to_next(now);
    }
  }
  return now;
}

Moment WriteBuffer::stop(Moment now) {
  Moment stopped = run_.arrival;
  if (now >= run_.start) {
    const SectorNumber to = run_.first + static_cast<SectorNumber>((now - run_.start) / run_.sector_ns) + 1;
    const SectorNumber upto = std::min(to, piece_end());
    stopped = std::max(now, run_.begin_of(upto));
    written(std::max(upto, extents_.front().from));
    heads_.transferred(run_.arm(), stopped);
  } else if (now >= run_.arrival) {
    stopped = now;
  }
  writing_ = false;
  free_since_ = stopped;
  heads_.arm = run_.arm();
  if (extents_.front().from == extents_.front().end) {
    extents_.pop_front();
  }
  return stopped;
}

}  // namespace seekahead
