#include "sim/device/response_comparison.hpp"

#include <algorithm>
#include <cmath>

namespace seekahead {

namespace {

double in_ms(TimeNs ns) { return static_cast<double>(ns) / 1e6; }

// Walks over two sorted lists as if they were one sorted list.
class Merged {
 public:
  Merged(const std::deque<TimeNs>& a, const std::deque<TimeNs>& b) : a_(a), b_(b) {}
  TimeNs next() {
    const bool from_a = j_ == b_.size() || (i_ < a_.size() && a_[i_] <= b_[j_]);
    return from_a ? a_[i_++] : b_[j_++];
  }

 private:
  const std::deque<TimeNs>& a_;
  const std::deque<TimeNs>& b_;
  std::size_t i_ = 0;
  std::size_t j_ = 0;
};

// Do the two differ by one revolution or more, but for a twentieth of one?
bool differ_by_revolutions(TimeNs difference_ns, TimeNs rotation_ns) {
  if (rotation_ns <= 0) {
    return false;
  }
  const TimeNs away = std::abs(difference_ns);
  const TimeNs turns = (away + rotation_ns / 2) / rotation_ns;
  return turns > 0 && std::abs(away - turns * rotation_ns) <= rotation_ns / 20;
}

}  // namespace

void ResponseComparison::add(bool is_write, TimeNs response_ns, TimeNs reference_ns) {
  Direction& d = is_write ? writes_ : reads_;
  d.ours.push_back(response_ns);
  d.reference.push_back(reference_ns);
  const double error_ms = in_ms(response_ns - reference_ns);
  d.squares_ms2 += error_ms * error_ms;
  d.max_ms = std::max(d.max_ms, std::fabs(error_ms));
  if (differ_by_revolutions(response_ns - reference_ns, rotation_ns_)) {
    ++d.off_by_revolutions;
    d.squares_of_revolutions_ms2 += error_ms * error_ms;
  }
}

// REQUIRES: sorted lists.
ComparisonFigures ResponseComparison::figures(const Direction& a, const Direction& b) {
  ComparisonFigures f;
  f.requests = a.ours.size() + b.ours.size();
  if (f.requests == 0) {
    return f;
  }
  const auto n = static_cast<double>(f.requests);
  Merged ours(a.ours, b.ours);
  Merged reference(a.reference, b.reference);
  double sum_ms = 0;
  double reference_sum_ms = 0;
  double squares_ms2 = 0;
  for (std::uint64_t i = 0; i < f.requests; ++i) {
    const double x = in_ms(ours.next());
    const double y = in_ms(reference.next());
    sum_ms += x;
    reference_sum_ms += y;
    squares_ms2 += (x - y) * (x - y);
  }
  f.mean_ms = sum_ms / n;
  f.reference_mean_ms = reference_sum_ms / n;
  f.demerit_ms = std::sqrt(squares_ms2 / n);
  f.demerit_percent = f.reference_mean_ms > 0 ? 100 * f.demerit_ms / f.reference_mean_ms : 0;
  const double all_squares = a.squares_ms2 + b.squares_ms2;
  f.rms_error_ms = std::sqrt(all_squares / n);
  f.max_error_ms = std::max(a.max_ms, b.max_ms);
  f.off_by_revolutions = a.off_by_revolutions + b.off_by_revolutions;
  const double rest = all_squares - a.squares_of_revolutions_ms2 - b.squares_of_revolutions_ms2;
  const auto others = static_cast<double>(f.requests - f.off_by_revolutions);
  f.rms_error_without_them_ms = others > 0 ? std::sqrt(std::max(0.0, rest) / others) : 0;
  return f;
}

ComparisonResult ResponseComparison::result() {
  for (Direction* d : {&reads_, &writes_}) {
    std::sort(d->ours.begin(), d->ours.end());
    std::sort(d->reference.begin(), d->reference.end());
  }
  const Direction none;
  return {figures(reads_, writes_), figures(reads_, none), figures(none, writes_)};
}

}  // namespace seekahead
