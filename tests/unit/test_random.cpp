#include <catch2/catch.hpp>

#include "sim/engine/random.hpp"

using seekahead::Random;

TEST_CASE("random streams are independent of each other and repeatable") {
  Random a(1, "process.a");
  Random again(1, "process.a");
  Random b(1, "process.b");
  bool differs = false;
  for (int i = 0; i < 100; ++i) {
    const auto x = a.next();
    REQUIRE(x == again.next());
    differs = differs || x != b.next();
  }
  REQUIRE(differs);
}

TEST_CASE("random numbers stay inside their bounds and reach both ends") {
  Random r(7);
  bool low = false;
  bool high = false;
  for (int i = 0; i < 1000; ++i) {
    const auto x = r.between(-2, 2);
    REQUIRE(x >= -2);
    REQUIRE(x <= 2);
    low = low || x == -2;
    high = high || x == 2;
    const double u = r.unit();
    REQUIRE(u >= 0.0);
    REQUIRE(u < 1.0);
  }
  REQUIRE(low);
  REQUIRE(high);
}
