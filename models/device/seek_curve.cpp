#include "models/device/seek_curve.hpp"

#include <cmath>

namespace seekahead {

namespace {

constexpr double ns_per_ms_real = 1e6;

bool all_zero(const SeekFigures& f) {
  return f.single_ns == 0 && f.average_ns == 0 && f.full_ns == 0 && f.a_ms == 0 && f.b_ms == 0 && f.c_ms == 0;
}

// Mean of g(d) over pairs of random cylinders 0..n-1 with d > 0 drawn as d of two independent cylinders:
// probability of distance d is 2(n-d)/n^2.
template <class G>
double mean_over_pairs(std::int64_t n, G g) {
  const auto count = static_cast<double>(n);
  double sum = 0;
  for (std::int64_t d = 1; d < n; ++d) {
    sum += (count - static_cast<double>(d)) * g(static_cast<double>(d));
  }
  return 2 * sum / (count * count);
}

}  // namespace

// c is the single-cylinder time; a and b follow from two conditions: the full stroke and the mean.
SeekCurve::Formula SeekCurve::fit(const SeekFigures& figures, std::int64_t cylinders) {
  Formula f;
  f.c = static_cast<double>(figures.single_ns);
  if (cylinders < 3) {
    return f;
  }
  const double longest = static_cast<double>(cylinders - 1) - 1;
  const double mean_root = mean_over_pairs(cylinders, [](double d) { return std::sqrt(d - 1); });
  const double mean_line = mean_over_pairs(cylinders, [](double d) { return d - 1; });
  const double mean_one = mean_over_pairs(cylinders, [](double) { return 1.0; });
  const double full = static_cast<double>(figures.full_ns) - f.c;
  const double average = static_cast<double>(figures.average_ns) - f.c * mean_one;
  const double determinant = std::sqrt(longest) * mean_line - longest * mean_root;
  if (determinant == 0) {
    f.b = full / longest;
    return f;
  }
  f.a = (full * mean_line - longest * average) / determinant;
  f.b = (std::sqrt(longest) * average - full * mean_root) / determinant;
  return f;
}

SeekCurve::Formula SeekCurve::formula_of(const MechanicsParameters& m, const SeekFigures& figures,
                                         std::int64_t cylinders) {
  if (m.seek == "fitted") {
    return fit(figures, cylinders);
  }
  return {figures.a_ms * ns_per_ms_real, figures.b_ms * ns_per_ms_real, figures.c_ms * ns_per_ms_real};
}

SeekCurve::SeekCurve(const MechanicsParameters& m, std::int64_t cylinders) {
  if (m.seek == "points") {
    points_ = m.seek_points;
    std::size_t next = 0;
    for (std::int64_t d = 0; d <= points_.back().cylinders; ++d) {
      while (next < points_.size() && points_[next].cylinders <= d) {
        ++next;
      }
      point_after_.push_back(static_cast<std::int32_t>(next));
    }
    return;
  }
  read_ = formula_of(m, m.read_seek, cylinders);
  write_ = all_zero(m.write_seek) ? read_ : formula_of(m, m.write_seek, cylinders);
}

double SeekCurve::between_points(std::int64_t distance) const {
  const std::size_t after = distance < static_cast<std::int64_t>(point_after_.size())
                                ? static_cast<std::size_t>(point_after_[static_cast<std::size_t>(distance)])
                                : points_.size();
  if (points_.size() == 1) {
    return static_cast<double>(points_[0].time_ns);
  }
  // Before the first point and beyond the last the nearest two points give the line.
  const std::size_t upper = after == 0 ? 1 : after == points_.size() ? points_.size() - 1 : after;
  const SeekPointRow& p = points_[upper - 1];
  const SeekPointRow& q = points_[upper];
  const auto rise = static_cast<double>(q.time_ns - p.time_ns);
  const auto run = static_cast<double>(q.cylinders - p.cylinders);
  const double time =
      static_cast<double>(p.time_ns) + rise * (static_cast<double>(distance - p.cylinders) / run);
  return time > 0 ? time : 0;
}

double SeekCurve::time_ns(std::int64_t distance, bool is_write) const {
  if (distance == 0) {
    return 0;
  }
  if (!points_.empty()) {
    return between_points(distance);
  }
  const Formula& f = is_write ? write_ : read_;
  const auto d = static_cast<double>(distance - 1);
  const double time = f.a * std::sqrt(d) + f.b * d + f.c;
  return time > 0 ? time : 0;
}

}  // namespace seekahead
