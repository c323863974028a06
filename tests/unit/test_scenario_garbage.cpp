// Whatever stands in a scenario file: it is loaded or refused with a message, and what is loaded can be
// echoed and loaded again. Run under the asan preset as well.
#include <rapidcheck.h>

#include <catch2/catch.hpp>

#include "sim/scenario/effective.hpp"
#include "tests/scenario_text.hpp"

using namespace seekahead;
using test::load_text;
using test::Loaded;

namespace {

// The file of the good scenario has to name its device once there are two.
const std::string base =
    std::string(test::good_scenario).insert(test::good_scenario.find("size ="), "device = \"d\"\n") +
    "count = 2\n[machine]\nmemory = \"64 MiB\"\n[[device]]\nname = \"e\"\ndrive = \"dtla307045\"\n"
    "bus = { kind = \"ide\", mode = \"udma2\" }\n[[file]]\nname = \"b\"\ndevice = \"e\"\n"
    "size = \"10 MiB\"\nposition = \"40 %\"\n[sweep]\n\"readahead.window\" = [8, 16]\n"
    "[[expect]]\nof = \"process.r.0.throughput_mb_s\"\nequals = 10.9\ntolerance = \"10 %\"\n";

// Pieces that have broken parsers before.
const std::vector<std::string> nasty = {"\"",
                                        "'",
                                        "\"\"\"",
                                        "[",
                                        "]",
                                        "[[",
                                        "{",
                                        "}",
                                        "=",
                                        ".",
                                        ",",
                                        "#",
                                        "\n",
                                        "\r",
                                        "\\",
                                        "\\u0000",
                                        "\\uD800",
                                        std::string(1, '\0'),
                                        "\xff",
                                        "\u00b5",
                                        "9223372036854775807",
                                        "-9223372036854775808",
                                        "99999999999999999999",
                                        "1e308",
                                        "-1e999",
                                        "nan",
                                        "inf",
                                        "-inf",
                                        "0x7fffffffffffffff",
                                        "2001-01-01",
                                        "true",
                                        "\"-1 B\"",
                                        "\"9e9 TiB\"",
                                        "\"8388607 TiB\"",
                                        "\"99999999 h\"",
                                        "\"100.0000001 %\"",
                                        "name = \"a\"\n",
                                        "include = \"t.toml\"\n",
                                        "[sweep]\n",
                                        "[[process]]\n",
                                        "[device.geometry]\n",
                                        "zones = []\n",
                                        "rpm = 0\n",
                                        "count = 0\n",
                                        "\"file.a.size\" = [\"1 B\"]\n"};

std::string mutated(std::string text) {
  const int changes = *rc::gen::inRange(1, 6);
  for (int i = 0; i < changes; ++i) {
    const auto at = *rc::gen::inRange<std::size_t>(0, text.size());
    const auto length = *rc::gen::inRange<std::size_t>(0, 12);
    switch (*rc::gen::inRange(0, 4)) {
      case 0:
        text.erase(at, length);
        break;
      case 1:
        text.insert(at, *rc::gen::elementOf(nasty));
        break;
      case 2:
        text.replace(at, length, *rc::gen::elementOf(nasty));
        break;
      default:
        text.insert(at, text.substr(*rc::gen::inRange<std::size_t>(0, text.size()), length * 4));
    }
    if (text.empty()) {
      break;
    }
  }
  return text;
}

void load_and_echo(const std::string& text) {
  const Loaded loaded = load_text(text);
  if (!loaded.scenario) {
    RC_ASSERT(!loaded.places.empty());
    return;
  }
  RC_ASSERT(loaded.places.empty());
  const std::string echo = effective_configuration(*loaded.scenario);
  const Loaded again = load_text(echo);
  RC_LOG() << echo << again.problems;
  RC_ASSERT(again.scenario.has_value());
  const std::string second = effective_configuration(*again.scenario);
  RC_ASSERT(second == echo.substr(0, second.size()));  // the echo of a sweep ends in comments
}

}  // namespace

TEST_CASE("the scenario that is mutated is good and its echo gives the same run") {
  const Loaded loaded = load_text(base);
  INFO(loaded.problems);
  REQUIRE(loaded.scenario.has_value());
  const std::string echo = effective_configuration(*loaded.scenario);
  const Loaded again = load_text(echo);
  INFO(echo << again.problems);
  REQUIRE(again.scenario.has_value());
  CHECK(echo.starts_with(effective_configuration(*again.scenario)));
  CHECK_THAT(echo, Catch::Contains("# readahead limit: 32 pages = 128 KiB = setra 256"));
  CHECK_THAT(echo, Catch::Contains("count = 2"));
  CHECK_THAT(echo, Catch::Contains("# This is point 1 of 2 of the sweep:\n#   readahead.window = 8\n"));
  CHECK(again.scenario->files[1].start_sector == loaded.scenario->files[1].start_sector);
}

TEST_CASE("mutated scenarios are loaded or refused") {
  CHECK(rc::check("mutations", [] { load_and_echo(mutated(base)); }));
}

TEST_CASE("garbage is refused") {
  CHECK(rc::check("bytes", [](const std::string& text) { load_and_echo(text); }));
  CHECK(rc::check("pieces", [] {
    std::string text;
    for (const std::string& piece :
         *rc::gen::container<std::vector<std::string>>(rc::gen::elementOf(nasty))) {
      text += piece;
    }
    load_and_echo(text);
  }));
}

TEST_CASE("garbage on the command line is refused") {
  CHECK(rc::check("overrides", [](const std::string& key, const std::string& value) {
    load_text(test::good_scenario,
              {key, key + "=" + value, "file.a.size=" + value, "readahead." + key + "=" + value});
  }));
}
