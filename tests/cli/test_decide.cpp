// seekahead decide as a user meets it: what is wrong with a line, what an option replaces, the story.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/cli/program.hpp"

using namespace seekahead::test;
using Catch::Contains;

namespace {

const std::string good =
    R"({"case":"good","policy":"linux-2.4","kernel":"2.4.5","ra_pages":31,"file_pages":64,"io":"lazy",)"
    R"("ops":[{"op":"read","fd":0,"pos":0,"len":4096}]})";

// The good case with a piece of its text replaced.
std::string with(const std::string& piece, const std::string& other) {
  std::string line = good;
  const std::size_t at = line.find(piece);
  REQUIRE(at != std::string::npos);
  return line.replace(at, piece.size(), other);
}

// The error line about `bad`, which stands between two good ones; checks that those are answered.
std::string complaint(const std::string& bad) {
  const Outcome outcome = run_program({"decide", "-"}, good + "\n" + bad + "\n" + good + "\n");
  CHECK(outcome.status == 2);
  std::istringstream lines(outcome.out);
  std::string first, second, third;
  std::getline(lines, first);
  std::getline(lines, second);
  CHECK_THAT(first, Contains("\"case\":\"good\""));
  CHECK(first == second);
  CHECK_FALSE(std::getline(lines, third));
  CHECK(outcome.err.rfind("-:2", 0) == 0);
  return outcome.err;
}

}  // namespace

TEST_CASE("a case is answered with its keys in order") {
  const Outcome outcome = run_program({"decide", "-"}, good);
  CHECK(outcome.status == 0);
  CHECK(outcome.err.empty());
  // specs of linux-2.4: own page and a synchronous window of 3 (quirk Q4)
  CHECK(
      outcome.out ==
      R"({"case":"good","policy":"linux-2.4","kernel":"2.4.5","ios":[[0,0,4]],"waits":[[0,0]],"ret":[4096],)"
      R"("state":[{"f_reada":1,"f_ramax":6,"f_raend":4,"f_ralen":4,"f_rawin":4,"vm_raend":0}]})"
      "\n");
}

TEST_CASE("bad lines are told with their number and good ones still answered") {
  CHECK_THAT(complaint("{\"case\":"), Contains("-:2:9: error: not JSON"));
  CHECK_THAT(complaint(with(":64", ":1e999")),
             Contains("not JSON: number overflow"));  // ended the program once
  CHECK_THAT(complaint("[1,2]"), Contains("expected a JSON object, got [1,2]"));
  CHECK_THAT(complaint(with("\"ra_pages\":31,", "")), Contains("key \"ra_pages\" is missing"));
  CHECK_THAT(complaint(with("\"ops\"", "\"op\"")), Contains("key \"ops\" is missing"));
  CHECK_THAT(complaint(with("\"file_pages\":64,", "")), Contains("key \"file_pages\" is missing"));
  CHECK_THAT(complaint(with("linux-2.4", "linux-2.5")),
             Contains("unknown policy \"linux-2.5\"; did you mean \"linux-2.4\"?"));
  CHECK_THAT(complaint(with("2.4.5", "2.4.6")),
             Contains("key \"kernel\": expected one of 2.4.5, got \"2.4.6\""));
  CHECK_THAT(complaint(with("\"read\"", "\"raed\"")),
             Contains("operation 0: key \"op\": expected one of read, "));
  CHECK_THAT(complaint(with("\"len\":4096", "\"length\":4096")),
             Contains("operation 0: key \"len\" is missing"));
  CHECK_THAT(complaint(with("linux-2.4", "")), Contains("unknown policy \"\""));
  CHECK_THAT(complaint(with("\"read\"", "\"\"")), Contains("expected one of read, "));
  CHECK_THAT(complaint(with("\"lazy\"", "\"slow\"")), Contains("key \"io\": expected one of instant, lazy"));
}

