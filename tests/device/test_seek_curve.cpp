#include "models/device/seek_curve.hpp"
#include "tests/drive_under_test.hpp"

using namespace seekahead;

namespace {

double mean_over_random_pairs(const SeekCurve& curve, std::int64_t cylinders) {
  double sum = 0;
  const auto n = static_cast<double>(cylinders);
  for (std::int64_t d = 1; d < cylinders; ++d) {
    sum += 2 * (n - static_cast<double>(d)) / (n * n) * curve.time_ns(d, false);
  }
  return sum;
}

}  // namespace

TEST_CASE("seek times run straight between points and beyond the last") {
  MechanicsParameters m;
  m.seek_points = {{1, 1000}, {3, 1200}, {10, 800}};
  const SeekCurve curve(m, 100);
  CHECK(curve.time_ns(0, false) == 0);
  CHECK(curve.time_ns(1, false) == 1000);
  CHECK(curve.time_ns(2, false) == Approx(1100));
  CHECK(curve.time_ns(3, false) == 1200);
  CHECK(curve.time_ns(10, true) == 800);
  CHECK(curve.time_ns(17, true) == Approx(400));
  CHECK(curve.time_ns(90, false) == 0);  // never negative
}

TEST_CASE("a single seek point holds for every distance") {
  MechanicsParameters m;
  m.seek_points = {{5, 3000}};
  const SeekCurve curve(m, 100);
  CHECK(curve.time_ns(1, false) == 3000);
  CHECK(curve.time_ns(80, false) == 3000);
}

TEST_CASE("a fitted curve returns the single and the average and the full seek time") {
  MechanicsParameters m;
  m.seek = "fitted";
  m.read_seek = {.single_ns = 1'200'000, .average_ns = 8'500'000, .full_ns = 14'700'000};
  m.write_seek = {.single_ns = 1'700'000, .average_ns = 9'500'000, .full_ns = 15'700'000};
  const std::int64_t cylinders = 28244;
  const SeekCurve curve(m, cylinders);
  CHECK(curve.time_ns(1, false) == Approx(1.2e6));
  CHECK(curve.time_ns(cylinders - 1, false) == Approx(14.7e6));
  CHECK(mean_over_random_pairs(curve, cylinders) == Approx(8.5e6).epsilon(1e-6));
  CHECK(curve.time_ns(1, true) == Approx(1.7e6));
  CHECK(curve.time_ns(cylinders - 1, true) == Approx(15.7e6));
}

TEST_CASE("without write figures writes seek as reads do") {
  MechanicsParameters m;
  m.seek = "formula";
  m.read_seek.a_ms = 0.1;
  m.read_seek.b_ms = 0.001;
  m.read_seek.c_ms = 1;
  const SeekCurve curve(m, 1000);
  CHECK(curve.time_ns(101, false) == Approx((0.1 * 10 + 0.001 * 100 + 1) * 1e6));
  CHECK(curve.time_ns(101, true) == curve.time_ns(101, false));
}
