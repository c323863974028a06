// Damped least squares (Levenberg-Marquardt) for models of a few parameters, with what a user needs to know
// about the outcome: how far each parameter is determined, and which are not determined at all.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace seekahead {

struct FitParameter {
  std::string name;
  double value = 0;  // start, then result
  double low = 0;    // bounds
  double high = 0;
  double step = 0;  // for the numerical derivative, in units of the parameter
};

// Residuals (simulated - measured, in units of your choice) at the given parameter values; always equally
// many.
using Residuals = std::function<std::vector<double>(const std::vector<double>& values)>;

struct FittedParameter {
  FitParameter parameter;
  // Half the width of the 95 % confidence interval; < 0: there are no more data than parameters.
  double half_width = -1;
  // The residuals do not change with this parameter, or another one makes up for it, or it is at a bound.
  bool undetermined = false;
  bool at_bound = false;
};

struct Fit {
  std::vector<FittedParameter> parameters;
  std::vector<double> residuals;
  double rms_before = 0;
  double rms = 0;
  int iterations = 0;
};

Fit fit_least_squares(const std::vector<FitParameter>& parameters, const Residuals& residuals,
                      int most_iterations = 60);

}  // namespace seekahead
