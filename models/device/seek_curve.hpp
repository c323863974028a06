// Seek time over a distance in cylinders, of reads and of writes.
#pragma once

#include <cstdint>
#include <vector>

#include "models/device/disk_parameters.hpp"

namespace seekahead {

class SeekCurve {
 public:
  // `cylinders` of the drive: what `fitted` curves are fitted over.
  // REQUIRES: the parameters passed DiskParameters::check().
  SeekCurve(const MechanicsParameters& parameters, std::int64_t cylinders);

  // Nanoseconds; 0 for distance 0. Straight lines between points and, beyond the last one, the line through
  // the last two. Curves are not always monotone: extracted ones are kept as they are.
  double time_ns(std::int64_t distance, bool is_write) const;

 private:
  struct Formula {
    double a = 0;
    double b = 0;
    double c = 0;  // nanoseconds
  };
  static Formula fit(const SeekFigures& figures, std::int64_t cylinders);
  static Formula formula_of(const MechanicsParameters& m, const SeekFigures& figures, std::int64_t cylinders);
  double between_points(std::int64_t distance) const;

  std::vector<SeekPointRow> points_;
  std::vector<std::int32_t>
      point_after_;  // first point beyond a distance, for distances up to the last point
  Formula read_;
  Formula write_;
};

}  // namespace seekahead
