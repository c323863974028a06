// What `run --trace FORMAT:FILE` writes of a whole simulation, against published lines and the run's own
// totals.
#include <catch2/catch.hpp>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/cli/program.hpp"

using namespace seekahead;
using namespace seekahead::test;
using Catch::Contains;
using Json = nlohmann::json;

namespace {

const std::string w3m = SEEKAHEAD_SOURCE_DIR "/scenarios/wu-2007-log/w3m.toml";

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, separator);) {
    parts.push_back(part);
  }
  return parts;
}

// The line that a row of the published table stands for.
std::string line_of_row(const std::string& row) {
  // time_s,class,process,pid,file,prev_page,prev_offset_or_trigger,ra_start,ra_size,ra_async_size,actual_pages
  const std::vector<std::string> c = split(row, ',');
  REQUIRE(c.size() == 11);
  return "readahead-" + c[1] + "(process: " + c[2] + "/" + c[3] + ", file: " + c[4] + ", offset=" + c[5] +
         ":" + c[6] + ", ra=" + c[7] + "+" + c[8] + "-" + c[9] + ") = " + c[10];
}

}  // namespace

TEST_CASE("a whole simulation of w3m's start writes the published log") {
  const Directory directory;
  const std::string log = directory.path("w3m.log");
  const Outcome outcome = run_program({"run", w3m, "--json", "--trace", "kernel-log:" + log});
  INFO(outcome.err);
  REQUIRE(outcome.status == 0);
  std::string published;
  const std::vector<std::string> rows =
      split(read_file(SEEKAHEAD_SOURCE_DIR "/tests/data/readahead_log_2007/w3m.csv"), '\n');
  REQUIRE(rows.size() == 16);
  for (std::size_t i = 1; i < rows.size(); ++i) {
    published += line_of_row(rows[i]) + "\n";
  }
  CHECK(read_file(log) == published);
}

TEST_CASE("the table of readahead events adds up to the result") {
  const Directory directory;
  const std::string table = directory.path("events");
  const Outcome outcome = run_program({"run", w3m, "--json", "--trace", "readahead-events:" + table});
  REQUIRE(outcome.status == 0);
  const Json readahead = Json::parse(outcome.out).at("readahead");
  const Json& around = readahead.at("events").at("around");
  CHECK(around.at("windows") == 7);  // log lines 2, 3, 6, 12 to 15
  CHECK(around.at("full") == 2);     // 118+32 and 48+32
  CHECK(around.at("empty") == 0);
  CHECK(around.at("eof_hit") == 1);  // 290+32
  CHECK(around.at("cache_hit") == 4);
  CHECK(around.at("pages_asked") == 7 * 32);
  CHECK(readahead.at("events").at("sequential").at("empty") == 1);
  CHECK(readahead.at("events").at("sequential").at("pages_async") == 12 + 4 * 32);
  for (const auto& [name, row] : readahead.at("events").items()) {
    CHECK(row.at("pages_read") == readahead.at("classes").at(name).at("pages_read"));
    CHECK_THAT(read_file(table), Contains(name));
  }
  CHECK_THAT(read_file(table), Contains("total"));
}

TEST_CASE("the requests trace has a row for every request and its parts add up") {
  const Directory directory;
  const std::string csv = directory.path("requests.csv");
  const Outcome outcome = run_program({"run", w3m, "--json", "--trace", "requests-csv:" + csv});
  REQUIRE(outcome.status == 0);
  const Json device = Json::parse(outcome.out).at("devices").at(0);
  const std::vector<std::string> rows = split(read_file(csv), '\n');
  REQUIRE(rows.size() == device.at("requests").get<std::size_t>() + 1);
  std::int64_t sectors = 0;
  for (std::size_t i = 1; i < rows.size(); ++i) {
    const std::vector<std::string> c = split(rows[i], ',');
    REQUIRE(c.size() == 15);
    CHECK(c[0] == std::to_string(i));
    sectors += std::stoll(c[3]);
    double parts = 0;
    for (std::size_t part = 8; part < 14; ++part) {
      parts += std::stod(c[part]);
    }
    CHECK(parts == Approx(std::stod(c[7]) - std::stod(c[5])).margin(1e-4));
  }
  CHECK(sectors * 512 == device.at("bytes"));
}

TEST_CASE("several traces of one run and a file that cannot be written") {
  const Directory directory;
  const std::string log = directory.path("log");
  const Outcome good = run_program(
      {"run", w3m, "--trace", "kernel-log:" + log, "--trace", "requests-csv:" + directory.path("csv")});
  CHECK(good.status == 0);
  CHECK(std::filesystem::exists(log));
  CHECK(std::filesystem::exists(directory.path("csv")));
  const Outcome bad = run_program({"run", w3m, "--trace", "kernel-log:" + directory.path("second"), "--trace",
                                   "kernel-log:" + directory.path("missing/log")});
  CHECK(bad.status == 2);  // told before anything is simulated
  CHECK_THAT(bad.err, Contains("missing/log") && Contains("cannot be written"));
  CHECK_FALSE(std::filesystem::exists(directory.path("second")));
  const Outcome unknown = run_program({"run", w3m, "--trace", "kernel-lag:" + log});
  CHECK(unknown.status == 2);
  CHECK_THAT(unknown.err, Contains("kernel-log, readahead-events, requests-csv"));
}

TEST_CASE("a run of linux-2.4 has the kernel's profile lines") {
  const std::string scenario = SEEKAHEAD_SOURCE_DIR "/scenarios/larsson-2001/read.toml";
  const std::vector<std::string> arguments = {
      "run", scenario, "--set", "readahead.max_readahead=31", "--set", "process.read.bytes=8 MiB"};
  const Outcome text = run_program(arguments);
  REQUIRE(text.status == 0);
  CHECK_THAT(text.out, Contains("Readahead average:  max=") && Contains("Readahead snapshot: max=31, len="));
  std::vector<std::string> with_json = arguments;
  with_json.emplace_back("--json");
  const Json profile = Json::parse(run_program(with_json).out).at("readahead").at("profile");
  CHECK(profile.at("average").at("max") <= 31);
  CHECK(profile.at("average").at("len") <= 32);  // a block is at most MAX + 1 pages
  CHECK(profile.at("average").at("win") <= 64);  // a window two blocks
  CHECK(profile.at("snapshot").at("max") == 31);
  CHECK(profile.at("async_percent") >= 90);  // one stream: only the first block is waited for
  const Outcome other = run_program({"run", w3m, "--json"});
  CHECK_FALSE(Json::parse(other.out).at("readahead").contains("profile"));
}
