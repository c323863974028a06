#include <zlib.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "sim/device/request_trace.hpp"

using namespace seekahead;
namespace fs = std::filesystem;

namespace {

// A trace file that goes away with the test.
class File {
 public:
  explicit File(const std::string& text)
      : path_((fs::temp_directory_path() / ("seekahead_trace_" + std::to_string(::getpid()) + ".csv"))
                  .string()) {
    std::ofstream(path_, std::ios::binary) << text;
  }
  ~File() { fs::remove(path_); }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

std::string gzipped(const std::string& text) {
  z_stream s = {};
  deflateInit2(&s, 6, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
  std::string out(text.size() + 1000, '\0');
  s.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  s.avail_in = static_cast<uInt>(text.size());
  s.next_out = reinterpret_cast<Bytef*>(out.data());
  s.avail_out = static_cast<uInt>(out.size());
  deflate(&s, Z_FINISH);
  out.resize(out.size() - s.avail_out);
  deflateEnd(&s);
  return out;
}

struct Outcome {
  std::vector<ReplayRequest> rows;
  std::vector<std::string> problems;
};

Outcome read_all(const std::string& text, bool open = true) {
  const File file(text);
  RequestTrace trace(file.path());
  Outcome outcome;
  trace.limit(1000, 256);
  if (trace.read_header() && (!open || trace.require_arrivals())) {
    TraceRow row;
    while (trace.next(row)) {
      outcome.rows.push_back(row.request);
    }
    trace.find_more_problems();
  }
  for (const std::string& problem : trace.problems()) {
    REQUIRE(problem.substr(0, file.path().size()) == file.path());
    outcome.problems.push_back(problem.substr(file.path().size()));
  }
  return outcome;
}

const std::string header = "arrival_ms,lbn,blocks,is_read\n";

}  // namespace

TEST_CASE("trace columns are found by name in any order and others are left alone") {
  const auto outcome = read_all("tag,is_read, lbn ,blocks,arrival_ms\nHit,1, 7 ,8,0.5\nMiss,0,9,1,1e1\n");
  REQUIRE(outcome.problems.empty());
  REQUIRE(outcome.rows.size() == 2);
  CHECK(outcome.rows[0].lbn == 7);
  CHECK(outcome.rows[0].sectors == 8);
  CHECK_FALSE(outcome.rows[0].is_write);
  CHECK(outcome.rows[0].arrival_ns == 500'000);
  CHECK(outcome.rows[1].is_write);
  CHECK(outcome.rows[1].arrival_ns == 10'000'000);
}

TEST_CASE("trace files may have a byte order mark and CRLF and no newline at the end") {
  const auto outcome = read_all(
      "\xEF\xBB\xBF"
      "arrival_ms,lbn,blocks,is_read\r\n0,1,2,1\r\n1,2,3,0");
  REQUIRE(outcome.problems.empty());
  CHECK(outcome.rows.size() == 2);
}

TEST_CASE("a gzip trace is read whole and a damaged one is refused") {
  std::string text = header;
  for (int i = 0; i < 20000; ++i) {
    text += std::to_string(i) + "," + std::to_string(i * 7 % 900) + ",8,1\n";
  }
  const std::string zipped = gzipped(text);
  CHECK(read_all(zipped).rows.size() == 20000);
  CHECK(read_all(zipped).problems.empty());

  const auto truncated = read_all(zipped.substr(0, zipped.size() / 2));
  REQUIRE(truncated.problems.size() == 1);
  CHECK(truncated.problems[0].find("truncated") != std::string::npos);
  CHECK(truncated.rows.size() < 20000);

  const auto without_check_sum = read_all(zipped.substr(0, zipped.size() - 4));
  REQUIRE(without_check_sum.problems.size() == 1);

  std::string flipped = zipped;
  flipped[zipped.size() / 2] = static_cast<char>(flipped[zipped.size() / 2] ^ 0x55);
  CHECK_FALSE(read_all(flipped).problems.empty());

  const auto garbage = read_all(zipped + "garbage");
  REQUIRE(garbage.problems.size() == 1);
  CHECK(garbage.problems[0].find("damaged") != std::string::npos);
}

TEST_CASE("damaged and absurd rows are refused with line and column name") {
  struct Case {
    const char* row;
    const char* expected;
  };
  const auto c = GENERATE(
      Case{"0,993,8,1", "lbn: sectors 993 + 8 do not lie on the device"}, Case{"0,-1,8,1", "lbn: sectors -1"},
      Case{"0,99999999999999999999,8,1", "lbn: \"99999999999999999999\" is too large"},
      Case{"0,9223372036854775807,8,1", "lbn: sectors 9223372036854775807 + 8"},
      Case{"0,abc,8,1", "lbn: \"abc\" is not a whole number"}, Case{"0,,8,1", "lbn: is empty"},
      Case{"0,1.5,8,1", "lbn: \"1.5\" is not a whole number"}, Case{"0,1,0,1", "blocks: is 0"},
      Case{"0,1,-8,1", "blocks: is -8"}, Case{"0,1,257,1", "blocks: is 257"},
      Case{"0,1,8,2", "is_read: is 2"}, Case{"0,1,8,R", "is_read: \"R\" is not a whole number"},
      Case{"nan,1,8,1", "arrival_ms: \"nan\" is not a finite"},
      Case{"inf,1,8,1", "arrival_ms: \"inf\" is not a finite"},
      Case{"-1,1,8,1", "arrival_ms: \"-1\" is negative"},
      Case{"1e30,1,8,1", "arrival_ms: \"1e30\" is too large"},
      Case{"1e999,1,8,1", "arrival_ms: \"1e999\" is too large"},
      Case{"0,1,8", "3 fields, but the header names 4"}, Case{"0,1,8,1,9", "5 fields"},
      Case{"", "the line before this one is blank"});
  const auto outcome = read_all(header + "0,1,8,1\n" + c.row + "\n5,1,8,1\n");
  INFO(c.row);
  REQUIRE(outcome.problems.size() == 1);
  CHECK(outcome.rows.size() == 1);
  const std::string line = *c.row == '\0' ? ":4: error: " : ":3: error: ";
  CHECK(outcome.problems[0].substr(0, line.size() + std::string(c.expected).size()) == line + c.expected);
}

TEST_CASE("arrivals may not go backwards in an open replay only") {
  const std::string text = header + "2,1,8,1\n1,1,8,1\n3,1,8,1\n";
  REQUIRE(read_all(text).problems.size() == 1);
  CHECK(read_all(text).problems[0] == ":3: error: arrival_ms: goes backwards: \"1\" after a later arrival");
  CHECK(read_all(text, false).rows.size() == 3);
}

TEST_CASE("a trace without its columns or without requests is refused") {
  CHECK(read_all("").problems.size() == 1);
  CHECK(read_all(header).problems.size() == 1);
  CHECK(read_all("arrival_ms,lba,count\n1,2,3\n").problems.size() == 3);
  CHECK(read_all("arrival_ms,lbn,lbn,blocks,is_read\n0,1,1,1,1\n").problems.size() == 1);
  CHECK(read_all("lbn,blocks,is_read\n1,1,1\n").problems.size() == 1);
  CHECK(read_all("lbn,blocks,is_read\n1,1,1\n", false).problems.empty());
}

TEST_CASE("every bad line of a trace is told and not only the first") {
  std::string text = header;
  for (int i = 0; i < 30; ++i) {
    text += "0,x,8,1\n";
  }
  const auto outcome = read_all(text);
  REQUIRE(outcome.problems.size() == 21);
  CHECK(outcome.problems[19].substr(0, 5) == ":21: ");
  CHECK(outcome.problems[20] == ": 10 more lines are wrong");
}

TEST_CASE("a line without end is refused in constant memory") {
  const auto outcome = read_all(header + std::string(3 << 20, '1'));
  REQUIRE(outcome.problems.size() == 1);
  CHECK(outcome.problems[0].find("longer than") != std::string::npos);
}
