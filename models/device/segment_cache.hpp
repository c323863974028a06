// The drive's cache: segments, each holding one run of consecutive sectors, and the choice among them.
#pragma once

#include <cstdint>
#include <vector>

#include "models/device/disk_parameters.hpp"

namespace seekahead {

enum class SegmentState {
  empty,
  clean,
  reading,  // the media are being read into it
  dirty,    // holds data that is not on the media yet
};

// Sectors [start, end) are in the segment.
struct Segment {
  SectorNumber start = 0;
  SectorNumber end = 0;
  SectorNumber readahead_limit = 0;  // read-ahead stops before this sector; never shrinks while data stays
  SectorNumber readahead_least = 0;  // nothing stops it before this one
  SegmentState state = SegmentState::empty;
  bool written = false;  // by the host, as opposed to read from the media

  bool holds_first_of(SectorNumber lbn) const {
    return state != SegmentState::empty && start <= lbn && lbn < end;
  }
  bool overlaps(SectorNumber lbn, std::int64_t sectors) const {
    return state != SegmentState::empty && lbn < end && start < lbn + sectors;
  }
};

enum class Hit { none, partial, whole };

struct SegmentChoice {
  std::size_t segment = 0;
  Hit hit = Hit::none;
};

class SegmentCache {
 public:
  explicit SegmentCache(const CacheParameters& parameters);

  std::int64_t segment_sectors() const { return segment_sectors_; }
  Segment& operator[](std::size_t i) { return segments_[i]; }
  const Segment& operator[](std::size_t i) const { return segments_[i]; }

  // Rates every segment for a read; the highest wins, of equals the one unused longest. The rating prefers
  // whole hits to partial ones and written to read data, then empty and idle segments.
  SegmentChoice choose_for_read(SectorNumber lbn, std::int64_t sectors) const;
  // The segment for a write that appends to none.
  std::size_t choose_for_write(SectorNumber lbn, std::int64_t sectors) const;

  // Marks a segment as used last.
  void touch(std::size_t segment);
  // A segment holds the last segment_sectors() sectors put into it.
  void wrap(Segment& segment) const {
    if (segment.end - segment.start > segment_sectors_) {
      segment.start = segment.end - segment_sectors_;
    }
  }
  // Written sectors make other copies of them stale.
  void drop_overlapping(SectorNumber lbn, std::int64_t sectors, std::size_t except);

 private:
  int read_rating(const Segment& segment, SectorNumber lbn, std::int64_t sectors) const;

  bool enabled_;
  bool almost_hits_;
  bool hits_on_written_;
  bool separate_write_segment_;  // the last one
  std::int64_t segment_sectors_;
  std::vector<Segment> segments_;
  std::vector<std::size_t> by_use_;  // unused longest first
};

}  // namespace seekahead
