// What an override or an axis does to the keys around its own: alternatives of it, parameters of the model
// that it replaces, limits that the chosen policy does not use.
#include <catch2/catch.hpp>

#include "sim/scenario/effective.hpp"
#include "sim/scenario/plan.hpp"
#include "tests/scenario_text.hpp"

using namespace seekahead;
using Catch::Contains;
using test::builtin_registry;
using test::load_text;
using test::Loaded;

namespace {

const std::string devices_and_files = R"([[device]]
name = "d"
drive = "dtla307045"
cache = { segments = 4 }
[[file]]
name = "a"
size = "1 MiB"
position = "40 %"
[[process]]
name = "r"
workload = "stream"
files = ["a"]
block = "32 KiB"
pattern = "random"
)";

const std::string readahead_2_4 = R"([readahead]
policy = "linux-2.4"
kernel = "2.4.5"
min_readahead = 7
max_readahead = 31
)";

const std::string text = devices_and_files + readahead_2_4;
const std::string limit_axis = "[sweep]\n\"readahead.max_readahead\" = [15, 31]\n";

std::string effective(const std::string& scenario, const std::vector<std::string>& sets) {
  const Loaded loaded = load_text(scenario, sets);
  INFO(loaded.problems);
  REQUIRE(loaded.scenario.has_value());
  return effective_configuration(*loaded.scenario);
}

std::size_t points(const std::string& scenario, const std::vector<std::string>& sets) {
  const Loaded loaded = load_text(scenario, sets);
  INFO(loaded.problems);
  REQUIRE(loaded.scenario.has_value());
  return loaded.scenario->sweep.size();
}

std::string problems(const std::string& scenario, const std::vector<std::string>& sets) {
  const Loaded loaded = load_text(scenario, sets);
  CHECK_FALSE(loaded.scenario.has_value());
  return loaded.problems;
}

struct PlanOutcome {
  std::optional<Plan> plan;
  std::string problems;
};

// As `seekahead sweep` reads its options: {key, values}.
PlanOutcome plan_with(const std::string& scenario,
                      const std::vector<std::pair<std::string, std::vector<std::string>>>& axes,
                      const std::vector<std::string>& sets = {}) {
  Diagnostics diagnostics;
  Document document = parse_document(scenario, "t.toml", diagnostics);
  std::vector<Override> overrides;
  for (const std::string& set : sets) {
    overrides.push_back(parse_override(set, diagnostics).value());
  }
  for (const auto& [key, values] : axes) {
    add_axis(document, key, values, diagnostics);
  }
  PlanOutcome out;
  out.plan = Plan::make(std::move(document), std::move(overrides), builtin_registry(), diagnostics);
  out.problems = diagnostics.text();
  return out;
}

}  // namespace

TEST_CASE("an override of one limit takes the place of another and of its axis") {
  for (const auto& [set, pages] :
       {std::pair("readahead.read_ahead_kb=512", 128U), std::pair("readahead.setra=64", 8U),
        std::pair("readahead.max_readahead=3", 3U), std::pair("device.d.read_ahead_kb=512", 128U)}) {
    const Loaded loaded = load_text(text + limit_axis, {set});
    INFO(set << "\n" << loaded.problems);
    REQUIRE(loaded.scenario.has_value());
    CHECK(loaded.scenario->devices[0].ra_pages == pages);
  }
  CHECK(points(text + limit_axis, {"readahead.read_ahead_kb=512"}) == 0);
  CHECK(points(text + limit_axis, {"machine.cores=2"}) == 2);
  CHECK_THAT(problems(text + "setra = 8\n", {}), Contains("setra contradicts max_readahead"));
}

TEST_CASE("an axis takes the place of an alternative axis of the text") {
  const PlanOutcome outcome =
      plan_with(text + limit_axis, {{"readahead.read_ahead_kb", {"32", "64", "128"}}});
  INFO(outcome.problems);
  REQUIRE(outcome.plan.has_value());
  CHECK(outcome.plan->points() == 3);
  CHECK(outcome.plan->point(2).devices[0].ra_pages == 32);
  CHECK(outcome.plan->scenario().sweep[0].label() == "readahead.read_ahead_kb = 32");
}

TEST_CASE("two overrides that contradict each other are an error") {
  CHECK_THAT(problems(text, {"readahead.read_ahead_kb=512", "readahead.setra=8"}), Contains("contradicts"));
  CHECK_THAT(problems(text, {"file.a.sector=8", "file.a.position=1 %"}), Contains("contradicts"));
  CHECK_THAT(plan_with(text, {{"readahead.setra", {"8", "16"}}}, {"readahead.read_ahead_kb=512"}).problems,
             Contains("contradicts the axis \"readahead.setra\""));
  CHECK_THAT(
      plan_with(text, {{"readahead.setra", {"8", "16"}}, {"readahead.read_ahead_kb", {"4", "8"}}}).problems,
      Contains("\"readahead.read_ahead_kb\" is swept already, as \"readahead.setra\""));
}

