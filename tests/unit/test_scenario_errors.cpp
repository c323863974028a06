// Every kind of bad scenario, with the exact place of the message.
#include <catch2/catch.hpp>
#include <ctime>

#include "tests/cli/program.hpp"
#include "tests/scenario_text.hpp"

using namespace seekahead;
using test::good_scenario;
using test::load_text;
using test::Loaded;

namespace {

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

// The scenario with one line changed has exactly this problem.
void check_one(const std::string& from, const std::string& to, const std::string& place,
               const std::string& message) {
  const Loaded loaded = load_text(replaced(good_scenario, from, to));
  INFO(from << " -> " << to << "\n" << loaded.problems);
  CHECK_FALSE(loaded.scenario.has_value());
  CHECK(loaded.places == std::vector<std::string>{place});
  CHECK_THAT(loaded.problems, Catch::Contains(message));
}

}  // namespace

TEST_CASE("the scenario that the others spoil is good") {
  const Loaded loaded = load_text(good_scenario);
  INFO(loaded.problems);
  REQUIRE(loaded.scenario.has_value());
  CHECK(loaded.scenario->devices.size() == 1);
  CHECK(loaded.scenario->processes[0].name == "r");
}

TEST_CASE("unknown keys sections and names get the nearest one") {
  check_one("window = 32", "windov = 32", "t.toml:10:1",
            "unknown key \"windov\" in [readahead]; did you mean \"window\"?");
  check_one("[block]", "[blok]", "t.toml:11:2", "unknown section \"blok\"; did you mean \"block\"?");
  check_one("\"fixed\"", "\"fixt\"", "t.toml:9:10", "did you mean \"fixed\"?");
  check_one("\"noop\"", "\"nop\"", "t.toml:12:12", "unknown elevator \"nop\"");
  check_one("\"fixed-latency\"", "\"fixed_latency\"", "t.toml:3:9", "did you mean \"fixed-latency\"?");
  check_one("\"stream\"", "\"steam\"", "t.toml:15:12", "unknown workload \"steam\"");
  check_one("files = [\"a\"]", "files = [\"b\"]", "t.toml:16:10", "unknown file \"b\"");
  check_one("size = \"64 MiB\"", "size = \"64 MiB\"\ndevice = \"e\"", "t.toml:8:10", "unknown device \"e\"");
  check_one("model = \"fixed-latency\"", "drive = \"dtla307054\"", "t.toml:3:9",
            "unknown drive \"dtla307054\"");
}

TEST_CASE("wrong units types and ranges are told with what is right") {
  check_one("\"64 MiB\"", "\"64\"", "t.toml:7:8", "needs a unit: B, KiB");
  check_one("\"64 MiB\"", "64", "t.toml:7:8", "needs a unit: B, KiB");
  check_one("\"64 MiB\"", "\"64 KB\"", "t.toml:7:8", "1000 or 1024");
  check_one("\"64 MiB\"", "\"64 ms\"", "t.toml:7:8", "the units here are B, KiB");
  check_one("\"64 MiB\"", "\"-1 MiB\"", "t.toml:7:8", "must be 1 B to 1024 TiB");
  check_one("\"64 MiB\"", "\"0 B\"", "t.toml:7:8", "must be 1 B to 1024 TiB");
  check_one("\"64 MiB\"", "\"1.5 B\"", "t.toml:7:8", "fraction of a byte");
  check_one("\"64 MiB\"", "[1]", "t.toml:7:8", "must be a size as in \"128 KiB\", not a list");
  check_one("window = 32", "window = \"32\"", "t.toml:10:10", "must be a bare number of pages");
  check_one("window = 32", "window = 1e3", "t.toml:10:10", "not a number with a fraction");
  check_one("window = 32", "window = -1", "t.toml:10:10", "but must be 0 to 1048576");
  check_one("window = 32", "aligned = 1", "t.toml:10:11", "must be true or false");
  check_one("\"noop\"", "\"noop\"\nkernel = \"2.5\"", "t.toml:13:10", "values: 2.4.5");
  check_one("files = [\"a\"]", "files = \"a\"", "t.toml:16:9", "files must be a list of names");
  check_one("files = [\"a\"]", "files = [\"a\"]\nstart = \"nan s\"", "t.toml:17:9",
            "not a number with a unit");
}

