// Models from shared libraries: docs/plugins.md and its worked example, and what is said of bad ones.
#include <catch2/catch.hpp>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "models/builtin.hpp"
#include "sim/scenario/plugin.hpp"
#include "tests/cli/program.hpp"

using namespace seekahead;
using namespace seekahead::test;
using Catch::Contains;

namespace {

std::string plugin(const std::string& name) { return SEEKAHEAD_BINARY_DIR "/plugins/" + name + ".so"; }

std::string one_read(const std::string& policy) {
  return R"({"case":"c","policy":")" + policy +
         R"(","kernel":"any","ra_pages":32,"file_pages":100,"io":"lazy",)"
         R"("ops":[{"op":"read","fd":0,"pos":81920,"len":4096}]})"
         "\n";
}

// A scenario: one process reads a file of 1 MiB.
std::string one_stream(const std::string& policy) {
  return "[[device]]\nname = \"d\"\nmodel = \"fixed-latency\"\n"
         "[[file]]\nname = \"f\"\ndevice = \"d\"\nsize = \"1 MiB\"\nposition = \"0 %\"\n"
         "[readahead]\npolicy = \"" +
         policy +
         "\"\n"
         "[[process]]\nname = \"p\"\nworkload = \"stream\"\nfiles = [\"f\"]\n";
}

Outcome decide(const std::string& name, const std::string& input) {
  return run_program({"decide", "--plugin", plugin(name), "-"}, input);
}

}  // namespace

TEST_CASE("the worked example decides as docs say") {
  const Outcome outcome = decide("aligned_blocks", one_read("aligned-blocks"));
  CHECK(outcome.err.empty());
  CHECK(outcome.status == 0);
  CHECK(
      outcome.out ==
      R"({"case":"c","policy":"aligned-blocks","kernel":"any","ios":[[0,16,16]],"waits":[[0,20]],"ret":[4096],)"
      R"("state":[{"start":16,"size":16}]})"
      "\n");
}

TEST_CASE("the worked example is policy fixed with two parameters") {
  const std::string ours =
      run_program({"decide", "--plugin", plugin("aligned_blocks"), "--set", "block=8", "-"},
                  one_read("aligned-blocks"))
          .out;
  std::string fixed =
      run_program({"decide", "--set", "window=8", "--set", "aligned=true", "-"}, one_read("fixed")).out;
  REQUIRE_THAT(ours, Contains("[[0,16,8]]"));
  fixed.replace(fixed.find("fixed"), 5, "aligned-blocks");
  CHECK(ours == fixed);
}

TEST_CASE("the worked example builds against the installed headers alone") {
  const Directory prefix;
  const std::string log = " >" + prefix.path("log") + " 2>&1";
  const std::string install =
      "cmake --install " SEEKAHEAD_BINARY_DIR " --component development --prefix " + prefix.path("usr") + log;
  REQUIRE(std::system(install.c_str()) == 0);
  const std::string library = prefix.path("aligned_blocks.so");
  const std::string build = SEEKAHEAD_COMPILER " -std=c++20 -Wall -Wextra -shared -fPIC -I " +
                            prefix.path("usr/include/seekahead") +
                            " " SEEKAHEAD_SOURCE_DIR "/docs/examples/aligned_blocks.cpp -o " + library + log;
  const int status = std::system(build.c_str());
  INFO(read_file(prefix.path("log")));
  REQUIRE(status == 0);
  const Outcome outcome = run_program({"decide", "--plugin", library, "-"}, one_read("aligned-blocks"));
  CHECK(outcome.status == 0);
  CHECK_THAT(outcome.out, Contains("[[0,16,16]]"));
}

