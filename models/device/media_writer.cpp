#include "models/device/media_writer.hpp"

#include <algorithm>
#include <cmath>

namespace seekahead {

// Writes [next_, to), all on the run's track, in ascending order.
void MediaWriter::write_on_track(SectorNumber to, const DataArrival& data) {
  // Both the heads and the data advance evenly: when first and last sector are there in time, all are.
  while (next_ < to) {
    const SectorNumber last = to - 1;
    const SectorNumber first = next_;
    if (data.of(next_) <= run_.begin_of(next_) && data.of(last) <= run_.begin_of(last)) {
      next_ = to;
      passed(first);
      break;
    }
    while (next_ < to && data.of(next_) <= run_.begin_of(next_)) {
      ++next_;
    }
    passed(first);
    if (next_ < to) {
      const Moment now = run_.begin_of(next_);
      const double turns = std::ceil((data.of(next_) - now) / mechanism_.rotation_ns());
      run_.start = now + turns * mechanism_.rotation_ns();
      run_.first = next_;
    }
  }
  end_ = run_.begin_of(next_);
}

void MediaWriter::passed(SectorNumber first) {
  if (first < next_) {
    passages_.push_back({first, next_, run_.begin_of(first), run_.sector_ns});
  }
}

// Zero-latency: the heads are at the first of sectors [next_, to), but its data is not there yet. They start
// with the first sector whose data is, let the track go round and end with those they had to leave out.
// Returns whether that was possible.
bool MediaWriter::write_around(SectorNumber to, const DataArrival& data) {
  SectorNumber in_time = next_;
  while (in_time < to && data.of(in_time) > run_.begin_of(in_time)) {
    ++in_time;
  }
  if (in_time == next_ || in_time == to || data.of(to - 1) > run_.begin_of(to - 1)) {
    return false;
  }
  around_ = true;
  const SectorNumber first = next_;
  next_ = to;
  passed(first);
  end_ = run_.begin_of(in_time) + mechanism_.rotation_ns();
  return true;
}

Moment MediaWriter::write(Moment at, SectorNumber from, SectorNumber end, const DataArrival& data,
                          Positioning& share) {
  run_ = mechanism_.approach(at, heads_.arm, from, true);
  share.seek_ns += run_.arrival - at;
  share.rotation_ns += run_.start - run_.arrival;
  next_ = from;
  passages_.clear();
  around_ = false;
  const SectorNumber on_first_track = std::min(end, run_.track.last_lbn + 1);
  if (!zero_latency_ || !write_around(on_first_track, data)) {
    write_on_track(on_first_track, data);
  }
  while (next_ < end) {
    heads_.transferred(run_.arm(), end_);
    cross();
    share.seek_ns += run_.arrival - end_;
    share.rotation_ns += run_.start - run_.arrival;
    write_on_track(std::min(end, run_.track.last_lbn + 1), data);
  }
  heads_.arm = run_.arm();
  heads_.transferred(run_.arm(), end_);
  return end_;
}

void MediaWriter::cross() {
  run_ = mechanism_.cross(run_, end_, true);
  around_ = false;
}

Moment MediaWriter::go_on(SectorNumber end, const DataArrival& data) {
  if (around_) {
    // Sectors behind came under the heads before the ones left out did.
    const SectorNumber on_track = std::min(end, run_.track.last_lbn + 1);
    while (next_ < on_track && data.of(next_) <= run_.begin_of(next_)) {
      ++next_;
    }
    run_.start += mechanism_.rotation_ns();
    around_ = false;
  }
  while (next_ < end && data.of(next_) <= end_) {
    if (next_ > run_.track.last_lbn) {
      cross();
      write_on_track(next_ + 1, data);
    } else {
      end_ = run_.end_of(next_);
      ++next_;
    }
  }
  heads_.arm = run_.arm();
  heads_.transferred(run_.arm(), end_);
  return end_;
}

SectorNumber MediaWriter::written_at(Moment now) const {
  SectorNumber written = passages_.empty() ? next_ : passages_.front().first;
  for (const Passage& p : passages_) {
    if (now >= p.start) {
      written = std::min(p.end, p.first + static_cast<SectorNumber>((now - p.start) / p.sector_ns));
    }
  }
  return now >= end_ ? next_ : written;
}

Moment MediaWriter::end_of(SectorNumber lbn) const {
  for (const Passage& p : passages_) {
    if (lbn < p.end) {
      return p.start + static_cast<double>(lbn - p.first + 1) * p.sector_ns;
    }
  }
  return end_;
}

}  // namespace seekahead
