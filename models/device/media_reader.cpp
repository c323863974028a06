#include "models/device/media_reader.hpp"

#include <algorithm>
#include <cmath>

namespace seekahead {

MediaReader::MediaReader(const Mechanism& mechanism, const CacheParameters& p, SegmentCache& cache,
                         Heads& heads)
    : mechanism_(mechanism),
      cache_(cache),
      heads_(heads),
      prefetch_type_(p.enabled ? p.prefetch_type : 0),
      min_readahead_(p.enabled ? p.min_readahead_sectors : 0),
      max_readahead_(
          p.max_readahead_sectors == 0 ? 0 : std::max(p.max_readahead_sectors, p.min_readahead_sectors)),
      may_overwrite_returned_(p.readahead_may_overwrite_returned),
      stop_mid_sector_(p.stop_prefetch_mid_sector),
      keep_free_sectors_(p.read_free_blocks_before_request),
      zero_latency_(p.zero_latency_read) {}

void MediaReader::raise_limits(Segment& s, SectorNumber first, SectorNumber end) const {
  const SectorNumber capacity = mechanism_.geometry().capacity();
  const std::int64_t size = cache_.segment_sectors();
  SectorNumber limit = end;
  if (prefetch_type_ == 4) {
    // To the end of the track behind the request, and one track more on a sequential run.
    limit = capacity;
    if (end < capacity) {
      const Track next = mechanism_.geometry().track_of(end);
      limit = next.last_lbn + 1;
      if (s.start < next.first_lbn) {
        limit += mechanism_.geometry().track_of(first).sectors_per_track;
      }
    }
  } else if (prefetch_type_ != 0) {
    if (max_readahead_ > 0) {
      limit = end + max_readahead_;
    } else if (may_overwrite_returned_) {
      limit = end + size;
    } else {
      limit = std::max(end + min_readahead_, first + size);
    }
  }
  s.readahead_limit = std::max(s.readahead_limit, std::min(limit, capacity));
  s.readahead_least = std::max(s.readahead_least, std::min(end + min_readahead_, capacity));
  s.readahead_limit = std::max(s.readahead_limit, s.readahead_least);
}

void MediaReader::begin(Moment at, std::size_t segment, SectorNumber from, Positioning& share) {
  active_ = true;
  segment_ = segment;
  Segment& s = cache_[segment];
  s.state = SegmentState::reading;
  s.written = false;
  run_ = mechanism_.approach(at, heads_.arm, from, false);
  passing_from_ = run_.start;
  share.seek_ns += run_.arrival - at;
  share.rotation_ns += run_.start - run_.arrival;
  if (keep_free_sectors_ && s.start == s.end) {
    const auto passed = static_cast<std::int64_t>((run_.start - run_.arrival) / run_.sector_ns);
    s.start = std::max(run_.track.first_lbn, from - passed);
    cache_.wrap(s);
  }
}

SectorNumber MediaReader::run_end(const Segment& s) const {
  return std::max(run_.first, std::min(run_.track.last_lbn + 1, s.readahead_limit));
}

void MediaReader::read_until(SectorNumber end) {
  Segment& s = cache_[segment_];
  s.end = std::max(s.end, end);
  cache_.wrap(s);
}

void MediaReader::finish(Moment now) {
  active_ = false;
  free_since_ = now;
  heads_.arm = run_.arm();
  cache_[segment_].state = SegmentState::clean;
}

// Read-ahead of types 1 and 2 stays on its track or cylinder.
bool MediaReader::goes_on_to(const Track& next) const {
  const bool same_cylinder = next.cylinder == run_.track.cylinder;
  if (prefetch_type_ == 2) {
    return same_cylinder;
  }
  return prefetch_type_ != 1;
}

void MediaReader::cross() {
  heads_.transferred(run_.arm(), run_.end_of(run_.track.last_lbn));
  run_ = mechanism_.cross(run_, false);
  passing_from_ = run_.start;
}

void MediaReader::advance(Moment now) {
  while (active_) {
    Segment& s = cache_[segment_];
    const SectorNumber end = run_end(s);
    const Moment end_time = run_.begin_of(end);
    if (now < end_time) {
      if (now > run_.start) {
        const auto done = static_cast<std::int64_t>((now - run_.start) / run_.sector_ns);
        read_until(run_.first + done);
        if (done > 0) {
          heads_.transferred(run_.arm(), run_.begin_of(run_.first + done));
        }
      }
      return;
    }
    read_until(end);
    heads_.transferred(run_.arm(), end_time);
    if (s.end >= s.readahead_limit) {
      finish(end_time);
      return;
    }
    const Run next = mechanism_.cross(run_, false);
    if (!goes_on_to(next.track)) {
      finish(end_time);
      return;
    }
    run_ = next;
    passing_from_ = run_.start;
  }
}

// The sector `before` may not be read before `until`: the heads let it pass, whole revolutions long.
void MediaReader::pause(SectorNumber before, Moment until) {
  const Moment now = run_.begin_of(before);
  const double turns = std::ceil((until - now) / mechanism_.rotation_ns());
  run_.start = now + turns * mechanism_.rotation_ns();
  run_.first = before;
  passing_from_ = now;
}

void MediaReader::advance_during_request(Moment completion, SectorNumber first, SectorNumber end,
                                         const BusProgress& bus) {
  const std::int64_t size = cache_.segment_sectors();
  while (active_ && run_.start < completion) {
    Segment& s = cache_[segment_];
    const SectorNumber stop = run_end(s);
    for (SectorNumber lbn = std::max({run_.first, first + size, s.end}); lbn < stop; ++lbn) {
      const Moment begin = run_.begin_of(lbn);
      if (begin >= completion) {
        break;
      }
      const Moment room = lbn - size < end ? bus.crossed(lbn - size) : completion;
      if (begin < room) {
        pause(lbn, room);
        read_until(lbn);
      }
    }
    if (run_.begin_of(stop) > completion) {
      break;
    }
    advance(run_.begin_of(stop));
  }
  advance(completion);
}

// Sectors of a zero-latency read, counted from its first, that come under the heads before the first does:
// the heads arrived in the middle of them. Those behind the arrival point are in the buffer by then.
std::int64_t MediaReader::passed_before_first(std::int64_t sectors) const {
  const double latency = run_.start - run_.arrival;
  const double since_first = mechanism_.rotation_ns() - latency;
  const auto landed = static_cast<std::int64_t>(since_first / run_.sector_ns) + 1;
  return landed < sectors ? sectors - landed : 0;
}

// A request longer than the segment: a sector is read only when there is room for it.
void MediaReader::read_constrained(SectorNumber first, SectorNumber from, SectorNumber to, BusProgress& bus) {
  const std::int64_t size = cache_.segment_sectors();
  for (SectorNumber lbn = from; lbn < to; ++lbn) {
    if (lbn - size >= first) {
      const Moment room = bus.crossed(lbn - size);
      if (run_.begin_of(lbn) < room) {
        pause(lbn, room);
      }
    }
    bus.add(1, run_.end_of(lbn), 0);
  }
}

void MediaReader::read_request(SectorNumber first, SectorNumber from, SectorNumber end, BusProgress& bus,
                               Positioning& share) {
  const bool constrained = end - first > cache_.segment_sectors();
  for (SectorNumber lbn = from; lbn < end;) {
    if (lbn > run_.track.last_lbn) {
      const Moment left = run_.end_of(run_.track.last_lbn);
      cross();
      share.seek_ns += run_.arrival - left;
      share.rotation_ns += run_.start - run_.arrival;
    }
    const SectorNumber to = std::min(end, run_.track.last_lbn + 1);
    if (constrained) {
      read_constrained(first, lbn, to, bus);
    } else if (zero_latency_ && lbn == run_.first && lbn == from) {
      const std::int64_t early = passed_before_first(to - lbn);
      bus.add(to - lbn - early, run_.end_of(lbn), run_.sector_ns);
      if (early > 0) {
        bus.add_there(early);
      }
    } else {
      bus.add(to - lbn, run_.end_of(lbn), run_.sector_ns);
    }
    lbn = to;
  }
  read_until(end);
}

Moment MediaReader::stoppable_from(Moment now) {
  Segment& s = cache_[segment_];
  if (s.end >= s.readahead_least) {
    return now;
  }
  s.readahead_limit = s.readahead_least;  // another request waits: no further than it must
  while (run_.track.last_lbn + 1 < s.readahead_least) {
    const Run next = mechanism_.cross(run_, false);
    if (!goes_on_to(next.track)) {
      s.readahead_limit = s.readahead_least = run_.track.last_lbn + 1;
      break;
    }
    read_until(run_.track.last_lbn + 1);
    heads_.transferred(run_.arm(), run_.end_of(run_.track.last_lbn));
    run_ = next;
    passing_from_ = run_.start;
  }
  return run_.begin_of(s.readahead_least);
}

Moment MediaReader::stop(Moment now) {
  Moment stopped = now;
  if (now < run_.arrival) {
    stopped = run_.arrival;
  } else if (now >= passing_from_) {
    if (!stop_mid_sector_) {
      const double grid = now >= run_.start ? run_.start : passing_from_;
      stopped = grid + (std::floor((now - grid) / run_.sector_ns) + 1) * run_.sector_ns;
    }
  } else {
    stopped = run_.start;
  }
  finish(stopped);
  return stopped;
}

}  // namespace seekahead
