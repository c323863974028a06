#include <catch2/catch.hpp>
#include <set>

#include "sim/scenario/quantities.hpp"
#include "tests/scenario_text.hpp"

using namespace seekahead;
using test::good_scenario;
using test::load_text;
using test::Loaded;

TEST_CASE("a sweep is the product of its lists with the first key slowest") {
  const Loaded loaded = load_text(
      good_scenario + "[sweep]\n\"readahead.window\" = [8, 16]\nfile.a.size = [\"1 MiB\", \"2 MiB\"]\n");
  INFO(loaded.problems);
  REQUIRE(loaded.scenario.has_value());
  std::vector<std::string> labels;
  for (const SweepPoint& point : loaded.scenario->sweep) {
    labels.push_back(point.label());
  }
  CHECK(labels == std::vector<std::string>{"readahead.window = 8, file.a.size = 1 MiB",
                                           "readahead.window = 8, file.a.size = 2 MiB",
                                           "readahead.window = 16, file.a.size = 1 MiB",
                                           "readahead.window = 16, file.a.size = 2 MiB"});
  CHECK(loaded.scenario->files[0].size_bytes == 1 << 20);  // the first point
}

TEST_CASE("random axes are drawn by the seed inside their range") {
  const std::string text = good_scenario +
                           "[[file]]\nname = \"b\"\nsize = \"1 MiB\"\nafter = \"a\"\n[sweep]\n"
                           "\"file.b.distance\" = { random = 16, from = \"0.3 GB\", to = \"0.9 GB\" }\n";
  const auto draws = [](const Loaded& loaded) {
    INFO(loaded.problems);
    REQUIRE(loaded.scenario.has_value());
    std::vector<std::int64_t> bytes;
    for (const SweepPoint& point : loaded.scenario->sweep) {
      bytes.push_back(parse_quantity(Dimension::bytes, point.values[0].value.text).value.value());
    }
    return bytes;
  };
  const std::vector<std::int64_t> one = draws(load_text(text));
  REQUIRE(one.size() == 16);
  CHECK(std::set<std::int64_t>(one.begin(), one.end()).size() == 16);
  for (const std::int64_t bytes : one) {
    CHECK(bytes >= 300'000'000);
    CHECK(bytes <= 900'000'000);
    CHECK(bytes % 4096 == 0);
  }
  CHECK(draws(load_text(text)) == one);
  CHECK(draws(load_text(text, {"scenario.seed=2"})) != one);
}

TEST_CASE("every point of a sweep is checked where its value stands") {
  const Loaded loaded =
      load_text(good_scenario + "[sweep]\n\"readahead.window\" = [8, -1]\n\"readahead.windov\" = [1]\n");
  CHECK(loaded.places == std::vector<std::string>{"t.toml:18:26", "t.toml:19:1"});
  for (const char* bad :
       {"\"readahead.window\" = 3", "\"readahead.window\" = []", "\"a b\" = [1]", "\"expect.0.of\" = [1]",
        "\"file.x.size\" = [\"1 MiB\"]", "\"readahead.window\" = { random = 0, from = 1, to = 2 }",
        "\"readahead.window\" = { random = 3, from = 1 }",
        "\"readahead.window\" = { random = 3, from = 2, to = 1 }",
        "\"readahead.window\" = { random = 3, from = 2, to = \"3 MiB\" }"}) {
    const Loaded spoilt = load_text(good_scenario + "[sweep]\n" + bad + "\n");
    INFO(bad << "\n" << spoilt.problems);
    CHECK_FALSE(spoilt.scenario.has_value());
    REQUIRE(spoilt.places.size() == 1);
    CHECK_THAT(spoilt.places[0], Catch::StartsWith("t.toml:18:"));
  }
}

TEST_CASE("a sweep too large to run is refused at once") {
  std::string text = good_scenario + "[sweep]\n";
  for (const char* key : {"readahead.window", "scenario.seed", "machine.cores"}) {
    text += "\"" + std::string(key) + "\" = { random = 1000, from = 1, to = 9 }\n";
  }
  CHECK_THAT(load_text(text).problems, Catch::Contains("more than 100000 points"));
}

TEST_CASE("an override of a swept key takes the place of its axis") {
  const Loaded loaded =
      load_text(good_scenario + "[sweep]\n\"readahead.window\" = [8, 16]\n", {"readahead.window=4"});
  INFO(loaded.problems);
  REQUIRE(loaded.scenario.has_value());
  CHECK(loaded.scenario->sweep.empty());
}

TEST_CASE("expectations are read and their paths checked") {
  const std::string sweep = "[sweep]\n\"readahead.window\" = [8, 16]\n";
  const Loaded loaded = load_text(good_scenario + sweep +
                                  "[[expect]]\nof = \"process.r.throughput_mb_s\"\nwhere = { "
                                  "\"readahead.window\" = 8 }\nequals = 10.9\ntolerance = \"10 %\"\n"
                                  "source = \"post\"\nunmet = \"because\"\n"
                                  "[[expect]]\nof = \"ratio(process.r.throughput_mb_s{readahead.window = "
                                  "16}, process.r.throughput_mb_s{readahead.window = "
                                  "8})\"\nat_least = 2\n");
  INFO(loaded.problems);
  REQUIRE(loaded.scenario.has_value());
  REQUIRE(loaded.scenario->expectations.size() == 2);
  const Expectation& first = loaded.scenario->expectations[0];
  CHECK(first.claim == Claim::equals);
  CHECK(first.value == 10.9);
  CHECK(first.tolerance_percent == 10);
  CHECK(first.unmet == "because");
  CHECK(matches(loaded.scenario->sweep[0], first.where));
  CHECK_FALSE(matches(loaded.scenario->sweep[1], first.where));
  const Expectation& second = loaded.scenario->expectations[1];
  CHECK(second.function == "ratio");
  REQUIRE(second.measures.size() == 2);
  CHECK(second.measures[0].path == "process.r.throughput_mb_s");
  CHECK(matches(loaded.scenario->sweep[1], second.measures[0].where));
}