TEST_CASE("wrong types and negative numbers are refused") {
  CHECK_THAT(complaint(with(":31", ":-1")), Contains("\"ra_pages\": expected a whole number from 0"));
  CHECK_THAT(complaint(with(":31", ":\"31\"")), Contains("got \"31\""));
  CHECK_THAT(complaint(with(":31", ":31.5")), Contains("got 31.5"));
  CHECK_THAT(complaint(with("\"pos\":0", "\"pos\":-4096")), Contains("operation 0: key \"pos\""));
  CHECK_THAT(complaint(with("\"len\":4096", "\"len\":0")), Contains("expected a whole number from 1"));
  CHECK_THAT(complaint(with("\"fd\":0", "\"fd\":null")), Contains("operation 0: key \"fd\""));
  CHECK_THAT(complaint(with("{\"op\":\"read\"", "7,{\"op\":\"read\"")),
             Contains("operation 0: expected an object"));
  CHECK_THAT(complaint(with("\"good\"", "12")), Contains("key \"case\": expected a text, got 12"));
}

TEST_CASE("everything wrong with a line is told at once") {
  const std::string all =
      complaint(R"({"case":"x","policy":"fixed","kernel":"2.4.5","io":"lazy","ops":[{"op":"eat"}]})");
  CHECK_THAT(all, Contains("its kernel is \"any\"") && Contains("ra_pages") && Contains("file_pages") &&
                      Contains("operation 0"));
}

TEST_CASE("sizes that no machine has are refused instead of worked on for ever") {
  CHECK_THAT(complaint(with("\"len\":4096", "\"len\":1000000000000000000")),
             Contains("operation 0: key \"len\""));
  CHECK_THAT(complaint(with("\"pos\":0", "\"pos\":9223372036854775807")), Contains("ends past byte"));
  CHECK_THAT(complaint(with("\"file_pages\":64", "\"file_pages\":18446744073709551615")),
             Contains("key \"file_pages\""));
  // A window of 2^40 pages over a file that has them.
  CHECK_THAT(
      complaint(R"({"case":"huge","policy":"fixed","kernel":"any","ra_pages":1099511627776,"io":"lazy",)"
                R"("file_pages":1099511627776,"ops":[{"op":"read","fd":0,"pos":0,"len":1}]})"),
      Contains("case \"huge\"") && Contains("absurd"));
}

TEST_CASE("file size and pages that contradict each other are refused") {
  CHECK_THAT(complaint(with("\"file_pages\":64", "\"file_pages\":64,\"file_size\":4096")),
             Contains("4096 bytes are 1 pages"));
}

TEST_CASE("a key that nothing reads is a warning with the nearest name") {
  const Outcome outcome = run_program({"decide", "-"}, with("\"io\"", "\"min_ra_page\":5,\"io\""));
  CHECK(outcome.status == 0);
  CHECK_THAT(outcome.err,
             Contains("-:1: warning: key \"min_ra_page\" is not read; did you mean \"min_ra_pages\"?"));
}

