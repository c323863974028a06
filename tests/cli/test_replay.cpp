#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/cli/program.hpp"

using namespace seekahead::test;

namespace {

// A drive with round figures: 10 ms and a microsecond a sector, ten thousand sectors.
const char* const round_drive =
    "model = \"fixed-latency\"\n"
    "name = \"round\"\n"
    "access = \"10 ms\"\n"
    "bandwidth = \"512 MB/s\"\n"
    "capacity = \"5000 KiB\"\n"
    "max_request = \"128 KiB\"\n";

struct Fixture {
  Directory directory;
  std::string drive = directory.file("round.toml", round_drive);

  Outcome replay(const std::string& trace, std::vector<std::string> options = {}) {
    options.insert(options.begin(), {"replay", "--drive", drive});
    options.push_back(directory.file("trace.csv", trace));
    return run_program(options);
  }
};

}  // namespace

TEST_CASE_METHOD(Fixture, "replay prints the rows with our arrival and response in place") {
  const Outcome r =
      replay("tag,arrival_ms,lbn,blocks,is_read,response_ms\nx,1.5,7,8,1,99\ny,2,9,100,0,\t98\n");
  CHECK(r.err == "");
  CHECK(r.status == 0);
  CHECK(r.out ==
        "tag,arrival_ms,lbn,blocks,is_read,response_ms\n"
        "x,1.500000,7,8,1,10.008000\n"
        "y,2.000000,9,100,0,19.608000\n");
}

TEST_CASE_METHOD(Fixture, "replay appends the columns that a trace does not have") {
  const Outcome r = replay("lbn,blocks,is_read\n7,8,1\n9,8,1\n", {"--closed", "1", "--think", "5 ms"});
  CHECK(r.out ==
        "lbn,blocks,is_read,arrival_ms,response_ms\n"
        "7,8,1,5.000000,10.008000\n"
        "9,8,1,20.008000,10.008000\n");
}

TEST_CASE_METHOD(Fixture, "a gap column makes the replay closed with that think time") {
  const Outcome r = replay(
      "measured_ms,gap_to_next_arrival_ms,lbn,blocks,is_read\n10.008,3,1,8,1\n12.008,0,2,8,1\n1,0,3,8,1\n");
  CHECK(r.out ==
        "measured_ms,gap_to_next_arrival_ms,lbn,blocks,is_read,arrival_ms,response_ms\n"
        "10.008,3,1,8,1,0.000000,10.008000\n"
        "12.008,0,2,8,1,13.008000,10.008000\n"
        "1,0,3,8,1,23.016000,10.008000\n");
}

TEST_CASE_METHOD(Fixture, "replay prints reordered requests in the order of the trace") {
  const Outcome r =
      replay("lbn,blocks,is_read\n500,1,1\n400,1,1\n700,1,1\n", {"--closed", "3", "--scheduler", "clook"});
  CHECK(r.out ==
        "lbn,blocks,is_read,arrival_ms,response_ms\n"
        "500,1,1,0.000000,10.001000\n"
        "400,1,1,0.000000,30.003000\n"
        "700,1,1,0.000000,20.002000\n");
}

TEST_CASE_METHOD(Fixture, "replay compares with the reference in one JSON object") {
  const Outcome r = replay("lbn,blocks,is_read,measured_ms\n1,8,1,10.008\n2,8,1,14.008\n3,8,0,10.008\n",
                           {"--closed", "1", "--compare"});
  REQUIRE(r.status == 0);
  const auto json = nlohmann::json::parse(r.out);
  CHECK(json["requests"] == 3);
  CHECK(json["mean_ms"].get<double>() == Approx(10.008));
  CHECK(json["reference_mean_ms"].get<double>() == Approx((10.008 + 14.008 + 10.008) / 3));
  CHECK(json["demerit_ms"].get<double>() == Approx(4 / std::sqrt(3.0)));
  CHECK(json["demerit_percent"].get<double>() == Approx(100 * 4 / std::sqrt(3.0) / (34.024 / 3)));
  CHECK(json["rms_error_ms"].get<double>() == Approx(4 / std::sqrt(3.0)));
  CHECK(json["max_error_ms"].get<double>() == Approx(4));
  CHECK(json["reads"]["requests"] == 2);
  CHECK(json["writes"]["max_error_ms"].get<double>() == Approx(0).margin(1e-9));
}

