// linux-2.6-window: the numbers that its specification states (Q1 ... Q8 and the end of the file).
#include <catch2/catch.hpp>

#include "cli/decide/state_table.hpp"
#include "tests/policy_on_toy.hpp"

using namespace seekahead;
using seekahead::testing::PolicyOnToy;

namespace {

constexpr const char* both[] = {"2.6.8", "2.6.9"};
constexpr std::uint64_t off = ~std::uint64_t{0};

PolicyOnToy window(const std::string& kernel, std::uint64_t ra_pages = 32, ToyIo io = ToyIo::lazy) {
  return {"linux-2.6-window", kernel, 100000, ra_pages, "", io};
}

std::vector<std::uint64_t> sizes(const PolicyOnToy& file) {
  std::vector<std::uint64_t> all;
  for (const auto& io : file.ios()) {
    all.push_back(io.pages);
  }
  return all;
}

std::uint64_t value(const PolicyOnToy& file, const char* name) {
  cli::StateTable table;
  file.policy().visit_state(table);
  REQUIRE(table.find(name) != nullptr);
  return table.find(name)->value;
}

using Sizes = std::vector<std::uint64_t>;

}  // namespace

TEST_CASE("linux-2.6-window Q1 windows of a cold sequential read") {
  PolicyOnToy file = window("2.6.8");
  for (PageIndex page = 0; page < 60; ++page) {
    file.read_pages(page);
  }
  CHECK(sizes(file) == Sizes{16, 17, 25, 32, 32});
}

TEST_CASE("linux-2.6-window Q2 random reads halve the window and switch readahead off") {
  for (const char* kernel : both) {
    PolicyOnToy file = window(kernel);
    for (PageIndex page = 1000; page < 8000; page += 1000) {
      file.read_pages(page);
    }
    CHECK(sizes(file) == Sizes{16, 8, 4, 2, 1, 1, 1});
    CHECK(value(file, "next_size") == off);
  }
}

TEST_CASE("linux-2.6-window Q3 a return to page 0 takes the missing ahead window for one") {
  for (const char* kernel : both) {
    PolicyOnToy file = window(kernel);
    file.read_pages(1000);
    file.read_pages(0);
    CHECK(sizes(file) == Sizes{16, 1});
    CHECK(value(file, "start") == 0);
    CHECK(value(file, "size") == 0);
  }
}

TEST_CASE("linux-2.6-window Q4 a whole window of sequential misses switches readahead on") {
  for (const char* kernel : both) {
    PolicyOnToy file = window(kernel, 8);
    for (PageIndex page = 1000; page < 8000; page += 1000) {
      file.read_pages(page);
    }
    REQUIRE(value(file, "next_size") == off);
    const std::uint64_t missed = value(file, "size");
    PageIndex page = 20000;
    file.read_pages(page);  // a jump: one down
    for (std::uint64_t size = missed == 0 ? 0 : missed - 1; size < 7; ++size) {
      CHECK(value(file, "next_size") == off);
      file.read_pages(++page);
    }
    CHECK(value(file, "next_size") == off);
    file.read_pages(++page);
    CHECK(value(file, "next_size") == 8);
    CHECK(value(file, "start") == page - 8);
  }
}

TEST_CASE("linux-2.6-window Q6 misses under random advice leave readahead off for good") {
  for (const char* kernel : both) {
    PolicyOnToy file = window(kernel);
    file.fadvise(FileAdvice::random);
    CHECK(value(file, "ra_pages") == 0);
    file.read_pages(100);
    file.read_pages(101);
    CHECK(value(file, "next_size") == ~std::uint64_t{0} - 5);  // 0 - 3 - 3
    file.fadvise(FileAdvice::normal);
    CHECK(value(file, "ra_pages") == 32);
    file.read_pages(102);
    CHECK(value(file, "next_size") == off);
    CHECK(sizes(file) == Sizes{1, 1, 1});
    file.fadvise(FileAdvice::sequential);
    CHECK(value(file, "ra_pages") == 64);
  }
}

TEST_CASE("linux-2.6-window Q7 a limit of one page counts accesses without end") {
  for (const char* kernel : both) {
    PolicyOnToy file = window(kernel, 1);
    file.cache.populate(0, 50);  // no page is missed
    for (PageIndex page = 0; page < 50; ++page) {
      file.read_pages(page);
    }
    CHECK(file.ios().empty());
    CHECK(value(file, std::string(kernel) == "2.6.8" ? "serial_cnt" : "currnt_wnd_hit") == 50);
  }
}

TEST_CASE("linux-2.6-window Q8 congestion looks like a cached window") {
  for (const char* kernel : both) {
    PolicyOnToy file = window(kernel);
    file.read_pages(1000);
    file.cache.set_congested(true);
    file.read_pages(2000);
    CHECK(sizes(file) == Sizes{16, 1});
    CHECK(value(file, "start") == 2000);
    CHECK(value(file, "size") == 8);
    // CHECK: 16 - 1; then the miss: - 3.
    CHECK(value(file, "next_size") == 12);
  }
}

TEST_CASE("linux-2.6-window reading at the end of a whole page caches a page behind it in 2.6.8 only") {
  PolicyOnToy old("linux-2.6-window", "2.6.8", 10, 32);
  old.read(10 * page_bytes, 100);
  CHECK(old.ios().empty());
  CHECK(old.cache.state(10).uptodate());
  CHECK(value(old, "serial_cnt") == 1);

  PolicyOnToy fixed("linux-2.6-window", "2.6.9", 10, 32);
  fixed.read(10 * page_bytes, 100);
  CHECK(fixed.cache.state(10).absent());
  CHECK(value(fixed, "currnt_wnd_hit") == 0);
}

TEST_CASE("linux-2.6 F4 read-around stops after a hundred more misses than hits") {
  for (const char* policy : {"linux-2.6-window", "linux-2.6-request-size"}) {
    PolicyOnToy file(policy, std::string(policy) == "linux-2.6-window" ? "2.6.9" : "2.6.22", 100000, 4);
    for (PageIndex i = 1; i <= 102; ++i) {
      file.fault(i * 500);
    }
    REQUIRE(file.ios().size() == 102);
    CHECK(file.ios()[0] == testing::Io{498, 4, "around"});
    CHECK(file.ios()[99] == testing::Io{49998, 4, "around"});
    CHECK(file.ios()[100] == testing::Io{50500, 1, "page"});  // the 101st miss
    // Each single page counts as a hit, so misses stay a hundred ahead.
    CHECK(file.ios()[101] == testing::Io{51000, 1, "page"});
  }
}

TEST_CASE("linux-2.6 advice willneed reads chunks of 512 pages whatever the congestion") {
  PolicyOnToy file = window("2.6.9");
  file.cache.set_congested(true);
  file.fadvise(FileAdvice::willneed, 4096, 1000 * page_bytes);
  CHECK(file.ios() == std::vector<testing::Io>{{1, 512, "fadvise"}, {513, 488, "fadvise"}});
  file.cache.complete();
  file.fadvise(FileAdvice::dontneed, 4097, 2 * page_bytes);  // only page 2 is wholly inside
  CHECK(file.cache.state(1).present());
  CHECK(file.cache.state(2).absent());
  CHECK(file.cache.state(3).present());
}
