#include "models/calibrate/seek_points.hpp"

#include <algorithm>
#include <cmath>

namespace seekahead {

Fit fit_seek_curve(DiskParameters& parameters, const std::vector<MeasuredSeek>& rows) {
  double shortest = rows.front().ms;
  double longest = 1;
  for (const MeasuredSeek& row : rows) {
    shortest = std::min(shortest, row.ms);
    longest = std::max(longest, static_cast<double>(row.cylinders));
  }
  const std::vector<FitParameter> start = {
      {"mechanics.read_seek.a", 0, -1e3, 1e3, 1e-3 / std::sqrt(longest)},
      {"mechanics.read_seek.b", 0, -1e3, 1e3, 1e-3 / longest},
      {"mechanics.read_seek.c", shortest, 0, 1e3, 1e-3},
  };
  const Residuals residuals = [&rows](const std::vector<double>& x) {
    std::vector<double> r;
    for (const MeasuredSeek& row : rows) {
      const auto d = static_cast<double>(row.cylinders - 1);
      r.push_back(x[0] * std::sqrt(d) + x[1] * d + x[2] - row.ms);
    }
    return r;
  };
  Fit fit = fit_least_squares(start, residuals);
  MechanicsParameters& m = parameters.mechanics;
  m.seek = "formula";
  m.seek_points.clear();
  m.read_seek = {};
  m.write_seek = {};
  m.read_seek.a_ms = fit.parameters[0].parameter.value;
  m.read_seek.b_ms = fit.parameters[1].parameter.value;
  m.read_seek.c_ms = fit.parameters[2].parameter.value;
  return fit;
}

}  // namespace seekahead
