// What `seekahead calibrate` can be given, told apart by the names of the columns:
//
//   lbn, blocks, is_read, measured_ms [, gap_to_next_arrival_ms]   service times of a real drive
//   io_size or io_kb, mb_s                                         rate of sequential reading against I/O
//   size cylinders, seek_ms                                             seek times
//
// (measurements.cpp lists other names in use for these columns.)
#pragma once

#include <string>
#include <vector>

#include "models/calibrate/rate_table.hpp"
#include "models/calibrate/seek_points.hpp"
#include "models/calibrate/service_times.hpp"

namespace seekahead::cli {

struct Measurements {
  enum class Kind { unknown, service_times, rates, seeks };
  Kind kind = Kind::unknown;
  std::vector<MeasuredService> services;
  std::vector<RateRow> rates;
  std::vector<MeasuredSeek> seeks;
  std::vector<std::string> problems;  // "FILE:LINE: error: ..."
  std::size_t rows() const { return services.size() + rates.size() + seeks.size(); }
};

// Requests must lie on `device`.
Measurements read_measurements(const std::string& path, const BlockDevice& device);

}  // namespace seekahead::cli
