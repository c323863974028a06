// Parameters of the mechanical disk, each declared once. They cover SCSI and Fibre Channel drives described
// the way DIXtrac extracts them (zones with skews and slipped sectors, seek points, overheads by kind) as
// well as IDE drives described by data sheets (skews in revolutions, seek times single/average/full, a write
// buffer). One struct a group; the groups are the tables of a drive file.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/scenario/parameters.hpp"

namespace seekahead {

// A zone: consecutive cylinders with the same number of sectors a track. LBNs run through the zones in order.
struct ZoneRow {
  std::int64_t first_cylinder = 0;
  std::int64_t last_cylinder = 0;
  std::int64_t sectors_per_track = 0;
  double first_block_offset = 0;      // angle of the zone's first sector, in sectors
  double track_skew_sectors = -1;     // < 0: from geometry.track_skew
  double cylinder_skew_sectors = -1;  // < 0: from geometry.cylinder_skew
  double band_skew_sectors = -1;      // < 0: the cylinder skew
  std::int64_t empty_sectors_at_front = 0;
  std::int64_t spares = 0;
  std::vector<double> slipped_sectors;  // physical sector numbers inside the zone
  void visit(ParameterVisitor& v);
};

struct GeometryParameters {
  std::int64_t lbns = 0;  // 0: all that the zones hold
  std::int64_t heads = 0;
  std::string mapping = "cylinder";
  std::int64_t band_cylinders = 65;
  std::string sparing = "zone-end";
  std::int64_t sparing_range_cylinders = 1;
  double track_skew = 0;     // revolutions
  double cylinder_skew = 0;  // revolutions
  std::vector<ZoneRow> zones;
  void visit(ParameterVisitor& v);
};

struct SeekPointRow {
  std::int64_t cylinders = 0;
  TimeNs time_ns = 0;
  void visit(ParameterVisitor& v);
};

// Seek time of one direction (reads or writes): either the three figures of a data sheet, to which a curve
// a*sqrt(d-1) + b*(d-1) + c is fitted over the drive's own cylinders, or that curve itself.
struct SeekFigures {
  TimeNs single_ns = 0;
  TimeNs average_ns = 0;
  TimeNs full_ns = 0;
  double a_ms = 0;
  double b_ms = 0;
  double c_ms = 0;
  void visit(ParameterVisitor& v);
};

struct MechanicsParameters {
  double rpm = 0;
  double start_angle = 0;
  bool random_start_angle = false;
  std::string seek = "points";
  std::vector<SeekPointRow> seek_points;
  SeekFigures read_seek;
  SeekFigures write_seek;  // all zero: as reads
  TimeNs head_switch_ns = 0;
  TimeNs cylinder_switch_ns = 0;
  TimeNs write_settle_ns = 0;
  void visit(ParameterVisitor& v);
};

struct CacheParameters {
  bool enabled = true;
  std::int64_t segments = 1;
  std::int64_t segment_sectors = 256;
  bool separate_write_segment = false;
  std::int64_t prefetch_type = 3;
  std::int64_t min_readahead_sectors = 0;
  std::int64_t max_readahead_sectors = 0;
  bool readahead_may_overwrite_returned = false;
  bool readahead_on_full_hit = false;
  bool almost_read_hits = true;
  bool stop_prefetch_mid_sector = false;
  bool read_free_blocks_before_request = false;
  bool zero_latency_read = false;
  bool zero_latency_write = false;
  bool read_hits_on_write_data = true;
  bool write_hit_stops_prefetch = true;
  std::int64_t fast_write_level = 2;
  std::int64_t write_buffer_sectors = 0;
  void visit(ParameterVisitor& v);
};

struct BusParameters {
  std::string kind = "scsi";
  std::string name;
  std::string mode = "udma5";
  double efficiency_percent = 85;
  std::int64_t rate_bytes_per_s = 160'000'000;
  TimeNs sector_time_ns = 0;
  TimeNs command_time_ns = 0;
  TimeNs reselect_time_ns = 0;
  std::int64_t burst_sectors = 1;
  TimeNs adapter_overhead_ns = 0;
  std::int64_t max_request_sectors = 0;
  void visit(ParameterVisitor& v);
};

struct OverheadParameters {
  TimeNs per_request_ns = 0;
  TimeNs read_hit_after_read_ns = 0;
  TimeNs read_hit_after_write_ns = 0;
  TimeNs read_miss_after_read_ns = 0;
  TimeNs read_miss_after_write_ns = 0;
  TimeNs write_hit_after_read_ns = 0;
  TimeNs write_hit_after_write_ns = 0;
  TimeNs write_miss_after_read_ns = 0;
  TimeNs write_miss_after_write_ns = 0;
  void visit(ParameterVisitor& v);
};

struct QueueParameters {
  std::int64_t depth = 1;
  std::string scheduling = "fcfs";
  void visit(ParameterVisitor& v);
};

struct DiskParameters : Parameters {
  GeometryParameters geometry;
  MechanicsParameters mechanics;
  CacheParameters cache;
  BusParameters bus;
  OverheadParameters overhead;
  QueueParameters queue;

  void visit(ParameterVisitor& v) override;
  void check(const ProblemSink& problem) const override;
};

}  // namespace seekahead
