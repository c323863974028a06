// A write buffer: accepts writes while it has room and puts them on the media in the background, in the order
// in which they came; sectors that follow each other are written without a pause.
#pragma once

#include <deque>

#include "models/device/media_writer.hpp"

namespace seekahead {

class WriteBuffer {
 public:
  WriteBuffer(const Mechanism& mechanism, std::int64_t sectors, Heads& heads)
      : mechanism_(mechanism), capacity_(sectors), heads_(heads) {}

  bool empty() const { return extents_.empty(); }
  bool writing() const { return writing_; }
  Arm arm() const { return run_.arm(); }  // REQUIRES: writing()
  bool overlaps(SectorNumber lbn, std::int64_t sectors) const;
  // How many sectors must get onto the media before `sectors` more have room.
  std::int64_t missing_room(std::int64_t sectors) const;
  // When the heads last became free, and when the first sector that waits came. REQUIRES: !empty().
  Moment ready_since() const;

  void accept(std::int64_t sectors, const DataArrival& data);
  // Starts to write out at `at`. REQUIRES: !empty(), !writing().
  void begin(Moment at);
  // Winds the writing to `now`.
  void advance(Moment now);
  // Winds on until `sectors` more are on the media; returns that moment. REQUIRES: writing().
  Moment write_out(std::int64_t sectors);
  std::int64_t used() const { return used_; }
  // Stops at the end of the sector under the heads; returns that moment. REQUIRES: writing().
  Moment stop(Moment now);

 private:
  struct Extent {
    SectorNumber from;
    SectorNumber end;
    DataArrival data;
  };

  SectorNumber piece_end();
  void written(SectorNumber to);
  void go_to_next(Moment now);

  const Mechanism& mechanism_;
  std::int64_t capacity_;
  Heads& heads_;
  std::deque<Extent> extents_;
  std::int64_t used_ = 0;
  bool writing_ = false;
  Run run_;
  Moment free_since_ = 0;
};

}  // namespace seekahead
