// Fits the seek curve a*sqrt(d-1) + b*(d-1) + c to measured seek times.
#pragma once

#include <vector>

#include "models/calibrate/least_squares.hpp"
#include "models/device/disk_parameters.hpp"

namespace seekahead {

struct MeasuredSeek {
  std::int64_t cylinders = 0;
  double ms = 0;
};

// Changes the seek curve of `parameters` (reads and writes alike); residuals in ms.
// REQUIRES: at least one row, distances >= 1.
Fit fit_seek_curve(DiskParameters& parameters, const std::vector<MeasuredSeek>& rows);

}  // namespace seekahead
