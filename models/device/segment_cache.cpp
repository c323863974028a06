#include "models/device/segment_cache.hpp"

#include <algorithm>

namespace seekahead {

namespace {

// Ratings of a segment for a read. Partial hits rate `partial_penalty` less than whole ones.
constexpr int dirty_hit = 11;
constexpr int reading_hit = 9;
constexpr int clean_hit = 8;
constexpr int partial_penalty = 4;
constexpr int almost_hit = 5;
constexpr int empty_segment = 3;
constexpr int idle_segment = 2;
constexpr int reading_ahead = 1;
constexpr int unusable = -10;

}  // namespace

SegmentCache::SegmentCache(const CacheParameters& p)
    : enabled_(p.enabled),
      almost_hits_(p.almost_read_hits),
      hits_on_written_(p.read_hits_on_write_data),
      separate_write_segment_(p.separate_write_segment),
      segment_sectors_(p.segment_sectors),
      segments_(static_cast<std::size_t>(p.segments)) {
  for (std::size_t i = 0; i < segments_.size(); ++i) {
    by_use_.push_back(i);
  }
}

int SegmentCache::read_rating(const Segment& s, SectorNumber lbn, std::int64_t sectors) const {
  if (s.state == SegmentState::empty) {
    return empty_segment;
  }
  if (!s.holds_first_of(lbn)) {
    if (s.state == SegmentState::reading) {
      return enabled_ && almost_hits_ && s.end == lbn ? almost_hit : reading_ahead;
    }
    return s.state == SegmentState::clean ? idle_segment : unusable;
  }
  if (!enabled_ || (s.written && !hits_on_written_)) {
    return unusable;
  }
  const int hit = s.state == SegmentState::dirty     ? dirty_hit
                  : s.state == SegmentState::reading ? reading_hit
                                                     : clean_hit;
  return s.end >= lbn + sectors ? hit : hit - partial_penalty;
}

SegmentChoice SegmentCache::choose_for_read(SectorNumber lbn, std::int64_t sectors) const {
  SegmentChoice choice{by_use_.front(), Hit::none};
  int best = unusable;
  for (const std::size_t i : by_use_) {
    if (separate_write_segment_ && i == segments_.size() - 1) {
      continue;
    }
    const int rating = read_rating(segments_[i], lbn, sectors);
    if (rating > best) {
      best = rating;
      choice.segment = i;
    }
  }
  if (best > empty_segment) {
    choice.hit = segments_[choice.segment].end >= lbn + sectors ? Hit::whole : Hit::partial;
  }
  return choice;
}

std::size_t SegmentCache::choose_for_write(SectorNumber lbn, std::int64_t sectors) const {
  if (separate_write_segment_) {
    return segments_.size() - 1;
  }
  std::size_t chosen = by_use_.front();
  int best = unusable;
  for (const std::size_t i : by_use_) {
    const Segment& s = segments_[i];
    const int rating = s.state == SegmentState::empty                               ? empty_segment
                       : s.state == SegmentState::reading                           ? reading_ahead
                       : s.state == SegmentState::clean && s.overlaps(lbn, sectors) ? empty_segment + 1
                       : s.state == SegmentState::clean                             ? idle_segment
                                                                                    : unusable;
    if (rating > best) {
      best = rating;
      chosen = i;
    }
  }
  return chosen;
}

void SegmentCache::touch(std::size_t segment) {
  const auto at = std::find(by_use_.begin(), by_use_.end(), segment);
  std::rotate(at, at + 1, by_use_.end());
}

void SegmentCache::drop_overlapping(SectorNumber lbn, std::int64_t sectors, std::size_t except) {
  for (std::size_t i = 0; i < segments_.size(); ++i) {
    if (i != except && segments_[i].state == SegmentState::clean && segments_[i].overlaps(lbn, sectors)) {
      segments_[i].state = SegmentState::empty;
    }
  }
}

}  // namespace seekahead
