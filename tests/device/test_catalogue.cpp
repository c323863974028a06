#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <vector>

#include "models/builtin.hpp"
#include "sim/scenario/drive_catalogue.hpp"
#include "sim/scenario/drive_file.hpp"
#include "sim/scenario/drive_maker.hpp"

using namespace seekahead;

namespace {

// Dotted keys of every value, rows of tables counting as one value.
void collect(const Node& table, const std::string& prefix, std::set<std::string>& keys) {
  for (const Node& child : table.children) {
    const std::string key = prefix.empty() ? child.key : prefix + "." + child.key;
    if (child.is_table()) {
      collect(child, key, keys);
    } else {
      keys.insert(key);
    }
  }
}

bool has_source(const std::string& key, const std::vector<DriveSource>& sources) {
  return std::any_of(sources.begin(), sources.end(), [&key](const DriveSource& s) {
    return (key == s.key || key.rfind(s.key + ".", 0) == 0) && !s.source.empty() && !s.confidence.empty();
  });
}

const std::set<std::string> shipped = {
    "atlas10k",   "atlas3",   "barracuda",  "cheetah15k5", "cheetah4lp",      "cheetah9lp",
    "dtla307045", "fastt700", "fc15k",      "hdt-7k500",   "ibm18es",         "ide-20mb-2001",
    "mk8025gas",  "sata-4tb", "st336607lw", "st373405",    "travelstar5k160", "ultrastar36lzx"};

}  // namespace

TEST_CASE("the catalogue holds the eighteen drives") {
  const std::vector<std::string> ids = drive_ids();
  for (const std::string& id : shipped) {
    CHECK(std::count(ids.begin(), ids.end(), id) == 1);
  }
}

TEST_CASE("every drive of the catalogue can be made and tells the source of each value") {
  Registry registry;
  register_builtin_models(registry);
  for (const std::string& id : shipped) {
    INFO(id);
    Diagnostics diagnostics;
    const auto drive = load_drive(registry, id, std::vector<std::string>(), diagnostics);
    INFO(diagnostics.text());
    REQUIRE(drive);
    CHECK(!drive->name.empty());
    CHECK(!drive->description.empty());

    const auto document = read_drive(id, {}, diagnostics);
    std::set<std::string> keys;
    collect(document->root, "", keys);
    for (const std::string& key : keys) {
      const bool about_itself =
          key == "model" || key == "name" || key == "description" || key.rfind("source.", 0) == 0;
      INFO(key);
      CHECK((about_itself || has_source(key, drive->sources)));
    }

    const auto device = make_drive_maker(registry)(id, DeviceContext{});
    CHECK(device->capacity_sectors() > 4'000'000);
  }
}

// Capacities from boot logs and data sheets.
TEST_CASE("drives of the catalogue have the capacity that they report") {
  Registry registry;
  register_builtin_models(registry);
  const DriveMaker make = make_drive_maker(registry);
  CHECK(make("dtla307045", {})->capacity_sectors() == 90'069'840);
  CHECK(make("st336607lw", {})->capacity_sectors() == 71'687'372);
  CHECK(make("atlas10k", {})->capacity_sectors() == 17'938'986);
  CHECK(make("cheetah15k5", {})->capacity_sectors() == 286'749'487);
  // Seven members of 71,687,340 sectors, whole chunks of 128 sectors only.
  CHECK(make("fastt700", {})->capacity_sectors() == 71'687'340 / 128 * 128 * 7);
}

TEST_CASE("an array that is its own member is refused") {
  const std::string path = (std::filesystem::temp_directory_path() / "seekahead_own_member.toml").string();
  std::ofstream(path) << "model = \"raid0\"\nmember_drive = \"" << path << "\"\n";
  Registry registry;
  register_builtin_models(registry);
  const DriveMaker make = make_drive_maker(registry);
  CHECK_THROWS_WITH(make(path, {}), Catch::Contains("is made of itself"));
  std::filesystem::remove(path);
  CHECK_THROWS_WITH(make("no-such-drive", {}), Catch::Contains("unknown drive \"no-such-drive\""));
}
