// What the real kernels decided, case by case: every output field of every case must be equal.
// tests/data/golden/README.md says where the files come from.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <set>

#include "cli/decide/answer.hpp"
#include "cli/decide/case_reader.hpp"
#include "models/builtin.hpp"
#include "sim/text/line_reader.hpp"

namespace {

using namespace seekahead;
using Json = nlohmann::json;

// The keys of a golden line that are results; all others are inputs.
const std::set<std::string> outputs = {"ios", "waits", "ret", "class", "events", "state"};

void compare(const Json& expected, const Json& answer) {
  std::set<std::string> keys = {"case", "policy", "kernel"};
  for (const auto& [key, value] : expected.items()) {
    if (outputs.count(key) != 0) {
      keys.insert(key);
    }
  }
  std::set<std::string> answered;
  for (const auto& [key, value] : answer.items()) {
    answered.insert(key);
  }
  CHECK(answered == keys);
  for (const std::string& key : keys) {
    INFO("field " << key);
    // Not the values themselves: a failing case would print a megabyte.
    CHECK((answer.contains(key) && answer[key] == expected[key]));
  }
}

void check_file(const std::string& name, std::int64_t cases) {
  Registry registry;
  register_builtin_models(registry);
  LineReader lines(SEEKAHEAD_SOURCE_DIR "/tests/data/golden/" + name + ".jsonl.gz");
  for (std::string_view text; lines.next(text);) {
    const std::string line(text);
    std::vector<cli::CaseProblem> problems;
    const std::optional<cli::Case> the_case = cli::read_case(registry, {}, line, problems);
    REQUIRE(the_case.has_value());
    INFO("case " << the_case->name);
    compare(Json::parse(line), Json::parse(cli::answer_line(*the_case)));
  }
  CHECK(lines.problem().empty());
  CHECK(lines.line_number() == cases);
}

#define GOLDEN_FILE(name, cases) \
  TEST_CASE("golden " name) { check_file(name, cases); }

GOLDEN_FILE("linux-2.4_2.4.5", 276)
GOLDEN_FILE("linux-2.6-window_2.6.8", 284)
GOLDEN_FILE("linux-2.6-window_2.6.9", 284)
GOLDEN_FILE("linux-2.6-request-size_2.6.11", 284)
GOLDEN_FILE("linux-2.6-request-size_2.6.12", 284)
GOLDEN_FILE("linux-2.6-request-size_2.6.22", 284)
GOLDEN_FILE("adaptive_v15", 157)
GOLDEN_FILE("adaptive_v16", 161)
GOLDEN_FILE("ondemand_2.6.24", 146)
GOLDEN_FILE("ondemand_mmap-2007", 146)
GOLDEN_FILE("ondemand_mmap-2009", 146)
GOLDEN_FILE("ondemand_2.6.31", 146)
GOLDEN_FILE("ondemand_6.1", 150)

}  // namespace