TEST_CASE("options replace inputs of every case") {
  const auto ios = [](const std::vector<std::string>& options) {
    std::vector<std::string> arguments = {"decide"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    arguments.push_back("-");
    const Outcome outcome = run_program(arguments, good);
    INFO(outcome.err);
    REQUIRE(outcome.status == 0);
    const auto answer = nlohmann::json::parse(outcome.out);
    return answer["policy"].get<std::string>() + " " + answer["kernel"].get<std::string>() + " " +
           answer["ios"].dump();
  };
  CHECK(ios({}) == "linux-2.4 2.4.5 [[0,0,4]]");
  CHECK(ios({"--set", "min_ra_pages=8"}) == "linux-2.4 2.4.5 [[0,0,9]]");
  CHECK(ios({"--set", "file_pages=2"}) == "linux-2.4 2.4.5 [[0,0,2]]");
  CHECK(ios({"--set", "file_size=12288"}) == "linux-2.4 2.4.5 [[0,0,3]]");
  // A full window of half the maximum (quirk Q1 of linux-2.6-window); the kernel is the policy's own default.
  CHECK(ios({"--policy", "linux-2.6-window", "--set", "ra_pages=32"}) == "linux-2.6-window 2.6.9 [[0,0,16]]");
  CHECK(ios({"--policy", "linux-2.6-window", "--kernel", "2.6.8"}) == "linux-2.6-window 2.6.8 [[0,0,15]]");
  CHECK(ios({"--policy", "fixed", "--set", "ra_pages=7"}) == "fixed any [[0,0,7]]");
  CHECK(ios({"--policy", "none"}) == "none any [[0,0,1]]");
  CHECK(ios({"--policy", "ondemand", "--kernel", "6.1"}).rfind("ondemand 6.1 ", 0) == 0);
}

TEST_CASE("bad usage of decide is exit status 2 and says why") {
  CHECK_THAT(run_program({"decide"}).err, Contains("expected CASES"));
  CHECK_THAT(run_program({"decide", "--set", "ra_page=3", "-"}).err, Contains("did you mean \"ra_pages\"?"));
  CHECK_THAT(run_program({"decide", "--set", "ra_pages", "--set", "x=1", "-"}).err,
             Contains("expected KEY=VALUE") && Contains("unknown key \"x\""));
  CHECK_THAT(run_program({"decide", "--polcy", "none", "-"}).err, Contains("polcy"));
  CHECK_THAT(run_program({"decide", "nowhere.jsonl"}).err, Contains("nowhere.jsonl: error: "));
  for (const auto& arguments : std::vector<std::vector<std::string>>{
           {"decide"}, {"decide", "--set", "ra_page=3", "-"}, {"decide", "nowhere.jsonl"}}) {
    CHECK(run_program(arguments).status == 2);
  }
}

TEST_CASE("compressed cases are read and damaged ones told") {
  const std::string golden = SEEKAHEAD_SOURCE_DIR "/tests/data/golden/linux-2.4_2.4.5.jsonl.gz";
  CHECK(run_program({"decide", golden}).status == 0);
  const Directory directory;
  const std::string cut = directory.file("cut.jsonl.gz", read_file(golden).substr(0, 20000));
  const Outcome outcome = run_program({"decide", cut});
  CHECK(outcome.status == 2);
  CHECK_THAT(outcome.err, Contains("truncated"));
  CHECK_FALSE(outcome.out.empty());
}

TEST_CASE("64-bit numbers come through whole") {
  // Adaptive's counters pass 2^53.
  const Outcome outcome = run_program(
      {"decide", "-"},
      R"({"case":"c","policy":"adaptive","kernel":"v15","ra_pages":32,"file_pages":9,"io":"lazy","vm_pages":9000,)"
      R"("ops":[{"op":"age","count":9007199254740993}]})");
  CHECK(outcome.status == 0);
  CHECK_THAT(outcome.out, Contains("\"aging\":9007199254740993"));
}

TEST_CASE("the story shows rules and windows and pages within 100 columns") {
  const Outcome outcome = run_program(
      {"decide", "--explain", "-"},
      R"({"case":"story","policy":"linux-2.6-request-size","kernel":"2.6.22","ra_pages":32,"file_pages":90000,)"
      R"("io":"lazy","ops":[{"op":"read","fd":0,"pos":0,"len":4096},{"op":"read","fd":0,"pos":4096,"len":4096},)"
      R"({"op":"read","fd":0,"pos":163840000,"len":4096000}]})");
  CHECK(outcome.status == 0);
  CHECK_THAT(outcome.out, Contains("1: read fd 0, 4096 bytes at 4096\n"
                                   "  saw    page 1 cached\n"
                                   "  A7     sequential in the window: ahead window\n"
                                   "  I/O    read pages 4-11 (8 pages, class ahead)\n"
                                   "  return 4096 bytes\n"
                                   "  change prev_index 0 -> 1   ahead_start 0 -> 4   ahead_size 0 -> 8\n"));
  CHECK_THAT(outcome.out, Contains("  page   0         10\n"
                                   "  asked   ^\n"
                                   "  cache  oooo++++++++....\n"
                                   "  window wwwwaaaaaaaa\n"));
  std::istringstream lines(outcome.out);
  for (std::string line; std::getline(lines, line);) {
    INFO(line);
    CHECK(line.size() <= 100);
  }
}

TEST_CASE("a mistyped key of an operation and a key given twice are refused") {
  CHECK_THAT(complaint(with("\"len\":4096", "\"len\":4096,\"lne\":8")),
             Contains("operation 0: unknown key \"lne\": did you mean \"len\"?"));
  CHECK_THAT(complaint(with("\"len\":4096", "\"len\":4096,\"count\":8")), Contains("unknown key \"count\""));
  CHECK_THAT(complaint(with("\"len\":4096", "\"len\":4096,\"len\":8192")),
             Contains("key \"len\" is given twice in one object"));
  CHECK_THAT(complaint(with("\"ra_pages\":31", "\"ra_pages\":31,\"ra_pages\":32")),
             Contains("key \"ra_pages\" is given twice"));
}
