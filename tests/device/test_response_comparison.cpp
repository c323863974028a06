#include <catch2/catch.hpp>

#include "sim/device/response_comparison.hpp"

using namespace seekahead;

namespace {
constexpr TimeNs ms(double x) { return static_cast<TimeNs>(x * 1e6); }
}  // namespace

TEST_CASE("demerit compares equal ranks and the rms error compares equal rows") {
  ResponseComparison c(0);
  c.add(false, ms(1), ms(3));
  c.add(false, ms(3), ms(1));  // same distribution, other rows
  c.add(true, ms(10), ms(6));
  const ComparisonResult r = c.result();
  CHECK(r.all.requests == 3);
  CHECK(r.all.mean_ms == Approx(14.0 / 3));
  CHECK(r.all.reference_mean_ms == Approx(10.0 / 3));
  CHECK(r.all.demerit_ms == Approx(std::sqrt(16.0 / 3)));
  CHECK(r.all.demerit_percent == Approx(100 * std::sqrt(16.0 / 3) / (10.0 / 3)));
  CHECK(r.all.rms_error_ms == Approx(std::sqrt((4.0 + 4.0 + 16.0) / 3)));
  CHECK(r.all.max_error_ms == Approx(4));
  CHECK(r.reads.demerit_ms == Approx(0));
  CHECK(r.reads.rms_error_ms == Approx(2));
  CHECK(r.writes.requests == 1);
  CHECK(r.writes.demerit_ms == Approx(4));
}

TEST_CASE("requests off by whole revolutions are counted and left out of the second rms") {
  ResponseComparison c(ms(6));
  c.add(false, ms(10), ms(4.1));  // 5.9 = a revolution within 5 %
  c.add(false, ms(2), ms(14));    // two revolutions early
  c.add(false, ms(5), ms(4.5));
  c.add(false, ms(9), ms(6));  // half a revolution is none
  const ComparisonFigures f = c.result().all;
  CHECK(f.off_by_revolutions == 2);
  CHECK(f.rms_error_without_them_ms == Approx(std::sqrt((0.25 + 9.0) / 2)));
  CHECK(f.rms_error_ms == Approx(std::sqrt((5.9 * 5.9 + 144 + 0.25 + 9.0) / 4)));
}

TEST_CASE("a direction without requests has no figures") {
  ResponseComparison c(0);
  c.add(true, ms(1), ms(1));
  CHECK(c.result().reads.requests == 0);
}
