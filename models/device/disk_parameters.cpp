#include "models/device/disk_parameters.hpp"

namespace seekahead {

namespace {
constexpr std::int64_t max_cylinders = 10'000'000;
constexpr std::int64_t max_sectors_per_track = 100'000;
constexpr std::int64_t max_lbns = std::int64_t{1} << 40;
constexpr TimeNs max_time_ns = 10 * ns_per_s;
constexpr std::string_view diskmodel = "DIXtrac / DiskSim 4.0";
constexpr std::string_view data_sheet = "data sheet";
}  // namespace

void ZoneRow::visit(ParameterVisitor& v) {
  v.integer("first_cylinder", first_cylinder, {0, max_cylinders}, "first cylinder of the zone", diskmodel);
  v.integer("last_cylinder", last_cylinder, {0, max_cylinders}, "last cylinder of the zone", diskmodel);
  v.integer("sectors_per_track", sectors_per_track, {1, max_sectors_per_track}, "sectors a track", diskmodel);
  v.real("first_block_offset", first_block_offset, {0, 1e5},
         "angle of the zone's first sector, counted in its sectors", diskmodel);
  v.real("track_skew_sectors", track_skew_sectors, {-1, 1e5},
         "angle from track to track of a cylinder, in sectors; -1: geometry.track_skew", diskmodel);
  v.real("cylinder_skew_sectors", cylinder_skew_sectors, {-1, 1e5},
         "angle from cylinder to cylinder, in sectors; -1: geometry.cylinder_skew", diskmodel);
  v.real("band_skew_sectors", band_skew_sectors, {-1, 1e5},
         "angle from band to band of mapping surface-serpentine, in sectors; -1: the cylinder skew",
         diskmodel);
  v.sectors("empty_sectors_at_front", empty_sectors_at_front, {0, max_lbns},
            "sectors at the zone's front that hold no LBN", diskmodel);
  v.sectors("spares", spares, {0, max_lbns},
            "spare sectors: at the zone's end, or at the end of each sparing range", diskmodel);
  v.numbers("slipped_sectors", slipped_sectors, {0, 1e12},
            "defects passed over: physical sector numbers inside the zone", diskmodel);
}

void GeometryParameters::visit(ParameterVisitor& v) {
  v.enter("geometry");
  v.sectors("lbns", lbns, {0, max_lbns}, "capacity; 0: all that the zones hold", "identify data, boot logs");
  v.integer("heads", heads, {1, 255}, "surfaces", data_sheet);
  v.choice(
      "mapping", mapping, {"cylinder", "serpentine", "surface-serpentine"},
      "order of tracks: head by head through a cylinder; the same with every other cylinder backwards; "
      "a band of cylinders on one surface, then back on the next, surfaces backwards in every other band",
      diskmodel);
  v.integer("band_cylinders", band_cylinders, {1, max_cylinders},
            "cylinders of a band of mapping surface-serpentine", diskmodel);
  v.choice(
      "sparing", sparing, {"zone-end", "range-end", "shift"},
      "spares lie at the zone's end, or at the end of every sparing range, and slipped sectors use them up; "
      "shift: slipped sectors move everything behind them, following zones included",
      diskmodel);
  v.integer("sparing_range_cylinders", sparing_range_cylinders, {1, max_cylinders},
            "cylinders of a range of sparing range-end", diskmodel);
  v.real("track_skew", track_skew, {0, 1},
         "track skew in revolutions, of zones that give none (made one whole sector larger at least)",
         data_sheet);
  v.real("cylinder_skew", cylinder_skew, {0, 1}, "cylinder skew in revolutions, of zones that give none",
         data_sheet);
  v.rows("zones", zones, "zones from the outermost inwards", diskmodel);
  v.leave();
}

void SeekPointRow::visit(ParameterVisitor& v) {
  v.integer("cylinders", cylinders, {1, max_cylinders}, "distance", diskmodel);
  v.time("time", time_ns, {0, max_time_ns}, "seek time over that distance", diskmodel);
}

void SeekFigures::visit(ParameterVisitor& v) {
  v.time("single", single_ns, {0, max_time_ns}, "to the next cylinder (seek = fitted)", data_sheet);
  v.time("average", average_ns, {0, max_time_ns}, "mean over random pairs of cylinders (seek = fitted)",
         data_sheet);
  v.time("full", full_ns, {0, max_time_ns}, "over all cylinders (seek = fitted)", data_sheet);
  v.real("a", a_ms, {-1e3, 1e3}, "ms; the a of a*sqrt(d-1) + b*(d-1) + c (seek = formula)", data_sheet);
  v.real("b", b_ms, {-1e3, 1e3}, "ms; the b of a*sqrt(d-1) + b*(d-1) + c (seek = formula)", data_sheet);
  v.real("c", c_ms, {0, 1e3}, "ms; the c of a*sqrt(d-1) + b*(d-1) + c (seek = formula)", data_sheet);
}

void MechanicsParameters::visit(ParameterVisitor& v) {
  v.enter("mechanics");
  v.real("rpm", rpm, {1, 1e6}, "revolutions a minute", data_sheet);
  v.real("start_angle", start_angle, {0, 1}, "angle under the heads at time 0, in revolutions", "chosen");
  v.boolean("random_start_angle", random_start_angle, "draw start_angle from the scenario's seed", "chosen");
  v.choice(
      "seek", seek, {"points", "fitted", "formula"},
      "form of the seek curve: seek_points with straight lines between and beyond them; fitted to single, "
      "average and full; or the formula itself",
      diskmodel);
  v.rows("seek_points", seek_points, "measured seek times, ascending in distance", diskmodel);
  v.enter("read_seek");
  read_seek.visit(v);
  v.leave();
  v.enter("write_seek");
  write_seek.visit(v);
  v.leave();
  v.time("head_switch", head_switch_ns, {0, max_time_ns},
         "from one surface to another: the least time of a positioning that changes the head", data_sheet);
  v.time("cylinder_switch", cylinder_switch_ns, {0, max_time_ns},
         "to the next cylinder in the course of a transfer, reads and writes alike; 0: as any seek",
         data_sheet);
  v.time("write_settle", write_settle_ns, {0, max_time_ns},
         "added to every seek or head switch that is not zero and ends in a write", diskmodel);
  v.leave();
}

void CacheParameters::visit(ParameterVisitor& v) {
  v.enter("cache");
  v.boolean("enabled", enabled, "off: every request goes to the media and nothing is read ahead", diskmodel);
  v.integer("segments", segments, {1, 4096}, "segments, each holding one run of consecutive sectors",
            diskmodel);
  v.sectors("segment_sectors", segment_sectors, {1, 10'000'000}, "size of a segment", diskmodel);
  v.boolean("separate_write_segment", separate_write_segment,
            "writes have a segment of their own and never take one from reads", diskmodel);
  v.integer(
      "prefetch_type", prefetch_type, {0, 4},
      "read on after a request: 0 no, 1 to the end of the track, 2 of the cylinder, 3 until the segment "
      "is full, 4 to the end of the track after the request's, one more on a sequential run",
      diskmodel);
  v.sectors("min_readahead_sectors", min_readahead_sectors, {0, 10'000'000},
            "read on at least so far before another request may stop it", diskmodel);
  v.sectors("max_readahead_sectors", max_readahead_sectors, {0, 10'000'000},
            "longest read-ahead of prefetch_type 3; 0: the segment's size", diskmodel);
  v.boolean("readahead_may_overwrite_returned", readahead_may_overwrite_returned,
            "prefetch_type 3: read-ahead may replace the sectors of the request itself", diskmodel);
  v.boolean("readahead_on_full_hit", readahead_on_full_hit,
            "a whole hit on a segment whose read-ahead has ended starts it again", diskmodel);
  v.boolean("almost_read_hits", almost_read_hits,
            "a request for the very sector that is being read ahead counts as a hit", diskmodel);
  v.boolean("stop_prefetch_mid_sector", stop_prefetch_mid_sector,
            "a stopped read-ahead does not finish the sector under the head", diskmodel);
  v.boolean("read_free_blocks_before_request", read_free_blocks_before_request,
            "sectors that pass under the head before the request's first are kept as well", diskmodel);
  v.boolean("zero_latency_read", zero_latency_read, "reads start with whichever sector comes first",
            diskmodel);
  v.boolean("zero_latency_write", zero_latency_write,
            "a write that just missed its first sector starts with the next", diskmodel);
  v.boolean("read_hits_on_write_data", read_hits_on_write_data, "written sectors may be read from the cache",
            diskmodel);
  v.boolean("write_hit_stops_prefetch", write_hit_stops_prefetch,
            "a write into a segment that is reading ahead stops the read-ahead", diskmodel);
  v.integer(
      "fast_write_level", fast_write_level, {0, 2},
      "writes complete: 0 on the media, 1 in the cache if they append to the last write and nothing else "
      "waits, 2 in the cache; other requests wait until written data is on the media",
      diskmodel);
  v.sectors(
      "write_buffer_sectors", write_buffer_sectors, {0, 10'000'000},
      "0: writes go by fast_write_level; otherwise a write buffer of this size that accepts writes while "
      "it has room and writes them out in the background",
      data_sheet);
  v.leave();
}

void BusParameters::visit(ParameterVisitor& v) {
  v.enter("bus");
  v.choice(
      "kind", kind, {"ide", "scsi", "fc"},
      "ide: one command at a time, held until it ends; scsi: shared, released while the drive positions; "
      "fc: a link in each direction",
      data_sheet);
  v.text("name", name, "devices that give the same name share the bus; empty: a bus of its own", "chosen");
  v.choice("mode", mode, {"pio4", "udma2", "udma4", "udma5", "udma6"},
           "transfer mode of an ide bus: 16.6, 33.3, 66.7, 100, 133 MB/s", "ATA/ATAPI-6");
  v.percent("efficiency", efficiency_percent, {1, 100}, "share of the mode's rate that data gets",
            "80-90 %, estimate");
  v.rate("rate", rate_bytes_per_s, {100'000, 100'000'000'000}, "data rate of a scsi or fc bus", data_sheet);
  v.time("sector_time", sector_time_ns, {0, max_time_ns},
         "time of one sector on the bus; 0: from mode and efficiency (ide) or rate", diskmodel);
  v.time("command_time", command_time_ns, {0, max_time_ns},
         "arbitration, selection and command phases of one command, occupying the bus", "20-60 us, estimate");
  v.time("reselect_time", reselect_time_ns, {0, max_time_ns},
         "arbitration and reselection before each burst of data, occupying the bus", "estimate");
  v.sectors("burst_sectors", burst_sectors, {1, 65536}, "sectors gathered before the drive asks for the bus",
            diskmodel);
  v.time("adapter_overhead", adapter_overhead_ns, {0, max_time_ns},
         "host adapter or controller time of a command, before it reaches the bus", "estimate");
  v.sectors("max_request", max_request_sectors, {0, 65536},
            "largest command; 0: 256 sectors on ide, 65535 on scsi and fc", "ATA/ATAPI-6, SBC");
  v.leave();
}

void OverheadParameters::visit(ParameterVisitor& v) {
  v.enter("overhead");
  const auto time = [&v](std::string_view name, TimeNs& value, std::string_view help) {
    v.time(name, value, {0, max_time_ns}, help, diskmodel);
  };
  time("per_request", per_request_ns, "of every request, before anything else");
  time("read_hit_after_read", read_hit_after_read_ns, "a read found in the cache, after a read");
  time("read_hit_after_write", read_hit_after_write_ns, "a read found in the cache, after a write");
  time("read_miss_after_read", read_miss_after_read_ns, "a read from the media, after a read");
  time("read_miss_after_write", read_miss_after_write_ns, "a read from the media, after a write");
  time("write_hit_after_read", write_hit_after_read_ns, "a write accepted by the cache, after a read");
  time("write_hit_after_write", write_hit_after_write_ns, "a write accepted by the cache, after a write");
  time("write_miss_after_read", write_miss_after_read_ns, "a write that waits for the media, after a read");
  time("write_miss_after_write", write_miss_after_write_ns,
       "a write that waits for the media, after a write");
  v.leave();
}

void QueueParameters::visit(ParameterVisitor& v) {
  v.enter("queue");
  v.integer("depth", depth, {1, 4096}, "commands the drive holds at once (an ide bus holds one)", data_sheet);
  v.choice(
      "scheduling", scheduling, {"fcfs", "clook", "sstf", "sptf"},
      "order of the drive's queue: as they came; upwards by LBN, then again from the lowest; nearest LBN; "
      "shortest seek and rotation",
      diskmodel);
  v.leave();
}

void DiskParameters::visit(ParameterVisitor& v) {
  geometry.visit(v);
  mechanics.visit(v);
  cache.visit(v);
  bus.visit(v);
  overhead.visit(v);
  queue.visit(v);
}

}  // namespace seekahead
