// Fits a device to a table of rate against I/O size, read one request after the other from end to end: the
// published form of readahead measurements.
#pragma once

#include <vector>

#include "models/calibrate/least_squares.hpp"
#include "models/device/fixed_latency.hpp"
#include "models/device/flash.hpp"

namespace seekahead {

struct RateRow {
  std::int64_t io_bytes = 0;
  double mb_per_s = 0;  // 10^6 bytes
};

// Bytes per second times 10^-6 of a sequential read in requests of `io_bytes`, found by running the device.
// REQUIRES: io_bytes is a multiple of the sector and no larger than the device.
double sequential_rate_mb_s(BlockDevice& device, std::int64_t io_bytes);

// The same from the model's formula (see flash.cpp), for a device that reads ahead.
double flash_rate_mb_s(const FlashParameters& parameters, double io_bytes);

// Fits command_overhead, channel_start and interface_rate of `parameters` (which is changed), with relative
// residuals. REQUIRES: at least one row, sizes and rates > 0.
Fit fit_flash(FlashParameters& parameters, const std::vector<RateRow>& rows);

// The same for access and bandwidth of a fixed-latency device.
Fit fit_fixed_latency(FixedLatencyParameters& parameters, const std::vector<RateRow>& rows);

}  // namespace seekahead
