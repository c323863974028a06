#include <rapidcheck.h>

#include <catch2/catch.hpp>
#include <limits>

#include "sim/scenario/quantities.hpp"

using namespace seekahead;

namespace {

std::int64_t bytes(const char* text) {
  const auto quantity = parse_quantity(Dimension::bytes, text);
  INFO(text << ": " << quantity.problem);
  REQUIRE(quantity.value.has_value());
  return *quantity.value;
}

std::int64_t time_ns(const char* text) {
  const auto quantity = parse_quantity(Dimension::time, text);
  INFO(text << ": " << quantity.problem);
  REQUIRE(quantity.value.has_value());
  return *quantity.value;
}

std::string problem(Dimension dimension, const std::string& text) {
  const auto quantity = parse_quantity(dimension, text);
  CHECK_FALSE(quantity.value.has_value());
  return quantity.problem;
}

}  // namespace

TEST_CASE("quantities read exactly what they say") {
  CHECK(bytes("128 KiB") == 131072);
  CHECK(bytes("128KiB") == 131072);
  CHECK(bytes(" 1.5 MiB ") == 1572864);
  CHECK(bytes("0.7 GB") == 700'000'000);
  CHECK(bytes("1 TB") == 1'000'000'000'000);
  CHECK(bytes("512 B") == 512);
  CHECK(bytes("1.0000 B") == 1);
  CHECK(bytes("-4 KiB") == -4096);
  CHECK(bytes("8388607.9990234375 TiB") ==
        std::numeric_limits<std::int64_t>::max() - (std::int64_t{1} << 30) + 1);
  CHECK(time_ns("8.5 ms") == 8'500'000);
  CHECK(time_ns("10 us") == 10'000);
  CHECK(time_ns("10 \u00b5s") == 10'000);
  CHECK(time_ns("10 \u03bcs") == 10'000);
  CHECK(time_ns("0.000000001 s") == 1);
  CHECK(time_ns("2 min") == 120'000'000'000);
  CHECK(*parse_quantity(Dimension::rate, "100 MB/s").value == 100'000'000);
  CHECK(*parse_quantity(Dimension::rate, "100 MiB/s").value == 104'857'600);
  CHECK(*parse_percent("40 %").value == 40.0);
  CHECK(*parse_percent("0.5%").value == 0.5);
}

TEST_CASE("a missing or wrong unit names the right ones") {
  CHECK(problem(Dimension::bytes, "128") == "needs a unit: B, KiB, MiB, GiB, TiB, MB, GB, TB");
  CHECK_THAT(problem(Dimension::bytes, "8 ms"), Catch::Contains("the units here are B, KiB"));
  CHECK_THAT(problem(Dimension::time, "8.5"), Catch::Contains("needs a unit: ns, us, ms, s, min, h"));
  CHECK_THAT(problem(Dimension::rate, "100 MB"), Catch::Contains("MB/s"));
  CHECK_THAT(parse_percent("40").problem, Catch::Contains("needs the unit %"));
}

TEST_CASE("K and KB are refused because they are ambiguous") {
  for (const char* text : {"128 KB", "128K", "128 kB", "128 k"}) {
    CHECK_THAT(problem(Dimension::bytes, text), Catch::Contains("1000 or 1024") && Catch::Contains("KiB"));
  }
  CHECK_THAT(problem(Dimension::rate, "128 KB/s"), Catch::Contains("KiB/s"));
}

TEST_CASE("numbers that are no whole count of the base unit are refused") {
  CHECK_THAT(problem(Dimension::bytes, "1.5 B"), Catch::Contains("fraction of a byte"));
  CHECK_THAT(problem(Dimension::bytes, "0.0001 KiB"), Catch::Contains("fraction of a byte"));
  CHECK_THAT(problem(Dimension::time, "0.5 ns"), Catch::Contains("finer than a nanosecond"));
  CHECK_THAT(problem(Dimension::bytes, "8388608 TiB"), Catch::Contains("too large"));
  CHECK_THAT(problem(Dimension::bytes, "99999999999999999999999999999999999999999999 B"),
             Catch::Contains("number"));
  for (const char* text : {"", " ", "nan KiB", "inf KiB", "KiB", ". KiB", "1. KiB", ".5 KiB", "1e3 KiB",
                           "0x10 KiB", "1,5 KiB", "1 2 KiB", "--1 KiB", "1 KiB KiB"}) {
    INFO(text);
    CHECK_FALSE(parse_quantity(Dimension::bytes, text).value.has_value());
  }
  CHECK_FALSE(parse_percent("nan %").value.has_value());
  CHECK_FALSE(parse_percent("inf %").value.has_value());
}

TEST_CASE("quantities are written in the form people use") {
  CHECK(format_quantity(Dimension::bytes, 128 << 20) == "128 MiB");
  CHECK(format_quantity(Dimension::bytes, 124 << 10) == "124 KiB");
  CHECK(format_quantity(Dimension::bytes, 512'000'000) == "512 MB");
  CHECK(format_quantity(Dimension::bytes, 0) == "0 B");
  CHECK(format_quantity(Dimension::bytes, 1001) == "1001 B");
  CHECK(format_quantity(Dimension::time, 8'500'000) == "8.5 ms");
  CHECK(format_quantity(Dimension::time, 0) == "0 s");
  CHECK(format_quantity(Dimension::time, -500'000) == "-500 us");
  CHECK(format_quantity(Dimension::time, -1'500'000) == "-1.5 ms");
  CHECK(format_quantity(Dimension::time, 120'000'000'000) == "120 s");
  CHECK(format_quantity(Dimension::rate, 100'000'000) == "100 MB/s");
  CHECK(format_quantity(Dimension::rate, 104'857'600) == "100 MiB/s");
  CHECK(format_percent(40) == "40 %");
  CHECK(format_real(-0.0) == "0");
}

TEST_CASE("every quantity reads back as the value that was written") {
  CHECK(rc::check("bytes times and rates", [] {
    const auto value =
        *rc::gen::oneOf(rc::gen::arbitrary<std::int64_t>(), rc::gen::inRange<std::int64_t>(0, 1 << 30),
                        rc::gen::element<std::int64_t>(std::numeric_limits<std::int64_t>::min(),
                                                       std::numeric_limits<std::int64_t>::max()));
    for (const Dimension dimension : {Dimension::bytes, Dimension::time, Dimension::rate}) {
      const std::string text = format_quantity(dimension, value);
      RC_LOG() << text;
      const auto again = parse_quantity(dimension, text);
      if (value == std::numeric_limits<std::int64_t>::min()) {
        RC_ASSERT(!again.value.has_value());  // its absolute value does not exist
      } else {
        RC_ASSERT(again.value == value);
      }
    }
  }));
  CHECK(rc::check("percent",
                  [](double value) { RC_ASSERT(parse_percent(format_percent(value)).value == value); }));
}