TEST_CASE("parameters that contradict each other point at both lines") {
  const std::string text = replaced(good_scenario, "window = 32", "setra = 256\nread_ahead_kb = 128");
  const Loaded loaded = load_text(text);
  CHECK(loaded.places == std::vector<std::string>{"t.toml:11:1"});
  CHECK_THAT(loaded.problems, Catch::Contains("read_ahead_kb contradicts setra") &&
                                  Catch::Contains("t.toml:10:1: note: the other one"));
  check_one("size = \"64 MiB\"", "size = \"64 MiB\"\nposition = \"40 %\"\nsector = 8", "t.toml:9:1",
            "t.toml:8:1: note: the other one");
  check_one("model = \"fixed-latency\"", "model = \"fixed-latency\"\ndrive = \"dtla307045\"", "t.toml:4:1",
            "t.toml:3:1: note");
}

TEST_CASE("the readahead limit is given in one of three units") {
  const auto pages = [](const std::string& key, const std::vector<std::string>& sets = {}) {
    const Loaded loaded = load_text(replaced(good_scenario, "window = 32", key), sets);
    INFO(key << loaded.problems);
    REQUIRE(loaded.scenario.has_value());
    return std::pair(loaded.scenario->devices[0].ra_pages, loaded.scenario->devices[0].readahead_echo);
  };
  CHECK(pages("read_ahead_kb = 124") ==
        std::pair<std::uint64_t, std::string>(31, "31 pages = 124 KiB = setra 248"));
  CHECK(pages("setra = 256").first == 32);
  CHECK(pages("max_readahead = 511").first == 511);
  CHECK(pages("window = 32").first == 32);
  // An override in another unit takes the place of the file's.
  CHECK(pages("max_readahead = 511", {"readahead.setra=8"}).first == 1);
  CHECK(pages("max_readahead = 511", {"device.d.read_ahead_kb=40"}).first == 10);
  check_one("window = 32", "read_ahead_kb = 126", "t.toml:10:17", "multiple of 4");
  check_one("window = 32", "setra = 252", "t.toml:10:9", "multiple of 8");
  check_one("window = 32", "read_ahead_kb = \"128 KiB\"", "t.toml:10:17", "bare whole number (KiB)");
  const Loaded both = load_text(
      replaced(replaced(good_scenario, "window = 32", "setra = 8"), "capacity", "setra = 8\ncapacity"));
  CHECK(both.places == std::vector<std::string>{"t.toml:11:1"});
  CHECK_THAT(both.problems, Catch::Contains("has no effect: every [[device]] has its own"));
}

TEST_CASE("linux-2.4 has 31 pages unless told otherwise") {
  const Loaded loaded = load_text(replaced(good_scenario, "\"fixed\"\nwindow = 32", "\"linux-2.4\""));
  REQUIRE(loaded.scenario.has_value());
  CHECK(loaded.scenario->devices[0].ra_pages == 31);
}

TEST_CASE("files must fit and must not overlap") {
  check_one("\"64 MiB\"", "\"2 GiB\"", "t.toml:7:8", "is larger than its device");
  check_one("\"64 MiB\"", "\"64 MiB\"\nposition = \"99 %\"", "t.toml:8:12", "does not fit behind sector");
  check_one("\"64 MiB\"", "\"64 MiB\"\nsector = 1966081", "t.toml:8:10", "the last that fits is 1966080");
  const std::string second = "[[file]]\nname = \"b\"\nsize = \"64 MiB\"\nsector = ";
  const Loaded fits = load_text(good_scenario + second + "131072\n");
  INFO(fits.problems);
  CHECK(fits.scenario.has_value());
  const Loaded overlaps = load_text(good_scenario + second + "131071\n");
  CHECK(overlaps.places == std::vector<std::string>{"t.toml:20:10"});
  CHECK_THAT(overlaps.problems,
             Catch::Contains("overlaps file \"a\" by 512 B") && Catch::Contains("t.toml:5:"));
}

