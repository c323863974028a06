// The scenarios of the repository against what they reproduce: exactly the expectations marked unmet miss.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/cli/program.hpp"

using namespace seekahead::test;
using Json = nlohmann::json;

namespace {

void check_folder(const std::string& folder, std::size_t at_least) {
  const Outcome outcome =
      run_program({"verify", SEEKAHEAD_SOURCE_DIR "/scenarios/" + folder, "--json", "--allow-unmet"});
  INFO(outcome.err);
  CHECK(outcome.status == 0);
  const Json verdicts = Json::parse(outcome.out);
  CHECK(verdicts.size() >= at_least);
  for (const Json& verdict : verdicts) {
    INFO(verdict.dump());
    CHECK(verdict.at("ok").get<bool>() != verdict.contains("unmet"));
  }
}

}  // namespace

TEST_CASE("published figures of larsson-2001") { check_folder("larsson-2001", 8); }
TEST_CASE("published figures of wu-2010") { check_folder("wu-2010", 2); }
TEST_CASE("published figures of wu-2007-log") { check_folder("wu-2007-log", 7); }
TEST_CASE("published figures of pratt-2004") { check_folder("pratt-2004", 4); }
TEST_CASE("published figures of reports") { check_folder("reports", 40); }
TEST_CASE("published figures of policies") { check_folder("policies", 1); }

TEST_CASE("an unmet expectation fails without allow-unmet and is named with its reason") {
  const Outcome outcome = run_program({"verify", SEEKAHEAD_SOURCE_DIR "/scenarios/reports/25-blkid.toml"});
  CHECK(outcome.status == 1);
  CHECK_THAT(outcome.out, Catch::Contains("unmet: the literal read ends 512 bytes into page 4"));
}
