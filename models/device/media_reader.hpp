// The heads while they read: for a request, then ahead of it, into one segment of the cache.
//
// Reading is worked out in closed form, a track at a time, and only as far as somebody asks: advance() winds
// it to a moment. While a request is being served its sectors are laid out at once (read_request()), because
// nothing may interrupt them.
#pragma once

#include "models/device/bus_progress.hpp"
#include "models/device/mechanism.hpp"
#include "models/device/segment_cache.hpp"

namespace seekahead {

// What the readers and writers of a drive have in common.
struct Heads {
  Arm arm;
  // Where and when the last sector was transferred: what a drive's queue reckons positioning times from.
  Arm last_arm;
  Moment last_transfer = 0;

  void transferred(const Arm& where, Moment end) {
    last_arm = where;
    last_transfer = end;
  }
};

// Share of a service that went into seeks and rotation.
struct Positioning {
  double seek_ns = 0;
  double rotation_ns = 0;
};

class MediaReader {
 public:
  MediaReader(const Mechanism& mechanism, const CacheParameters& parameters, SegmentCache& cache,
              Heads& heads);

  bool active() const { return active_; }
  std::size_t segment() const { return segment_; }
  Arm arm() const { return run_.arm(); }  // REQUIRES: active()
  // When the heads last became free (REQUIRES: !active()).
  Moment free_since() const { return free_since_; }

  // Raises the limits of read-ahead in `segment` for a request for [first, end).
  void raise_limits(Segment& segment, SectorNumber first, SectorNumber end) const;

  // Leaves for sector `from` at `at`, to read on into `segment` whose end it is. REQUIRES: !active().
  void begin(Moment at, std::size_t segment, SectorNumber from, Positioning& share);
  // Reads [from, end) of a request that began with `first`, handing the sectors to the bus as they come.
  // REQUIRES: active(); `from` is the segment's end.
  void read_request(SectorNumber first, SectorNumber from, SectorNumber end, BusProgress& bus,
                    Positioning& share);

  // Winds read-ahead to `now`.
  void advance(Moment now);
  // The same up to the completion of the request [first, end) that is being served: what it has not yet sent
  // over the bus must not be overwritten.
  void advance_during_request(Moment completion, SectorNumber first, SectorNumber end,
                              const BusProgress& bus);

  // The moment from which on the running read-ahead may be stopped.
  // REQUIRES: active(); wound to `now`.
  Moment stoppable_from(Moment now);
  // Stops reading at the first moment after `now` at which that is possible, and returns that moment.
  // REQUIRES: active(); wound to `now`.
  Moment stop(Moment now);

 private:
  SectorNumber run_end(const Segment& s) const;
  void read_until(SectorNumber end);
  void finish(Moment now);
  bool goes_on_to(const Track& next) const;
  void cross();
  void pause(SectorNumber before, Moment until);
  std::int64_t passed_before_first(std::int64_t sectors) const;
  void read_constrained(SectorNumber first, SectorNumber from, SectorNumber to, BusProgress& bus);

  const Mechanism& mechanism_;
  SegmentCache& cache_;
  Heads& heads_;
  std::int64_t prefetch_type_;
  std::int64_t min_readahead_;
  std::int64_t max_readahead_;
  bool may_overwrite_returned_;
  bool stop_mid_sector_;
  bool keep_free_sectors_;
  bool zero_latency_;

  bool active_ = false;
  std::size_t segment_ = 0;
  Run run_;
  Moment passing_from_ = 0;  // from here to run_.start the heads are on the track, passing over sectors
  Moment free_since_ = 0;
};

}  // namespace seekahead
