// Compares simulated response times with those of a reference, as disk models are judged in the literature:
// the demerit figure is the root mean square distance of the two sorted lists. Keeps 16 bytes a request.
#pragma once

#include <cstdint>
#include <deque>

#include "sim/engine/units.hpp"

namespace seekahead {

// Figures of one class of requests; all of them are 0 when there were none.
struct ComparisonFigures {
  std::uint64_t requests = 0;
  double mean_ms = 0;
  double reference_mean_ms = 0;
  double demerit_ms = 0;
  double demerit_percent = 0;  // of the reference's mean
  double rms_error_ms = 0;     // request by request
  double max_error_ms = 0;
  // Requests that differ by whole revolutions (within 5 % of one): a tie at a sector's edge decided the other
  // way. Zero for a device without rotation.
  std::uint64_t off_by_revolutions = 0;
  double rms_error_without_them_ms = 0;
};

struct ComparisonResult {
  ComparisonFigures all;
  ComparisonFigures reads;
  ComparisonFigures writes;
};

class ResponseComparison {
 public:
  explicit ResponseComparison(TimeNs rotation_ns) : rotation_ns_(rotation_ns) {}

  void add(bool is_write, TimeNs response_ns, TimeNs reference_ns);
  ComparisonResult result();

 private:
  // Response times and sums over the differences of one direction.
  struct Direction {
    std::deque<TimeNs> ours;
    std::deque<TimeNs> reference;
    double squares_ms2 = 0;
    double squares_of_revolutions_ms2 = 0;
    double max_ms = 0;
    std::uint64_t off_by_revolutions = 0;
  };

  static ComparisonFigures figures(const Direction& a, const Direction& b);

  TimeNs rotation_ns_;
  Direction reads_;
  Direction writes_;
};

}  // namespace seekahead