TEST_CASE("files without a position follow the file before") {
  const Loaded loaded =
      load_text(good_scenario +
                "[[file]]\nname = \"b\"\nsize = \"5000 B\"\n"
                "[[file]]\nname = \"c\"\nsize = \"1 MiB\"\n"
                "[[file]]\nname = \"e\"\nsize = \"1 MiB\"\nafter = \"a\"\ndistance = \"10 MiB\"\n"
                "[[file]]\nname = \"f\"\nsize = \"1 MiB\"\nposition = \"50 %\"\n");
  INFO(loaded.problems);
  REQUIRE(loaded.scenario.has_value());
  const std::vector<FileConfig>& files = loaded.scenario->files;
  CHECK(files[0].start_sector == 0);
  CHECK(files[1].start_sector == 131072);
  CHECK(files[2].start_sector == 131072 + 16);  // two whole pages
  CHECK(files[3].start_sector == 131072 + 20480);
  CHECK(files[4].start_sector == 1048576);
  const Loaded unknown =
      load_text(good_scenario + "[[file]]\nname = \"b\"\nsize = \"1 MiB\"\nafter = \"x\"\n");
  CHECK(unknown.places == std::vector<std::string>{"t.toml:20:9"});
}

TEST_CASE("what must be there is missed where it should be") {
  check_one("name = \"d\"\n", "", "t.toml:1:1", "[[device]] needs name");
  check_one("size = \"64 MiB\"\n", "", "t.toml:5:1", "[[file]] needs size");
  check_one("policy = \"fixed\"\nwindow = 32\n", "", "t.toml:8:2",
            "[readahead] needs policy: known policies: none, fixed");
  check_one("workload = \"stream\"\n", "", "t.toml:13:1", "[[process]] needs workload");
  check_one("model = \"fixed-latency\"\ncapacity = \"1 GiB\"\n", "", "t.toml:1:1",
            "[[device]] needs drive or model");
  const std::size_t process = good_scenario.find("[[process]]");
  const Loaded nothing = load_text(good_scenario.substr(0, process));
  CHECK(nothing.places == std::vector<std::string>{"t.toml:1:1"});
  CHECK_THAT(nothing.problems, Catch::Contains("no [[process]]: nothing would run"));
  const Loaded empty = load_text("");
  CHECK_THAT(empty.problems, Catch::Contains("no [[process]]") && Catch::Contains("no [[device]]") &&
                                 Catch::Contains("policy"));
}

TEST_CASE("names are unique and plain") {
  const Loaded twice = load_text(good_scenario + "[[file]]\nname = \"a\"\nsize = \"1 MiB\"\n");
  CHECK(twice.places == std::vector<std::string>{"t.toml:18:8"});
  CHECK_THAT(twice.problems,
             Catch::Contains("another file \"a\"") && Catch::Contains("t.toml:6:8: note: here"));
  check_one("name = \"r\"", "name = \"r r\"", "t.toml:14:8", "letters, digits, _ and - only");
}

TEST_CASE("sections of the wrong shape are refused") {
  check_one("[block]\nelevator = \"noop\"", "[[block]]\nelevator = \"noop\"", "t.toml:11:1",
            "[block] must be a table");
  check_one("[[file]]\n", "[file]\n", "t.toml:5:2", "write [[file]]");
}

TEST_CASE("a drive without cylinders or with overlapping zones is refused by line") {
  const std::string disk =
      "[[device]]\nname = \"d\"\ndrive = \"dtla307045\"\n[device.geometry]\nzones = [\n"
      "  { first_cylinder = 0, last_cylinder = 99, sectors_per_track = 100 },\n"
      "  { first_cylinder = 50, last_cylinder = 199, sectors_per_track = 90 },\n]\n";
  const std::string rest = good_scenario.substr(good_scenario.find("[[file]]"));
  const Loaded overlapping = load_text(disk + rest);
  REQUIRE(overlapping.places.size() >= 1);
  CHECK_THAT(overlapping.places[0], Catch::StartsWith("t.toml:7:") || Catch::StartsWith("t.toml:5:"));
  const Loaded none =
      load_text("[[device]]\nname = \"d\"\ndrive = \"dtla307045\"\ngeometry = { zones = [] }\n" + rest);
  REQUIRE(none.places.size() >= 1);
  CHECK_THAT(none.places[0], Catch::StartsWith("t.toml:4:"));
  const Loaded huge =
      load_text(replaced(disk, "last_cylinder = 199", "last_cylinder = 1000000000000") + rest);
  CHECK_THAT(huge.places[0], Catch::StartsWith("t.toml:7:"));
}

