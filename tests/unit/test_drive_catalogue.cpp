#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "sim/scenario/drive_catalogue.hpp"

using namespace seekahead;
namespace fs = std::filesystem;

TEST_CASE("a drive is found by id in SEEKAHEAD_DRIVES first and by path anywhere") {
  const fs::path base = fs::temp_directory_path() / "seekahead_test_drive_catalogue";
  fs::remove_all(base);
  fs::create_directories(base / "one");
  fs::create_directories(base / "two");
  std::ofstream(base / "one" / "mine.toml") << "model = \"disk\"\n";
  std::ofstream(base / "two" / "mine.toml") << "model = \"disk\"\n";
  std::ofstream(base / "two" / "other.toml") << "model = \"disk\"\n";
  std::ofstream(base / "two" / "notes.txt") << "not a drive\n";
  setenv("SEEKAHEAD_DRIVES", ((base / "one").string() + ":" + (base / "two").string()).c_str(), 1);

  CHECK(find_drive_file("mine") == base / "one" / "mine.toml");
  CHECK(find_drive_file("other") == base / "two" / "other.toml");
  CHECK(find_drive_file((base / "two" / "mine.toml").string()) == base / "two" / "mine.toml");
  CHECK_FALSE(find_drive_file("no-such-drive"));
  CHECK_FALSE(find_drive_file((base / "two" / "absent.toml").string()));

  const auto ids = drive_ids();
  CHECK(std::count(ids.begin(), ids.end(), "mine") == 1);
  CHECK(std::count(ids.begin(), ids.end(), "other") == 1);
  CHECK(std::count(ids.begin(), ids.end(), "notes") == 0);
  CHECK(std::is_sorted(ids.begin(), ids.end()));
  fs::remove_all(base);
}