TEST_CASE("expectations that cannot be evaluated are refused") {
  const auto problems = [](const std::string& lines) {
    const Loaded loaded = load_text(good_scenario + "[[expect]]\n" + lines);
    CHECK_FALSE(loaded.scenario.has_value());
    return loaded.problems;
  };
  CHECK_THAT(problems("of = \"proces.r.reads\"\nequals = 1\n"),
             Catch::Contains("t.toml:18:6") && Catch::Contains("did you mean \"process\"?"));
  CHECK_THAT(problems("of = \"process.q.reads\"\nequals = 1\n"),
             Catch::Contains("there is no process \"q\""));
  CHECK_THAT(problems("of = \"process.r\"\nequals = 1\n"), Catch::Contains("t.toml:18:6"));
  CHECK_THAT(problems("of = \"ration(process.r.reads, process.r.reads)\"\nequals = 1\n"),
             Catch::Contains("did you mean \"ratio\"?"));
  CHECK_THAT(problems("of = \"ratio(process.r.reads)\"\nequals = 1\n"),
             Catch::Contains("takes 2 paths, not 1"));
  CHECK_THAT(problems("of = \"mean(process.r.reads\"\nequals = 1\n"), Catch::Contains("not closed"));
  CHECK_THAT(problems("of = \"process.r.reads\"\n"),
             Catch::Contains("t.toml:17:1") && Catch::Contains("needs one of equals"));
  CHECK_THAT(problems("of = \"process.r.reads\"\nequals = 1\nat_least = 1\n"),
             Catch::Contains("t.toml:20:1"));
  CHECK_THAT(problems("of = \"process.r.reads\"\nequals = \"1\"\n"),
             Catch::Contains("equals must be a number, not text"));
  CHECK_THAT(problems("of = \"process.r.reads\"\nequals = nan\n"),
             Catch::Contains("equals must be a number"));
  CHECK_THAT(problems("of = \"process.r.reads\"\nequals = 1\ntolerance = 10\n"),
             Catch::Contains("needs the unit %"));
  CHECK_THAT(problems("of = \"process.r.reads\"\nequals = 1\ntolerace = \"10 %\"\n"),
             Catch::Contains("did you mean \"tolerance\"?"));
  CHECK_THAT(problems("of = \"process.r.reads\"\nequals = 1\nwhere = { \"readahead.window\" = 5 }\n"),
             Catch::Contains("no point of [sweep]"));
  CHECK_THAT(problems("of = \"process.r.reads\"\nlist = [1, 2]\n"), Catch::Contains("points of a [sweep]"));
  CHECK_THAT(problems("of = \"process.r.reads\"\norder = [1, 2]\n"), Catch::Contains("points of a [sweep]"));
}

TEST_CASE("a mistyped last part of a path is found before the run") {
  const auto problems = [](const std::string& path) {
    return load_text(good_scenario +
                     "[[process]]\nname = \"c\"\nworkload = \"stream\"\nfiles = [\"a\"]\ncount = 2\n" +
                     "[[expect]]\nof = \"" + path + "\"\nequals = 1\n")
        .problems;
  };
  for (const char* good :
       {"process.r.throughput_mb_s", "process.r.latency_ms.p99", "process.c.processes", "process.c.1.reads",
        "device.d.request_sizes.up_to_4_kib", "device.d.latency_ms.max", "file.a.readahead_limit.setra",
        "total.elapsed_s", "readahead.total.pages_hit", "readahead.limits.d.setra",
        "readahead.classes.random.windows", "memory.evictions", "block.request_slots", "simulated_s"}) {
    INFO(good);
    CHECK_THAT(problems(good), Catch::StartsWith("0 errors"));
  }
  CHECK_THAT(problems("process.r.throughput_mbs"), Catch::Contains("did you mean \"throughput_mb_s\"?"));
  CHECK_THAT(problems("process.r.processes"), Catch::Contains("no number \"processes\" of process \"r\""));
  CHECK_THAT(problems("process.c.reads"), Catch::Contains("no number \"reads\" of process \"c\""));
  CHECK_THAT(problems("process.c.2.reads"), Catch::Contains("no number"));
  for (const char* bad :
       {"device.d.latency_ms.p98", "file.a.byte", "total.reads", "readahead.total.window",
        "readahead.limits.d.pages", "readahead.total", "memory.frame", "block.kernel", "writeback.pages"}) {
    INFO(bad);
    CHECK_THAT(problems(bad), Catch::Contains("error: of: "));
  }
}

TEST_CASE("a bad sweep does not hide other problems") {
  const Loaded loaded =
      load_text(good_scenario +
                "[sweep]\n\"a b\" = [1]\n\"readahead.window\" = [8, -1]\n\"machine.cores\" = []\n"
                "[[expect]]\nof = \"process.r.readz\"\nequals = 1\nwhere = { \"readahead.window\" = 3 }\n");
  INFO(loaded.problems);
  CHECK(loaded.places ==
        std::vector<std::string>{"t.toml:18:1", "t.toml:19:26", "t.toml:20:19", "t.toml:22:6"});
}
