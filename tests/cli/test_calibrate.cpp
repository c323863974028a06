#include <catch2/catch.hpp>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "tests/cli/program.hpp"

using namespace seekahead::test;

TEST_CASE("calibrate fits a fixed-latency device to a table of rates and replay accepts the file") {
  const Directory d;
  const std::string drive =
      d.file("start.toml", "model = \"fixed-latency\"\nname = \"x\"\nmax_request = \"8 MiB\"\n");
  // 5 ms and 50 MB/s: 64 KiB take 6.31072 ms, 1 MiB 25.97152 ms, 4 MiB 88.88608 ms.
  const std::string table = d.file("rates.csv", "RA,MB/s\n64k,10.384869\n1M,40.374072\n4 MiB,47.187410\n");
  const Outcome r = run_program({"calibrate", table, "--drive", drive, "-o", d.path("out.toml"), "--json"});
  REQUIRE(r.err == "");
  REQUIRE(r.status == 0);
  const auto json = nlohmann::json::parse(r.out);
  CHECK(json["parameters"][0]["value"].get<double>() == Approx(5000).epsilon(1e-4));
  CHECK(json["parameters"][1]["value"].get<double>() == Approx(20).epsilon(1e-4));
  CHECK(json["measurements"] == 3);

  const Outcome replayed = run_program({"replay", "--drive", d.path("out.toml"), "--closed", "1", "-"},
                                       "lbn,blocks,is_read\n0,128,1\n");
  CHECK(replayed.status == 0);
  CHECK(replayed.out.substr(replayed.out.rfind(',') + 1, 5) == "6.310");
}

TEST_CASE("calibrate reports what it found and where it wrote it") {
  const Directory d;
  const std::string table =
      d.file("seeks.csv", "cylinders,seek_ms\n1,1.2\n100,2.03\n10000,9.33\n28000,14.5\n");
  const Outcome r =
      run_program({"calibrate", table, "--drive", "dtla307045", "--output", d.path("out.toml")});
  CHECK(r.status == 0);
  CHECK_THAT(r.out, Catch::Contains("mechanics.read_seek.a"));
  CHECK_THAT(r.out, Catch::Contains("residuals: rms"));
  CHECK_THAT(r.out, Catch::Contains("written: " + d.path("out.toml")));
  CHECK(std::filesystem::exists(d.path("out.toml")));
}

TEST_CASE("calibrate refuses measurements that are wrong or do not suit the device and writes nothing") {
  const Directory d;
  const std::string flash = d.file("flash.toml", "model = \"flash\"\nname = \"x\"\n");
  struct Case {
    const char* text;
    const char* drive;  // "": flash
    const char* expected;
  };
  const auto c =
      GENERATE(Case{"", "", ":0: error: the file is empty"},
               Case{"a,b\n1,2\n", "", ":1: error: columns \"a,b\" tell no"},
               Case{"io_size,mb_s\n4k,0\n", "", ":2: error: rate \"0\""},
               Case{"io_size,mb_s\n4k,nan\n", "", "rate \"nan\""},
               Case{"io_size,mb_s\n100,1\n", "", ":2: error: size \"100\""},
               Case{"io_size,mb_s\n99999999999999999999,1\n", "", "size \"99999"},
               Case{"io_size,mb_s\n4k\n", "", ":2: error: 1 fields"},
               Case{"io_size,mb_s\n", "", "holds no measurement"},
               Case{"cylinders,seek_ms\n1,1\n", "", "this device needs rates"},
               Case{"io_size,mb_s\n4k,1\n", "atlas10k", "a disk needs service times"},
               Case{"cylinders,seek_ms\n0,1\n", "atlas10k", ":2: error: distance \"0\""},
               Case{"lbn,blocks,is_read,measured_ms\n99999999,8,1,3\n", "atlas10k", ":2: error: lbn"});
  const std::string file = d.file("m.csv", c.text);
  const std::string drive = *c.drive == '\0' ? flash : c.drive;
  const Outcome r = run_program({"calibrate", file, "--drive", drive, "-o", d.path("out.toml")});
  INFO(c.text);
  CHECK(r.status == 2);
  CHECK(r.out == "");
  CHECK_THAT(r.err, Catch::Contains(c.expected));
  CHECK_FALSE(std::filesystem::exists(d.path("out.toml")));
}

TEST_CASE("calibrate with measurements that determine nothing is an error and writes nothing") {
  const Directory d;
  const std::string drive = d.file("start.toml", "model = \"fixed-latency\"\nname = \"x\"\n");
  const std::string one = d.file("one.csv", "io_size,mb_s\n64k,10\n");
  const Outcome r = run_program({"calibrate", one, "--drive", drive, "-o", d.path("out.toml")});
  CHECK(r.status == 1);
  CHECK(r.out == "");
  CHECK_THAT(r.err, Catch::Contains("these 1 measurements determine no parameter"));
  CHECK_FALSE(std::filesystem::exists(d.path("out.toml")));
}
