// linux-2.6-request-size: the numbers that its specification states (Q1 ... Q8).
#include <catch2/catch.hpp>

#include "cli/decide/state_table.hpp"
#include "tests/policy_on_toy.hpp"

using namespace seekahead;
using seekahead::testing::Io;
using seekahead::testing::PolicyOnToy;

namespace {

constexpr const char* all_kernels[] = {"2.6.11", "2.6.12", "2.6.22"};

PolicyOnToy request_size(const std::string& kernel, std::uint64_t ra_pages = 32) {
  return {"linux-2.6-request-size", kernel, 100000, ra_pages};
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

TEST_CASE("linux-2.6-request-size Q1 windows of a cold sequential read") {
  for (const char* kernel : all_kernels) {
    PolicyOnToy file = request_size(kernel);
    std::vector<PageIndex> issued_at;
    for (PageIndex page = 0; page < 29; ++page) {
      const std::size_t before = file.ios().size();
      file.read_pages(page);
      if (file.ios().size() != before) {
        issued_at.push_back(page);
      }
    }
    const bool newest = std::string(kernel) == "2.6.22";
    CHECK(sizes(file) == (newest ? Sizes{4, 8, 16, 32, 32} : Sizes{8, 16, 32, 32}));
    // The second page, and then the first page of each ahead window.
    CHECK(issued_at ==
          (newest ? std::vector<PageIndex>{0, 1, 4, 12, 28} : std::vector<PageIndex>{0, 1, 8, 24}));
  }
}

TEST_CASE("linux-2.6-request-size Q2 random requests are read as they are") {
  for (const char* kernel : all_kernels) {
    PolicyOnToy file = request_size(kernel);
    file.read_pages(1000, 1);
    file.read_pages(3000, 7);
    file.read_pages(2000, 32);
    CHECK(file.ios() == std::vector<Io>{{1000, 1, "random"}, {3000, 7, "random"}, {2000, 32, "random"}});
  }
}

TEST_CASE("linux-2.6-request-size Q2 the sequential request after a seek starts the window") {
  PolicyOnToy file = request_size("2.6.22");
  file.read_pages(1000, 1);
  file.read_pages(1001, 1);
  CHECK(file.ios() == std::vector<Io>{{1000, 1, "random"}, {1001, 4, "window"}});
}

TEST_CASE("linux-2.6-request-size Q3 a first read at page 1 is a seek") {
  for (const char* kernel : all_kernels) {
    PolicyOnToy file = request_size(kernel);
    file.read_pages(1);
    CHECK(file.ios() == std::vector<Io>{{1, 1, "random"}});
  }
}

TEST_CASE("linux-2.6-request-size Q4 a bigger request from the page read last goes on behind it") {
  PolicyOnToy newest = request_size("2.6.22");
  newest.read_pages(1000, 1);
  newest.read_pages(1000, 3);
  CHECK(newest.ios() == std::vector<Io>{{1000, 1, "random"}, {1001, 4, "window"}});
  PolicyOnToy oldest = request_size("2.6.11");  // for which this is a seek
  oldest.read_pages(1000, 1);
  oldest.read_pages(1000, 3);
  CHECK(oldest.ios() == std::vector<Io>{{1000, 1, "random"}, {1001, 2, "random"}});
}

TEST_CASE("linux-2.6-request-size Q5 256 cached pages switch readahead off until a miss") {
  PolicyOnToy file = request_size("2.6.22");
  file.cache.populate(0, 2000);
  for (PageIndex page = 1000; page < 1255; ++page) {
    file.read_pages(page * 7 % 1999);  // no two in sequence: each asks for its page
  }
  CHECK(value(file, "cache_hit") == 255);
  CHECK(value(file, "flags") == 0);
  file.read_pages(500);
  CHECK(value(file, "cache_hit") == 256);
  CHECK(value(file, "flags") == 2);
  file.read_pages(3000, 20);  // all misses, one by one: the first re-arms
  CHECK(file.ios().front() == Io{3000, 1, "page"});
  CHECK((value(file, "flags") & 2) == 0);
  CHECK(value(file, "cache_hit") == 0);
}

TEST_CASE("linux-2.6-request-size Q7 congestion holds back windows that can wait") {
  for (const char* kernel : all_kernels) {
    PolicyOnToy file = request_size(kernel);
    file.read_pages(0);  // the initial window
    file.cache.set_congested(true);
    file.read_pages(1);  // the ahead window can wait
    CHECK(file.ios().size() == 1);
    CHECK(value(file, "ahead_start") == 0);
    file.read_pages(5000);  // a seek cannot
    CHECK(file.ios().back() == Io{5000, 1, "random"});
  }
}

TEST_CASE("linux-2.6-request-size Q8 after a miss the window shrinks by two") {
  PolicyOnToy file = request_size("2.6.22");
  for (PageIndex page = 0; page < 5; ++page) {
    file.read_pages(page);
  }
  CHECK(sizes(file) == Sizes{4, 8, 16});  // current 4..11, ahead 12..27
  file.cache.complete();
  file.cache.evict(5, 1);
  file.read_pages(5);
  CHECK(value(file, "flags") == 1);
  for (PageIndex page = 6; page < 13; ++page) {
    file.read_pages(page);
  }
  CHECK(file.ios().back() == Io{28, 14, "ahead"});  // 16 - 2
  CHECK(value(file, "flags") == 0);
}

TEST_CASE("linux-2.6-request-size 2.6.11 forgets the offset of an unaligned request") {
  PolicyOnToy oldest = request_size("2.6.11");
  oldest.read(1000 * page_bytes + 100, 2 * page_bytes);
  CHECK(oldest.ios() == std::vector<Io>{{1000, 2, "random"}, {1002, 1, "page"}});
  PolicyOnToy next = request_size("2.6.12");
  next.read(1000 * page_bytes + 100, 2 * page_bytes);
  CHECK(next.ios() == std::vector<Io>{{1000, 3, "random"}});
}
