// check, models, drives, version and the help, as a user meets them.
#include <catch2/catch.hpp>
#include <filesystem>

#include "tests/cli/program.hpp"
#include "tests/scenario_text.hpp"

using namespace seekahead;
using test::Directory;
using test::good_scenario;
using test::Outcome;
using test::run_program;

TEST_CASE("check prints a scenario that checks to itself") {
  const Directory directory;
  const Outcome first = run_program({"check", directory.file("a.toml", good_scenario)});
  CHECK(first.status == 0);
  CHECK(first.err.empty());
  const Outcome second = run_program({"check", "-"}, first.out);
  CHECK(second.status == 0);
  const auto without_name = [](const std::string& text) { return text.substr(text.find('\n')); };
  CHECK(without_name(second.out) == without_name(first.out));
  CHECK_THAT(first.out, Catch::Contains("cpu_per_page = \"10 us\""));
}

TEST_CASE("check tells all problems on stderr and writes nothing else") {
  const Directory directory;
  const std::string good = directory.file("good.toml", good_scenario);
  const std::string bad = directory.file("bad.toml", "[machine]\nmemory = \"128 KB\"\ncors = 1\n");
  const Outcome outcome = run_program({"check", good, bad, directory.path("none.toml")});
  CHECK(outcome.status == 2);
  CHECK(outcome.out.empty());
  CHECK_THAT(outcome.err, Catch::Contains("bad.toml:2:10: error: memory:"));
  CHECK_THAT(
      outcome.err,
      Catch::Contains("bad.toml:3:1: error: unknown key \"cors\" in [machine]; did you mean \"cores\"?"));
  CHECK_THAT(outcome.err, Catch::Contains("none.toml\" does not exist"));
  CHECK_THAT(outcome.err, Catch::EndsWith("6 errors; nothing was run.\n"));
}

TEST_CASE("check takes overrides and a seed") {
  const Outcome good =
      run_program({"check", "-", "--set", "file.a.size=32 MiB", "--seed", "7"}, good_scenario);
  CHECK(good.status == 0);
  CHECK_THAT(good.out, Catch::Contains("size = \"32 MiB\"") && Catch::Contains("seed = 7"));
  const Outcome bad = run_program({"check", "-", "--set", "file.a.size=32"}, good_scenario);
  CHECK(bad.status == 2);
  CHECK_THAT(bad.err, Catch::Contains("--set file.a.size=32: error: size: 32 needs a unit"));
}

TEST_CASE("mistakes of usage exit with 2 and name what is near") {
  const auto refused = [](const std::vector<std::string>& arguments, const std::string& message) {
    const Outcome outcome = run_program(arguments);
    INFO(arguments[0] << ": " << outcome.err);
    CHECK(outcome.status == 2);
    CHECK(outcome.out.empty());
    CHECK_THAT(outcome.err, Catch::Contains(message));
  };
  refused({"chek"}, "unknown command \"chek\"; did you mean \"check\"?");
  refused({"check"}, "expected SCENARIO");
  refused({"check", "--seedd", "7", "x"}, "did you mean --seed?");
  refused({"check", "--see", "7", "x"}, "did you mean --seed?");  // no guessing
  refused({"check", "--seed", "-1", "x"}, "seed");
  refused({"check", "--seed=-1", "x"}, "--seed must be a whole number from 0");
  refused({"check", "--seed", "1x", "x"}, "--seed must be a whole number");
  refused({"check", "--seed", "99999999999999999999", "x"}, "--seed must be a whole number");
  refused({"check", "--seed", "1", "--seed", "2", "x"}, "given 2 times");
  refused({"models", "readahed"}, "did you mean \"readahead\"?");
  refused({"models", "readahead", "linux-2.5"}, "did you mean \"linux-2.4\"?");
  refused({"models", "a", "b", "c"}, "unexpected argument \"c\"");
  refused({"drives", "dtla307054"}, "did you mean \"dtla307045\"?");
  refused({"version", "x"}, "unexpected argument");
}

TEST_CASE("help is grouped and goes to stdout when asked for") {
  const Outcome help = run_program({"--help"});
  CHECK(help.status == 0);
  CHECK(help.err.empty());
  for (const char* part : {"Scenarios", "check", "models", "drives", "examples:", "130 interrupted"}) {
    CHECK_THAT(help.out, Catch::Contains(part));
  }
  const Outcome none = run_program({});
  CHECK(none.status == 2);
  CHECK(none.out.empty());
  CHECK(none.err == help.out);
  const Outcome verb = run_program({"check", "--help"});
  CHECK(verb.status == 0);
  CHECK_THAT(verb.out, Catch::Contains("--set KEY=VALUE") && Catch::Contains("examples:"));
}

TEST_CASE("models tells unit default range meaning and source of a parameter") {
  const Outcome outcome = run_program({"models", "device", "fixed-latency"});
  CHECK(outcome.status == 0);
  CHECK_THAT(
      outcome.out,
      Catch::Contains("\naccess\n    positioning before the data of every request\n    type: a time as in "
                      "\"8.5 ms\"\n    default: \"8 ms\"\n    allowed: 0 s to 10 s\n    source: Wu"));
  const Outcome all = run_program({"models"});
  CHECK_THAT(all.out,
             Catch::Contains("linux-2.4") && Catch::Contains("stream") && Catch::Contains("machine"));
}

TEST_CASE("every model can describe its parameters") {
  const Registry& registry = test::builtin_registry();
  std::vector<std::pair<std::string, std::string>> all;
  const auto add = [&](const char* kind, const auto& models) {
    for (const auto& model : models.all()) {
      all.emplace_back(kind, model.name);
    }
  };
  add("readahead", registry.readahead);
  add("elevator", registry.elevators);
  add("device", registry.devices);
  add("workload", registry.workloads);
  for (const auto& [kind, name] : all) {
    const Outcome outcome = run_program({"models", kind, name});
    INFO(kind << " " << name);
    CHECK(outcome.status == 0);
    CHECK_THAT(outcome.out, Catch::StartsWith(name));
  }
}

TEST_CASE("drives lists the catalogue and the source of each value") {
  const Outcome list = run_program({"drives"});
  INFO(list.err);
  CHECK(list.status == 0);
  CHECK_THAT(list.out, Catch::Contains("dtla307045 ") && Catch::Contains("ide-20mb-2001 "));
  const Outcome drive = run_program({"drives", "dtla307045"});
  CHECK(drive.status == 0);
  CHECK_THAT(drive.out,
             Catch::Contains("geometry.lbns") && Catch::Contains("90069840") && Catch::Contains("hdparm"));
}