TEST_CASE("overrides are checked like the file and point at the argument") {
  const Loaded unit = load_text(good_scenario, {"file.a.size=64"});
  CHECK(unit.places == std::vector<std::string>{"--set file.a.size=64"});
  const Loaded key = load_text(good_scenario, {"readahead.windov=3"});
  CHECK_THAT(key.problems, Catch::Contains("--set readahead.windov=3: error: unknown key") &&
                               Catch::Contains("did you mean \"window\""));
  const Loaded good =
      load_text(good_scenario, {"file.a.size=32 MiB", "readahead.window=7", "block.kernel=2.4.5"});
  INFO(good.problems);
  REQUIRE(good.scenario.has_value());
  CHECK(good.scenario->files[0].size_bytes == 32 << 20);
  CHECK(good.scenario->overrides[0] == "--set file.a.size=32 MiB");
}

TEST_CASE("keys of a drive of the catalogue can be overridden one by one") {
  const std::string text =
      replaced(good_scenario, "model = \"fixed-latency\"\ncapacity = \"1 GiB\"", "drive = \"dtla307045\"");
  for (const char* set : {"device.d.bus.mode=udma2", "device.d.geometry.zones.14.sectors_per_track=354"}) {
    const Loaded loaded = load_text(text, {set});
    INFO(set << loaded.problems);
    CHECK(loaded.scenario.has_value());
  }
  const Loaded beyond = load_text(text, {"device.d.geometry.zones.15.sectors_per_track=354"});
  CHECK_THAT(beyond.problems, Catch::Contains("\"zones\" has no element \"15\""));
}

TEST_CASE("keys without effect are refused unless a point of the sweep uses them") {
  check_one("\"fixed\"\nwindow = 32", "\"none\"\nsetra = 8", "t.toml:10:1",
            "setra has no effect: policy none");
  check_one("window = 32", "window = 32\nsetra = 8", "t.toml:11:1",
            "setra has no effect: policy fixed goes by its window");
  check_one("\"fixed\"\nwindow = 32", "\"ondemand\"\nkernel = \"2.6.24\"\nio_pages = 32", "t.toml:11:1",
            "io_pages has no effect");
  const std::string policies = "[sweep]\n\"readahead.policy\" = [\"none\", \"linux-2.4\"]\n";
  const Loaded swept =
      load_text(replaced(good_scenario, "\"fixed\"\nwindow = 32", "\"none\"\nsetra = 8") + policies);
  INFO(swept.problems);
  CHECK(swept.scenario.has_value());
}

TEST_CASE("an override may leave keys of the file without effect but must have one itself") {
  const std::string text = replaced(good_scenario, "\"fixed\"\nwindow = 32", "\"linux-2.4\"\nsetra = 8");
  const Loaded policy = load_text(text, {"readahead.policy=none"});
  INFO(policy.problems);
  CHECK(policy.scenario.has_value());
  const Loaded limit = load_text(text, {"readahead.policy=none", "readahead.setra=16"});
  CHECK(limit.places == std::vector<std::string>{"--set readahead.setra=16"});
}

TEST_CASE("a workload gets as many files as it opens") {
  check_one("files = [\"a\"]", "files = []", "t.toml:16:9", "workload \"stream\" needs 1 file, not 0");
  check_one("files = [\"a\"]\n", "", "t.toml:15:12", "workload \"stream\" needs 1 file, not 0");
  check_one("files = [\"a\"]", "files = [\"a\", \"a\"]", "t.toml:16:9",
            "workload \"stream\" needs 1 file, not 2");
  check_one("\"stream\"", "\"diff\"", "t.toml:16:9", "workload \"diff\" needs 2 files, not 1");
}

TEST_CASE("an array whose drive is made of itself is refused") {
  const test::Directory directory;
  const std::string path = directory.path("self.toml");
  directory.file("self.toml", "model = \"raid0\"\nmember_drive = \"" + path + "\"\n");
  const Loaded loaded = load_text(
      replaced(good_scenario, "model = \"fixed-latency\"\ncapacity = \"1 GiB\"", "drive = \"" + path + "\""));
  CHECK(loaded.places == std::vector<std::string>{"t.toml:2:8"});
  CHECK_THAT(loaded.problems, Catch::Contains("made of itself"));
}

