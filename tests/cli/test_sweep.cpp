// seekahead sweep and --set as a user meets them.
#include <catch2/catch.hpp>
#include <filesystem>
#include <sstream>

#include "tests/cli/program.hpp"
#include "tests/scenario_text.hpp"

using namespace seekahead;
using Catch::Contains;
using test::Directory;
using test::good_scenario;
using test::Outcome;
using test::run_program;

namespace {

const std::string limited = good_scenario.substr(0, good_scenario.find("[readahead]")) +
                            "[readahead]\npolicy = \"linux-2.4\"\nkernel = \"2.4.5\"\nmax_readahead = 31\n" +
                            good_scenario.substr(good_scenario.find("[block]")) +
                            "[sweep]\n\"readahead.max_readahead\" = [15, 31]\n";

std::size_t lines_of(const std::string& text) {
  std::istringstream lines(text);
  std::size_t count = 0;
  for (std::string line; std::getline(lines, line); ++count) {
  }
  return count;
}

}  // namespace

TEST_CASE("sweep over policies and limits has a row for each pair") {
  const Directory d;
  const Outcome r = run_program({"sweep", "-", "--set", "readahead.policy=linux-2.4,none", "--set",
                                 "readahead.read_ahead_kb=32,128", "-o", d.path("out.csv")},
                                limited);
  CHECK(r.err == "");
  CHECK(r.status == 0);
  CHECK(lines_of(test::read_file(d.path("out.csv"))) == 1 + 4);
  CHECK_FALSE(std::filesystem::exists(d.path("out.csv.points")));
}

TEST_CASE("sweep refuses a key or a value given twice") {
  const Outcome twice =
      run_program({"sweep", "-", "--set", "readahead.setra=8,16", "--set", "readahead.setra=8"}, limited);
  CHECK(twice.status == 2);
  CHECK_THAT(twice.err, Contains("contradicts the axis \"readahead.setra\""));
  const Outcome value = run_program({"sweep", "-", "--set", "readahead.setra=8,8"}, limited);
  CHECK(value.status == 2);
  CHECK_THAT(value.err, Contains("has the value \"8\" twice"));
}

TEST_CASE("sweep that cannot keep its finished points says so and exits with 1") {
  const Directory d;
  std::filesystem::create_directories(d.path("out.csv.points/occupied"));
  const Outcome r = run_program({"sweep", "-", "-o", d.path("out.csv")}, limited);
  CHECK(r.status == 1);
  CHECK_THAT(r.err, Contains("out.csv.points cannot be written: Is a directory"));
}

TEST_CASE("sweep goes on behind a half-written line") {
  const Directory d;
  const std::string half = d.file("out.csv.points", "{\"point\":\"12");
  const std::string scenario = d.file("t.toml", limited);
  CHECK(run_program({"sweep", scenario, "-o", d.path("out.csv"), "--resume"}).status == 0);
  CHECK(lines_of(test::read_file(d.path("out.csv"))) == 1 + 2);
}
