// The heads while they write: consecutive LBNs whose data comes over the bus, sector by sector. A sector
// whose data is not there when it comes under the heads waits a revolution.
#pragma once

#include <vector>
#include "models/device/mechanism.hpp"

#include "models/device/media_reader.hpp"

namespace seekahead {

// When the data of consecutive sectors from `first` on is in the drive's buffer: sector i (from 0) at
// start + (i + 1) * interval.
struct DataArrival {
  SectorNumber first = 0;
  Moment start = 0;
  double interval = 0;

  Moment of(SectorNumber lbn) const { return start + static_cast<double>(lbn - first + 1) * interval; }
};

class MediaWriter {
 public:
  MediaWriter(const Mechanism& mechanism, bool zero_latency, Heads& heads)
      : mechanism_(mechanism), zero_latency_(zero_latency), heads_(heads) {}

  // Leaves at `at` for sector `from` and writes [from, end). Returns the end of the last sector.
  Moment write(Moment at, SectorNumber from, SectorNumber end, const DataArrival& data, Positioning& share);
  // Goes on behind the last write, up to `end` at most, as long as each next sector's data is there when the
  // heads come to it. Returns the end of the last sector written so.
  Moment go_on(SectorNumber end, const DataArrival& data);

  // The first sector behind what is on the media at `now` of the write under way.
  SectorNumber written_at(Moment now) const;
  // When a sector of the write under way is on the media.
  Moment end_of(SectorNumber lbn) const;

 private:
  // Sectors [first, end) passing under the heads without a gap.
  struct Passage {
    SectorNumber first;
    SectorNumber end;
    Moment start;
    double sector_ns;
  };

  void write_on_track(SectorNumber to, const DataArrival& data);
  void passed(SectorNumber first);
  bool write_around(SectorNumber to, const DataArrival& data);
  void cross();

  const Mechanism& mechanism_;
  bool zero_latency_;
  Heads& heads_;
  Run run_;
  bool around_ = false;  // the run's track went round; `run_` tells of its first passage
  std::vector<Passage> passages_;
  SectorNumber next_ = 0;  // behind the last sector written
  Moment end_ = 0;         // of the last sector written
};

}  // namespace seekahead