TEST_CASE_METHOD(Fixture, "replay refuses a damaged trace by file and line and prints no comparison") {
  const Outcome r = replay("lbn,blocks,is_read,response_ms\n1,8,1,1\n99999,8,1,1\n3,0,1,1\n",
                           {"--closed", "1", "--compare"});
  CHECK(r.status == 2);
  CHECK(r.out == "");
  const std::string trace = directory.path("trace.csv");
  CHECK(r.err == trace + ":3: error: lbn: sectors 99999 + 8 do not lie on the device, which has 10000\n" +
                     trace + ":4: error: blocks: is 0; this device takes 1 to 256 sectors a request\n");
}

TEST_CASE_METHOD(Fixture, "replay says what is wrong with its options all at once") {
  const Outcome r =
      replay("lbn,blocks,is_read\n1,8,1\n", {"--think", "5", "--scheduler", "look", "--queue", "disk"});
  CHECK(r.status == 2);
  CHECK(r.out == "");
  for (const char* expected :
       {"--think \"5\": needs a unit", "--scheduler \"look\" is unknown", "did you mean \"clook\"",
        "--queue \"disk\"", "3 errors; nothing was replayed"}) {
    CHECK_THAT(r.err, Catch::Contains(expected));
  }
  for (const char* count : {"0", "-1", "1.5", "x", "99999999999999999999"}) {
    const Outcome wrong = replay("lbn,blocks,is_read\n1,8,1\n", {"--closed", count});
    CHECK(wrong.status == 2);
    CHECK_THAT(wrong.err, Catch::Contains("--closed must be a whole number"));
  }
}

TEST_CASE_METHOD(Fixture, "replay needs a reference to compare with and only one") {
  CHECK(replay("lbn,blocks,is_read\n1,8,1\n", {"--closed", "1", "--compare"}).status == 2);
  CHECK(replay("lbn,blocks,is_read,response_ms,measured_ms\n1,8,1,1,1\n", {"--closed", "1", "--compare"})
            .status == 2);
}

TEST_CASE_METHOD(Fixture, "replay of a trace that is not there is an error with its name") {
  const Outcome r = run_program({"replay", "--drive", drive, directory.path("absent.csv")});
  CHECK(r.status == 2);
  CHECK_THAT(r.err, Catch::StartsWith(directory.path("absent.csv")));
}

TEST_CASE_METHOD(Fixture, "replay reads standard input and sets parameters of the drive") {
  const Outcome r = run_program({"replay", "--drive", drive, "--set", "access=1 ms", "--closed", "1", "-"},
                                "lbn,blocks,is_read\n1,8,1\n");
  CHECK(r.out == "lbn,blocks,is_read,arrival_ms,response_ms\n1,8,1,0.000000,1.008000\n");
  const Outcome wrong = run_program({"replay", "--drive", drive, "--set", "acess=1 ms", "--closed", "1", "-"},
                                    "lbn,blocks,is_read\n1,8,1\n");
  CHECK(wrong.status == 2);
  CHECK_THAT(wrong.err, Catch::Contains("did you mean \"access\""));
}

TEST_CASE_METHOD(Fixture, "replay gives no share of a reference whose mean is 0") {
  const Outcome r = replay("lbn,blocks,is_read,measured_ms\n1,8,1,0\n", {"--closed", "1", "--compare"});
  REQUIRE(r.status == 0);
  const auto json = nlohmann::json::parse(r.out);
  CHECK(json["demerit_percent"].is_null());
  CHECK(json["demerit_ms"].get<double>() == Approx(10.008));
}
