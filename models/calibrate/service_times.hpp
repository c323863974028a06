// Fits a disk to service times measured on a real drive: overheads, seek curve and bus.
//
// The rotational phase of the real drive is not known, so single requests cannot be compared; what is
// compared is the distribution: equal quantiles of the response times, reads and writes apart.
#pragma once

#include <vector>

#include "models/calibrate/least_squares.hpp"
#include "models/device/disk_parameters.hpp"
#include "sim/device/replay.hpp"

namespace seekahead {

struct MeasuredService {
  ReplayRequest request;  // think_ns: the measured gap
  TimeNs measured_ns = 0;
};

// Demerit figures (see sim/device/response_comparison.hpp) before and after, in percent of the mean.
struct ServiceFit {
  Fit fit;
  double demerit_before_percent = 0;
  double demerit_percent = 0;
  double reads_demerit_percent = 0;
  double writes_demerit_percent = 0;
};

// Replays the requests closed, one at a time, in every step of the fit and changes `parameters`. Residuals
// are differences of quantiles in ms. REQUIRES: at least one row; every request lies on the drive.
ServiceFit fit_service_times(DiskParameters& parameters, const std::vector<MeasuredService>& rows);

}  // namespace seekahead
