// Each parameter of a scenario can be named on the command line, and none is left out of the echo.
#include <algorithm>
#include <catch2/catch.hpp>

#include "sim/scenario/drive_catalogue.hpp"
#include "sim/scenario/echo.hpp"
#include "tests/scenario_keys.hpp"

using namespace seekahead;
using test::good_scenario;
using test::keys_of;
using test::load_text;
using test::Loaded;

namespace {

std::string with_drive(const std::string& id) {
  std::string text = good_scenario;
  const std::string model = "model = \"fixed-latency\"\ncapacity = \"1 GiB\"\n";
  return text.replace(text.find(model), model.size(), "drive = \"" + id + "\"\n");
}

}  // namespace

TEST_CASE("setting any parameter to its present value changes nothing") {
  const std::string text = with_drive("dtla307045");
  const Loaded loaded = load_text(text);
  INFO(loaded.problems);
  REQUIRE(loaded.scenario.has_value());
  const std::string echo = effective_configuration(*loaded.scenario);
  const std::vector<std::pair<std::string, std::string>> keys = keys_of(*loaded.scenario);
  CHECK(keys.size() > 80);
  for (const auto& [key, value] : keys) {
    const Loaded again = load_text(echo, {key + "=" + value});
    INFO(key << " = " << value << "\n" << again.problems);
    REQUIRE(again.scenario.has_value());
    CHECK(effective_configuration(*again.scenario) == echo);
  }
}

TEST_CASE("the echo holds every parameter of its models but those without effect") {
  Loaded loaded = load_text(good_scenario);
  REQUIRE(loaded.scenario.has_value());
  const std::vector<std::pair<std::string, std::string>> keys = keys_of(*loaded.scenario);
  const auto holds_all = [&](const std::string& prefix, Parameters& parameters) {
    std::vector<std::string> idle;
    parameters.without_effect([&](std::string_view name, const std::string&) { idle.emplace_back(name); });
    for (const Description& description : describe(parameters)) {
      const bool is_idle = std::find(idle.begin(), idle.end(), description.name) != idle.end();
      const bool is_there = std::any_of(
          keys.begin(), keys.end(), [&](const auto& key) { return key.first == prefix + description.name; });
      INFO(prefix << description.name);
      CHECK(is_there != is_idle);
    }
  };
  holds_all("machine.", loaded.scenario->machine);
  holds_all("block.", loaded.scenario->block);
  holds_all("writeback.", loaded.scenario->writeback);
  holds_all("device.d.", *loaded.scenario->devices[0].device.parameters);
  holds_all("readahead.", *loaded.scenario->readahead.policy.parameters);
  holds_all("process.r.", *loaded.scenario->processes[0].workload.parameters);
}

TEST_CASE("the echo of every drive of the catalogue gives the same drive") {
  for (const std::string& id : drive_ids()) {
    const Loaded loaded = load_text(with_drive(id), {"file.a.size=1 MiB"});
    INFO(id << "\n" << loaded.problems);
    REQUIRE(loaded.scenario.has_value());
    const std::string echo = effective_configuration(*loaded.scenario);
    const Loaded again = load_text(echo);
    INFO(again.problems);
    REQUIRE(again.scenario.has_value());
    CHECK(effective_configuration(*again.scenario) == echo);
  }
}
