// The published debug lines of w3m's start in 2007, reproduced from an access sequence.
// tests/data/readahead_log_2007/README.md derives the sequence.
#include <catch2/catch.hpp>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include "cli/decide/case_reader.hpp"
#include "cli/decide/replay.hpp"
#include "sim/observe/kernel_log.hpp"
#include "tests/policy_on_toy.hpp"

namespace {

using namespace seekahead;

const std::string data = SEEKAHEAD_SOURCE_DIR "/tests/data/readahead_log_2007/";

std::vector<std::string> lines_of(const std::string& name) {
  std::ifstream file(data + name);
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) {
    lines.push_back(line);
  }
  return lines;
}

cli::Case w3m_case(const cli::Overrides& overrides) {
  std::vector<cli::CaseProblem> problems;
  std::optional<cli::Case> the_case = cli::read_case(seekahead::testing::builtin_registry(), overrides,
                                                     lines_of("w3m.jsonl").at(0), problems);
  REQUIRE(the_case.has_value());
  return std::move(*the_case);
}

std::vector<std::string> logged(const cli::Case& the_case) {
  std::vector<std::string> lines;
  cli::Replay replay(the_case);
  KernelLogSubject subject{.process = "sh", .pid = 23926, .file = "sda1/w3m"};
  replay.cache().on_submission = [&](const Submission& wish, std::uint64_t inserted) {
    lines.push_back(kernel_log_line(subject, wish, inserted));
  };
  for (std::size_t i = 0; i < the_case.operations.size(); ++i) {
    replay.step(i);
    subject.process = "w3m";  // the shell has become the program
    subject.file_position = 832;
  }
  return lines;
}

TEST_CASE("w3m start of 2007 line by line") {
  const std::vector<std::string> published = lines_of("w3m.log");
  REQUIRE(published.size() == 15);
  REQUIRE(published[1] ==
          "readahead-around(process: w3m/23926, file: sda1/w3m, offset=0:0, ra=290+32-0) = 17");
  CHECK(logged(w3m_case({})) == published);
}

TEST_CASE("w3m start needs the quick start of detected sequential faults") {
  const std::vector<std::string> lines = logged(w3m_case({{{"quick_start_detected", "false"}}}));
  REQUIRE(lines.size() > 6);
  CHECK(lines[6] == "readahead-init(process: w3m/23926, file: sda1/w3m, offset=0:149, ra=150+4-3) = 4");
}

}  // namespace
