// The readahead limit: one number in three units, of the device that a file lies on.
#include <catch2/catch.hpp>

#include "sim/scenario/effective.hpp"
#include "tests/scenario/run_text.hpp"

using namespace seekahead;
using namespace seekahead::test;
using Catch::Contains;

namespace {

std::string stack(const std::string& readahead) {
  return "[scenario]\ntitle = \"stack\"\n[machine]\nmemory = \"64 MiB\"\n"
         "[[device]]\nname = \"d0\"\nmodel = \"fixed-latency\"\n"
         "[[device]]\nname = \"d1\"\nmodel = \"fixed-latency\"\n"
         "[[device]]\nname = \"md0\"\nmodel = \"raid0\"\ndevices = [\"d0\", \"d1\"]\nsetra = 1024\n"
         "[[device]]\nname = \"sda\"\nmodel = \"fixed-latency\"\n"
         "[[device]]\nname = \"sda1\"\nmodel = \"partition\"\ndevice = \"sda\"\n"
         "[[file]]\nname = \"f\"\ndevice = \"md0\"\nsize = \"1 MiB\"\n"
         "[[file]]\nname = \"g\"\ndevice = \"sda1\"\nsize = \"1 MiB\"\n"
         "[readahead]\npolicy = \"ondemand\"\n" +
         readahead + process("p", "diff", "\"f\", \"g\"");
}

}  // namespace

TEST_CASE("the limit of a file on a stack is that of the device on top") {
  const std::string text = effective_configuration(scenario_of(stack("read_ahead_kb = 256\n")));
  CHECK_THAT(text, Contains("# on md0 (raid0 of d0, d1), readahead limit: 128 pages = 512 KiB = setra 1024"));
  CHECK_THAT(text, Contains("# on sda1 (partition of sda), readahead limit: 64 pages = 256 KiB = setra 512"));
}

TEST_CASE("all three units of the limit say the same and are echoed") {
  for (const char* unit : {"read_ahead_kb = 256", "setra = 512", "max_readahead = 64"}) {
    CAPTURE(unit);
    const auto result = run_text(stack(std::string(unit) + "\n"));
    const auto& limit = result.at("files").at(1).at("readahead_limit");
    CHECK(limit.at("max_readahead_pages") == 64);
    CHECK(limit.at("read_ahead_kb") == 256);
    CHECK(limit.at("setra") == 512);
    CHECK(result.at("files").at(0).at("readahead_limit").at("setra") == 1024);
    CHECK(result.at("files").at(0).at("device") == "md0");
  }
}
