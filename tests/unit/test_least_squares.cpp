#include <catch2/catch.hpp>
#include <cmath>

#include "models/calibrate/least_squares.hpp"

using namespace seekahead;

TEST_CASE("least squares finds the parameters of a curve and their confidence") {
  // y = a exp(-b t) with a = 5, b = 0.7 and an alternating error of 0.01.
  std::vector<double> t;
  std::vector<double> y;
  for (int i = 0; i < 40; ++i) {
    t.push_back(0.1 * i);
    y.push_back(5 * std::exp(-0.7 * t.back()) + (i % 2 == 0 ? 0.01 : -0.01));
  }
  const auto residuals = [&](const std::vector<double>& x) {
    std::vector<double> r;
    for (std::size_t i = 0; i < t.size(); ++i) {
      r.push_back(x[0] * std::exp(-x[1] * t[i]) - y[i]);
    }
    return r;
  };
  const Fit fit = fit_least_squares({{"a", 1, 0, 100, 1e-3}, {"b", 2, 0, 10, 1e-4}}, residuals);
  CHECK(fit.parameters[0].parameter.value == Approx(5).epsilon(0.005));
  CHECK(fit.parameters[1].parameter.value == Approx(0.7).epsilon(0.01));
  CHECK(fit.rms == Approx(0.01).epsilon(0.02));
  CHECK(fit.rms_before > 1);
  CHECK_FALSE(fit.parameters[0].undetermined);
  // The true values lie inside the intervals, and the intervals are not absurd.
  CHECK(std::fabs(fit.parameters[0].parameter.value - 5) < fit.parameters[0].half_width);
  CHECK(fit.parameters[0].half_width < 0.05);
  CHECK(fit.parameters[1].half_width < 0.02);
}

TEST_CASE("least squares tells which parameters the data cannot determine") {
  // Only the sum of a and b shows; c shows not at all; d is determined.
  const auto residuals = [](const std::vector<double>& x) {
    std::vector<double> r;
    for (int i = 0; i < 10; ++i) {
      r.push_back(x[0] + x[1] - 3 + x[3] * i - 2.0 * i + (i % 3 - 1) * 0.01);
    }
    return r;
  };
  const Fit fit = fit_least_squares(
      {{"a", 1, 0, 10, 0.01}, {"b", 1, 0, 10, 0.01}, {"c", 1, 0, 10, 0.01}, {"d", 1, 0, 10, 0.01}},
      residuals);
  CHECK(fit.parameters[0].undetermined);
  CHECK(fit.parameters[1].undetermined);
  CHECK(fit.parameters[2].undetermined);
  CHECK_FALSE(fit.parameters[3].undetermined);
  CHECK(fit.parameters[3].parameter.value == Approx(2).epsilon(0.01));
}

TEST_CASE("least squares stays inside the bounds") {
  const auto residuals = [](const std::vector<double>& x) { return std::vector<double>{x[0] + 5, x[0] + 6}; };
  const Fit fit = fit_least_squares({{"a", 3, 0, 10, 0.01}}, residuals);
  CHECK(fit.parameters[0].parameter.value == Approx(0).margin(1e-12));
  CHECK(fit.parameters[0].at_bound);
}

TEST_CASE("least squares goes on with the others when one parameter is held at its bound") {
  // The best a is -2, which is out of bounds.
  const auto residuals = [](const std::vector<double>& x) {
    std::vector<double> r;
    for (int i = 0; i < 4; ++i) {
      r.push_back(x[0] + x[1] * i - (-2 + 2.4 * i));
    }
    return r;
  };
  const Fit fit = fit_least_squares({{"a", 3, 0, 10, 0.01}, {"b", 0, -10, 10, 0.01}}, residuals);
  CHECK(fit.parameters[0].parameter.value == Approx(0).margin(1e-12));
  // min over b of sum (b i + 2 - 2.4 i)^2: b = (2.4 * 14 - 2 * 6) / 14.
  CHECK(fit.parameters[1].parameter.value == Approx(21.6 / 14));
  CHECK(fit.iterations < 20);
}