TEST_CASE("a key given twice from outside is an error") {
  CHECK_THAT(problems(text, {"machine.cores=1", "machine.cores=2"}), Contains("given twice"));
  CHECK_THAT(problems(text, {"file.a.size=\"1 MiB\"", "file.0.size=\"2 MiB\""}), Contains("given twice"));
  CHECK_THAT(plan_with(text, {{"machine.cores", {"1", "2"}}, {"machine.cores", {"3", "4"}}}).problems,
             Contains("given twice"));
  CHECK_THAT(plan_with(text, {{"machine.cores", {"1", "2"}}, {"\"machine\".cores", {"3", "4"}}}).problems,
             Contains("is swept already"));
  CHECK_THAT(plan_with(text, {{"machine.cores", {"1", "2"}}}, {"machine.cores=1"}).problems,
             Contains("contradicts the axis"));
}

TEST_CASE("two axes of the text for one key are an error") {
  const std::string twice = text + "[sweep]\n\"machine.cores\" = [1, 2]\nmachine.cores = [3]\n";
  const Loaded loaded = load_text(twice);
  CHECK(loaded.places == std::vector<std::string>{"t.toml:22:9"});
  CHECK_THAT(loaded.problems, Contains("\"machine.cores\" is swept already"));
  CHECK_THAT(
      problems(text + "[sweep]\nreadahead = [{ policy = \"none\" }]\n\"readahead.policy\" = [\"fixed\"]\n",
               {}),
      Contains("\"readahead.policy\" is swept already, as \"readahead\""));
}

TEST_CASE("a value that stands twice in an axis is refused") {
  CHECK_THAT(problems(text + "[sweep]\n\"machine.cores\" = [1, 2, 1.0]\n", {}),
             Contains("t.toml:21:26") && Contains("has the value \"1.0\" twice"));
  CHECK_THAT(problems(text + "[sweep]\n\"file.a.size\" = [\"1 MiB\", \"1024 KiB\"]\n", {}),
             Contains("twice"));
  CHECK_THAT(plan_with(text, {{"machine.cores", {"1", "1"}}}).problems, Contains("twice"));
  // Draws may well come out alike.
  CHECK(points(text + "[sweep]\n\"machine.cores\" = { random = 20, from = 1, to = 2 }\n", {}) == 20);
}

TEST_CASE("an override of the place of a file takes the place of another") {
  const Loaded by_sector = load_text(text, {"file.a.sector=80"});
  REQUIRE(by_sector.scenario.has_value());
  CHECK(by_sector.scenario->files[0].start_sector == 80);
  const std::string second = text + "[[file]]\nname = \"b\"\nsize = \"1 MiB\"\nposition = \"50 %\"\n";
  const Loaded behind = load_text(second, {"file.a.sector=80", "file.b.after=a"});
  INFO(behind.problems);
  REQUIRE(behind.scenario.has_value());
  CHECK(behind.scenario->files[1].start_sector == 80 + 2048);
}

TEST_CASE("another policy takes away what only the old one knows") {
  const std::string other = effective(text, {"readahead.policy=ondemand"});
  CHECK_THAT(other, !Contains("min_readahead = ") && Contains("max_readahead = 31"));
  CHECK(other.find("2.4.5") > other.find("[block]"));  // only there
  CHECK_THAT(effective(text, {"readahead.policy=linux-2.4"}), Contains("min_readahead = 7"));
  CHECK_THAT(problems(text, {"readahead.policy=ondemand", "readahead.kernel=2.4.5"}), Contains("2.4.5"));
  CHECK_THAT(problems(text, {"readahead.policy=ondemand", "readahead.min_readahead=3"}),
             Contains("unknown key \"min_readahead\""));
}

TEST_CASE("what neither model knows stays an error") {
  const std::string mistyped = devices_and_files + "[readahead]\npolicy = \"linux-2.4\"\nmin_readahed = 7\n";
  CHECK_THAT(problems(mistyped, {"readahead.policy=ondemand"}), Contains("unknown key \"min_readahed\""));
}

TEST_CASE("another workload keeps the parameters that both know") {
  const std::string two = text + "[[file]]\nname = \"b\"\nsize = \"1 MiB\"\nafter = \"a\"\n";
  const std::vector<std::string> sets = {"process.r.workload=diff", "process.r.files=[\"a\", \"b\"]"};
  const std::string other = effective(two, sets);
  CHECK_THAT(other,
             Contains("workload = \"diff\"") && Contains("block = \"32 KiB\"") && !Contains("pattern"));
  CHECK_THAT(problems(two, {sets[0], sets[1], "process.r.pattern=random"}),
             Contains("unknown key \"pattern\""));
}