TEST_CASE("models of a plug-in are listed with their parameters") {
  const Outcome list = run_program({"models", "readahead", "--plugin", plugin("aligned_blocks")});
  CHECK(list.status == 0);
  CHECK_THAT(list.out, Contains("aligned-blocks") && Contains("linux-2.4"));
  const Outcome one =
      run_program({"models", "readahead", "aligned-blocks", "--plugin", plugin("aligned_blocks")});
  CHECK(one.status == 0);
  CHECK_THAT(one.out, Contains("aligned_blocks.so") && Contains("block\n") && Contains("default: 16"));
  CHECK(run_program({"models", "--plugin", plugin("wrong_version")}).status == 2);
}

TEST_CASE("a plug-in of another interface version is refused by name") {
  const Outcome outcome = decide("wrong_version", "");
  CHECK(outcome.status == 2);
  CHECK(outcome.out.empty());
  CHECK_THAT(outcome.err,
             Contains("wrong_version.so") && Contains("interface version 2, this program has 1"));
}

TEST_CASE("a library that is no plug-in is refused by name") {
  const Outcome outcome = decide("no_entry", "");
  CHECK(outcome.status == 2);
  CHECK_THAT(outcome.err, Contains("no_entry.so") && Contains("seekahead_plugin"));
}

TEST_CASE("a plug-in that is not there is refused by name") {
  const Outcome outcome = decide("nowhere", "");
  CHECK(outcome.status == 2);
  CHECK_THAT(outcome.err, Contains("nowhere.so") && Contains("cannot be loaded"));
}

TEST_CASE("a throw while a plug-in registers names it and leaves nothing behind") {
  Registry registry;
  register_builtin_models(registry);
  const std::size_t elevators = registry.elevators.all().size();
  try {
    load_plugins(registry, {plugin("throws_early"), plugin("name_taken"), plugin("aligned_blocks")});
    FAIL("no PluginError");
  } catch (const PluginError& error) {
    CHECK_THAT(error.what(), Contains("throws_early.so: no licence") &&
                                 Contains("name_taken.so: brings a model named \"fixed\""));
  }
  CHECK(registry.elevators.all().size() == elevators);
  REQUIRE(registry.readahead.find("aligned-blocks") != nullptr);
  CHECK_THAT(registry.readahead.find("aligned-blocks")->plugin, Contains("aligned_blocks.so"));
}

TEST_CASE("a policy of a plug-in that throws is an error that names the plug-in") {
  const Outcome outcome = decide("throws_late", one_read("throws-error") + one_read("none") +
                                                    one_read("throws-number") + one_read("throws-when-made"));
  CHECK(outcome.status == 2);
  CHECK_THAT(outcome.out, Contains("\"policy\":\"none\""));
  CHECK_THAT(outcome.err,
             Contains("-:1: error: case \"c\": plug-in") && Contains("throws_late.so: window 7 of 3"));
  CHECK_THAT(outcome.err, Contains("-:3: error: case \"c\": plug-in") && Contains("no std::exception"));
  CHECK_THAT(outcome.err,
             Contains("-:4: error: case \"c\": plug-in") && Contains("throws_late.so: no window"));
}

TEST_CASE("a policy of a plug-in that throws ends the run with an error that names the plug-in") {
  for (const char* policy : {"throws-error", "throws-number", "throws-when-made"}) {
    const Outcome outcome = run_program({"run", "--plugin", plugin("throws_late"), "-"}, one_stream(policy));
    CHECK(outcome.status == 1);
    CHECK(outcome.out.empty());
    CHECK_THAT(outcome.err, Contains("plug-in") && Contains("throws_late.so"));
  }
}

TEST_CASE("the worked example reads its blocks in a full simulation") {
  const Outcome outcome =
      run_program({"run", "--plugin", plugin("aligned_blocks"), "--json", "-"}, one_stream("aligned-blocks"));
  INFO(outcome.err);
  CHECK(outcome.status == 0);
  const auto result = nlohmann::json::parse(outcome.out);
  // 1 MiB in blocks of 16 pages
  CHECK(result["readahead"]["classes"]["window"]["windows"] == 16);
  CHECK(result["readahead"]["classes"]["window"]["pages_read"] == 256);
}