TEST_CASE("arrays find their members and members have no files") {
  const std::string array =
      "[[device]]\nname = \"d\"\nmodel = \"raid0\"\ndevices = [\"m0\", \"m1\"]\n"
      "[[device]]\nname = \"m0\"\nmodel = \"fixed-latency\"\n[[device]]\nname = \"m1\"\nmodel = "
      "\"fixed-latency\"\n";
  const std::string rest = good_scenario.substr(good_scenario.find("[[file]]"));
  const Loaded good = load_text(array + rest);
  INFO(good.problems);
  REQUIRE(good.scenario.has_value());
  CHECK_FALSE(good.scenario->devices[0].is_member);
  CHECK(good.scenario->devices[1].is_member);
  CHECK(good.scenario->files[0].device == "d");  // the only one that can hold files
  const auto problems = [&](const std::string& from, const std::string& to) {
    return load_text(replaced(array + rest, from, to)).problems;
  };
  CHECK_THAT(problems("\"m1\"]", "\"mx\"]"),
             Catch::Contains("unknown device \"mx\"") && Catch::Contains("did you mean"));
  CHECK_THAT(problems("\"m1\"]", "\"m0\"]"),
             Catch::Contains("t.toml:2:8: error: device \"m0\" is a member of"));
  CHECK_THAT(problems("\"m1\"]", "\"d\"]"), Catch::Contains("which is built from it"));
  CHECK_THAT(problems("name = \"m1\"", "name = \"m1\"\nsetra = 8"),
             Catch::Contains("setra has no effect on a member"));
  CHECK_THAT(problems("size = ", "device = \"m1\"\nsize = "), Catch::Contains("is part of another device"));
}

TEST_CASE("all problems of a scenario are told at once") {
  const test::Directory directory;
  directory.file("loop.toml", "include = \"bad.toml\"\n");
  const std::string path = directory.file("bad.toml",
                                          "include = [\"loop.toml\", \"none.toml\"]\n"  // 1
                                          "[scenario]\n"
                                          "sed = 1\n"
                                          "[[device]]\n"
                                          "name = \"d\"\n"
                                          "model = \"fixed-latency\"\n"  // 6
                                          "access = \"8\"\n"
                                          "[[file]]\n"
                                          "name = \"a\"\n"
                                          "size = \"1 KB\"\n"
                                          "[readahead]\n"  // 11
                                          "policy = \"fixd\"\n"
                                          "setra = 8\n"
                                          "max_readahead = 1\n"
                                          "[block]\n"
                                          "elevator = = 3\n"  // 16
                                          "max_request = \"5 KiB\"\n");
  Diagnostics diagnostics;
  CHECK_FALSE(load_scenario(path, {}, test::builtin_registry(), diagnostics).has_value());
  std::vector<std::string> places;
  for (const Problem& problem : diagnostics.sorted()) {
    const std::string place = describe(problem.where);
    places.push_back(place.substr(place.rfind('/') + 1));
  }
  CHECK(places == std::vector<std::string>{"bad.toml:1:25", "bad.toml:3:1", "bad.toml:7:10", "bad.toml:10:8",
                                           "bad.toml:12:10", "bad.toml:14:1", "bad.toml:16:12",
                                           "bad.toml:17:15", "loop.toml:1:11"});
}

TEST_CASE("a drive that is a directory is called one") {
  const std::string text =
      "[[device]]\nname = \"d\"\ndrive = \"/\"\n" + good_scenario.substr(good_scenario.find("[[file]]"));
  const Loaded loaded = load_text(text);
  CHECK_THAT(loaded.problems, Catch::Contains("t.toml:3:9: error: drive \"/\" is a directory"));
}

TEST_CASE("a chain of thousands of wrong devices is reported without delay") {
  std::string text;
  for (int i = 0; i < 3000; ++i) {
    const std::string next = "\"d" + std::to_string(i + 1) + "\"";
    text += "[[device]]\nname = \"d" + std::to_string(i) + "\"\nmodel = \"partition\"\ndevice = " + next +
            "\nstart = 0\nsize = \"1 GiB\"\n";
  }
  const std::clock_t start = std::clock();
  const Loaded loaded = load_text(text + good_scenario.substr(good_scenario.find("[[file]]")));
  const double cpu_s = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  CHECK_THAT(loaded.problems, Catch::Contains("is built from the unknown device \"d3000\""));
  CHECK(cpu_s < 5);  // a second on a quiet machine, and room for the sanitizers
}