TEST_CASE("another elevator takes away the parameters of the old one") {
  const std::string of_deadline =
      text + "[block]\nkernel = \"2.6.11\"\nelevator = \"deadline\"\nread_expire = \"100 ms\"\n";
  CHECK_THAT(effective(of_deadline, {}), Contains("read_expire = \"100 ms\""));
  CHECK_THAT(effective(of_deadline, {"block.elevator=noop"}),
             Contains("elevator = \"noop\"") && !Contains("read_expire"));
  // Also when the text did not name it.
  const std::string of_default = text + "[block]\nkernel = \"2.6.11\"\nread_expire = \"100 ms\"\n";
  CHECK_THAT(effective(of_default, {"block.elevator=noop"}), !Contains("read_expire"));
}

TEST_CASE("a 2.6 kernel without an elevator has one that exists") {
  CHECK_THAT(effective(text + "[block]\nkernel = \"2.6.11\"\n", {}), Contains("elevator = \"deadline\""));
  CHECK_THAT(effective(text, {}), Contains("elevator = \"linus\""));
}

TEST_CASE("another device model takes the drive and the changes beside it away") {
  const std::string other = effective(text, {"device.d.model=fixed-latency"});
  CHECK_THAT(other, Contains("model = \"fixed-latency\"") && !Contains("cache"));
  CHECK_THAT(problems(text, {"device.d.model=fixed-latency", "device.d.cache.segments=4"}),
             Contains("unknown key"));
  CHECK_THAT(problems(text, {"device.d.model=fixed-latency", "device.d.drive=dtla307045"}),
             Contains("contradicts"));
}

TEST_CASE("a drive takes the place of a model with its parameters") {
  const std::string with_model =
      "[[device]]\nname = \"d\"\nmodel = \"fixed-latency\"\ncapacity = \"1 GiB\"\n" +
      text.substr(text.find("[[file]]"));
  const std::string other = effective(with_model, {"device.d.drive=dtla307045"});
  CHECK_THAT(other, Contains("model = \"disk\"") && !Contains("capacity = \"1 GiB\""));
}

TEST_CASE("a table with a model in an axis takes the place of the model of the text") {
  const std::string tables =
      text +
      "[sweep]\nreadahead = [{ policy = \"linux-2.4\" }, { policy = \"adaptive\", kernel = \"v15\" }]\n";
  CHECK(points(tables, {}) == 2);
  CHECK_THAT(problems(text + "[sweep]\nreadahead = [{ policy = \"ondemand\", kernel = \"2.4.5\" }]\n", {}),
             Contains("2.4.5"));
  CHECK(points(tables, {"readahead.policy=none"}) == 0);
}

TEST_CASE("a key fixed from outside is fixed in the tables of an axis") {
  const std::string tables = text +
                             "[sweep]\nreadahead = [{ kernel = \"2.4.5\", min_readahead = 3 }, { kernel = "
                             "\"2.4.20\", min_readahead = 3 }, "
                             "{ kernel = \"2.4.5\", min_readahead = 9 }]\n";
  const Loaded loaded = load_text(tables, {"readahead.kernel=2.4.5"});
  INFO(loaded.problems);
  REQUIRE(loaded.scenario.has_value());
  REQUIRE(loaded.scenario->sweep.size() == 2);
  CHECK(loaded.scenario->sweep[1].label() == "readahead = { min_readahead = 9 }");
}

TEST_CASE("a limit of the text is left aside by a policy from outside that ignores it") {
  CHECK_THAT(effective(text, {"readahead.policy=none"}), Contains("policy = \"none\""));
  CHECK(points(text + limit_axis, {"readahead.policy=none"}) == 2);
  CHECK_THAT(problems(text, {"readahead.policy=none", "readahead.read_ahead_kb=64"}),
             Contains("reads nothing ahead"));
  const std::string written = devices_and_files + "[readahead]\npolicy = \"none\"\nmax_readahead = 31\n";
  CHECK_THAT(problems(written, {}), Contains("reads nothing ahead"));
}

TEST_CASE("a limit is left aside at the points of a sweep whose policy ignores it") {
  const PlanOutcome four = plan_with(
      text, {{"readahead.policy", {"linux-2.4", "none"}}, {"readahead.read_ahead_kb", {"32", "128"}}});
  INFO(four.problems);
  REQUIRE(four.plan.has_value());
  CHECK(four.plan->points() == 4);
  CHECK(plan_with(text, {{"readahead.policy", {"fixed", "none"}}}).plan.has_value());
  CHECK_THAT(plan_with(text, {{"readahead.policy", {"none"}}, {"readahead.setra", {"8", "16"}}}).problems,
             Contains("has no effect"));
}

TEST_CASE("an axis from outside may leave the expectations of the text without their points") {
  const std::string expecting =
      text + limit_axis +
      "[[expect]]\nof = \"process.r.reads\"\nwhere = { \"readahead.max_readahead\" = 31 }\n"
      "equals = 1\n";
  CHECK(plan_with(expecting, {{"readahead.setra", {"8", "16"}}}).plan.has_value());
  CHECK(plan_with(expecting, {}, {"readahead.setra=8"}).plan.has_value());
}
