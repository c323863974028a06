#include "models/calibrate/least_squares.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <utility>

namespace seekahead {

namespace {

using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;

class Solver {
 public:
  Solver(const std::vector<FitParameter>& parameters, const Residuals& residuals)
      : parameters_(parameters), model_(residuals), x_(static_cast<Eigen::Index>(parameters.size())) {
    for (Eigen::Index i = 0; i < x_.size(); ++i) {
      x_(i) = at(i).value;
    }
    r_ = evaluate(x_);
    rms_before_ = rms(r_);
  }

  void run(int most_iterations) {
    double damping = 1e-3;
    for (; iterations_ < most_iterations && damping < 1e12; ++iterations_) {
      const Matrix j = jacobian();
      if (!improve(j, damping)) {
        return;
      }
    }
  }

  Fit result() {
    Fit fit;
    fit.residuals.assign(r_.begin(), r_.end());
    fit.rms_before = rms_before_;
    fit.rms = rms(r_);
    fit.iterations = iterations_;
    const Matrix j = jacobian();
    const std::vector<bool> blind = undetermined(j);
    const Vector widths = half_widths(j, blind);
    for (Eigen::Index i = 0; i < x_.size(); ++i) {
      FittedParameter p;
      p.parameter = at(i);
      p.parameter.value = x_(i);
      p.at_bound = x_(i) <= at(i).low || x_(i) >= at(i).high;
      p.undetermined = blind[static_cast<std::size_t>(i)];
      p.half_width = p.undetermined || r_.size() <= x_.size() ? -1 : widths(i);
      fit.parameters.push_back(std::move(p));
    }
    return fit;
  }

 private:
  const FitParameter& at(Eigen::Index i) const { return parameters_[static_cast<std::size_t>(i)]; }

  static double rms(const Vector& r) {
    return std::sqrt(r.squaredNorm() / static_cast<double>(std::max<Eigen::Index>(1, r.size())));
  }

  Vector evaluate(const Vector& x) const {
    const std::vector<double> r = model_(std::vector<double>(x.begin(), x.end()));
    return Eigen::Map<const Vector>(r.data(), static_cast<Eigen::Index>(r.size()));
  }

  // Derivatives in units of each parameter's step, so that all columns are of a like size.
  Matrix jacobian() const {
    Matrix j(r_.size(), x_.size());
    for (Eigen::Index i = 0; i < x_.size(); ++i) {
      Vector up = x_;
      Vector down = x_;
      up(i) = std::min(at(i).high, x_(i) + at(i).step);
      down(i) = std::max(at(i).low, x_(i) - at(i).step);
      j.col(i) = (evaluate(up) - evaluate(down)) * (at(i).step / (up(i) - down(i)));
    }
    return j;
  }

  // One accepted step, or false when none makes the sum of squares smaller.
  bool improve(const Matrix& j, double& damping) {
    Matrix normal = j.transpose() * j;
    Vector gradient = j.transpose() * r_;
    for (Eigen::Index i = 0; i < x_.size(); ++i) {
      // A parameter that its bound holds back stays there for this step.
      if ((x_(i) <= at(i).low && gradient(i) > 0) || (x_(i) >= at(i).high && gradient(i) < 0)) {
        normal.row(i).setZero();
        normal.col(i).setZero();
        normal(i, i) = 1;
        gradient(i) = 0;
      }
    }
    for (; damping < 1e12; damping *= 8) {
      Matrix damped = normal;
      damped.diagonal() += damping * (normal.diagonal().array() + 1e-12).matrix();
      const Vector steps = damped.ldlt().solve(-gradient);
      Vector x = x_;
      for (Eigen::Index i = 0; i < x.size(); ++i) {
        x(i) = std::clamp(x_(i) + steps(i) * at(i).step, at(i).low, at(i).high);
      }
      const Vector r = evaluate(x);
      if (r.squaredNorm() < r_.squaredNorm()) {
        const bool converged = r_.squaredNorm() - r.squaredNorm() < 1e-10 * r_.squaredNorm();
        x_ = x;
        r_ = r;
        damping /= 20;
        return !converged;
      }
    }
    return false;
  }

  // A parameter is undetermined when moving it, the others making up for it as well as they can, leaves the
  // residuals where they are.
  std::vector<bool> undetermined(const Matrix& j) const {
    std::vector<bool> blind;
    for (Eigen::Index i = 0; i < j.cols(); ++i) {
      const Vector column = j.col(i);
      Matrix others(j.rows(), j.cols() - 1);
      others << j.leftCols(i), j.rightCols(j.cols() - 1 - i);
      const double whole = column.norm();
      double own = whole;
      if (others.cols() > 0 && whole > 0) {
        own = (column - others * others.completeOrthogonalDecomposition().solve(column)).norm();
      }
      blind.push_back(!(own > 1e-6 * whole) || whole < 1e-12);
    }
    return blind;
  }

  Vector half_widths(const Matrix& j, const std::vector<bool>& blind) const {
    Vector widths = Vector::Constant(x_.size(), -1);
    std::vector<Eigen::Index> kept;
    for (Eigen::Index i = 0; i < x_.size(); ++i) {
      if (!blind[static_cast<std::size_t>(i)]) {
        kept.push_back(i);
      }
    }
    const auto n = static_cast<Eigen::Index>(kept.size());
    if (n == 0 || r_.size() <= n) {
      return widths;
    }
    Matrix part(j.rows(), n);
    for (Eigen::Index k = 0; k < n; ++k) {
      part.col(k) = j.col(kept[static_cast<std::size_t>(k)]);
    }
    const double variance = r_.squaredNorm() / static_cast<double>(r_.size() - n);
    const Matrix covariance =
        (part.transpose() * part).completeOrthogonalDecomposition().pseudoInverse() * variance;
    for (Eigen::Index k = 0; k < n; ++k) {
      const Eigen::Index i = kept[static_cast<std::size_t>(k)];
      widths(i) = 1.96 * std::sqrt(std::max(0.0, covariance(k, k))) * at(i).step;
    }
    return widths;
  }

  const std::vector<FitParameter>& parameters_;
  const Residuals& model_;
  Vector x_;
  Vector r_;
  double rms_before_ = 0;
  int iterations_ = 0;
};

}  // namespace

Fit fit_least_squares(const std::vector<FitParameter>& parameters, const Residuals& residuals,
                      int most_iterations) {
  Solver solver(parameters, residuals);
  solver.run(most_iterations);
  return solver.result();
}

}  // namespace seekahead
