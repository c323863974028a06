// linux-2.4: the numbers that its specification states (Q1 ... Q9, R3, F1 ... F4).
#include <catch2/catch.hpp>

#include "cli/decide/state_table.hpp"
#include "tests/policy_on_toy.hpp"

using namespace seekahead;
using seekahead::testing::PolicyOnToy;

namespace {

// 31 pages and the default minimum of 3.
PolicyOnToy linux_2_4(ToyIo io = ToyIo::lazy) { return {"linux-2.4", "2.4.5", 1000, 31, "", io}; }

std::vector<std::uint64_t> sizes(const PolicyOnToy& file) {
  std::vector<std::uint64_t> all;
  for (const auto& io : file.ios()) {
    all.push_back(io.pages);
  }
  return all;
}

std::string state(const PolicyOnToy& file) {
  cli::StateTable table;
  file.policy().visit_state(table);
  std::string text;
  for (const auto& field : table.fields()) {
    text += (text.empty() ? "" : " ") + field.name + "=" + field.text;
  }
  return text;
}

using Sizes = std::vector<std::uint64_t>;

}  // namespace

TEST_CASE("linux-2.4 Q1 I/O that completes at once never starts readahead") {
  PolicyOnToy file = linux_2_4(ToyIo::instant);
  for (PageIndex page = 0; page < 6; ++page) {
    file.read_pages(page);
  }
  CHECK(sizes(file) == Sizes{1, 1, 1, 1, 1, 1});
  // R2 calls every page but the first a seek, so R3 leaves ramax at the page and one more.
  CHECK(state(file) == "f_reada=1 f_ramax=2 f_raend=0 f_ralen=0 f_rawin=0 vm_raend=0");
}

TEST_CASE("linux-2.4 Q2 a random read brings two pages too many") {
  const std::vector<std::pair<std::uint64_t, std::uint64_t>> bytes_and_pages = {
      {4096, 3}, {16384, 6}, {65536, 18}};
  for (const auto& [bytes, pages] : bytes_and_pages) {
    PolicyOnToy file = linux_2_4();
    file.read(500 * page_bytes, bytes);
    CHECK(sizes(file) == Sizes{pages});
  }
  PolicyOnToy file = linux_2_4();
  file.read(500 * page_bytes + 1000, 1);
  CHECK(sizes(file) == Sizes{2});
}

TEST_CASE("linux-2.4 Q3 a small read at the start of the file reads nothing ahead") {
  PolicyOnToy header = linux_2_4();
  header.read(0, 2048);
  CHECK(sizes(header) == Sizes{1});
  PolicyOnToy more = linux_2_4();
  more.read(0, 2049);
  CHECK(sizes(more) == Sizes{4});
}

TEST_CASE("linux-2.4 Q4 the window of a sequential reader grows to 32 pages") {
  PolicyOnToy file = linux_2_4();
  std::vector<PageIndex> issued_at;
  for (PageIndex page = 0; page < 114; ++page) {
    const std::size_t before = file.ios().size();
    file.read_pages(page);
    if (file.ios().size() != before) {
      issued_at.push_back(page);
    }
  }
  CHECK(sizes(file) == Sizes{4, 7, 13, 25, 32, 32, 32});
  // Each asynchronous block at the second page of the newest one: its first is still locked when it is met.
  CHECK(issued_at == std::vector<PageIndex>{0, 1, 5, 12, 25, 50, 82});
}

TEST_CASE("linux-2.4 Q4 a disk that is done by then gets the next block at the first page of the newest") {
  PolicyOnToy file = linux_2_4();
  std::vector<PageIndex> issued_at;
  for (PageIndex page = 0; page < 50; ++page) {
    file.cache.complete();
    const std::size_t before = file.ios().size();
    file.read_pages(page);
    if (file.ios().size() != before) {
      issued_at.push_back(page);
    }
  }
  CHECK(sizes(file) == Sizes{4, 7, 13, 25, 32, 32});
  CHECK(issued_at == std::vector<PageIndex>{0, 1, 4, 11, 24, 49});
}

TEST_CASE("linux-2.4 Q9 a cached file is read without readahead") {
  PolicyOnToy file = linux_2_4();
  file.cache.populate(0, 1000);
  for (PageIndex page = 0; page < 20; ++page) {
    file.read_pages(page);
  }
  CHECK(file.ios().empty());
}

TEST_CASE("linux-2.4 C a partial last page is not read ahead but counted") {
  PolicyOnToy whole("linux-2.4", "2.4.5", 3, 31);
  whole.read_pages(0);
  CHECK(sizes(whole) == Sizes{3});
  ToyCache cache(3 * page_bytes - 1, ToyIo::lazy, 262144);
  const auto device = whole.device->open();
  cache.begin_operation(0);
  device->read(cache, 0, page_bytes);
  REQUIRE(cache.runs().size() == 1);
  CHECK(cache.runs()[0].count == 2);
}

TEST_CASE("linux-2.4 min_readahead is the smallest sequential window") {
  PolicyOnToy file("linux-2.4", "2.4.5", 1000, 31, R"(,"min_ra_pages":8)");
  file.read_pages(0);
  CHECK(sizes(file) == Sizes{9});
}

TEST_CASE("linux-2.4 F2 a fault reads its aligned cluster of 16 pages") {
  PolicyOnToy file = linux_2_4();
  file.fault(37);
  file.madvise(MapHint::random);
  file.fault(77);
  CHECK(file.ios() == std::vector<testing::Io>{{32, 16, "cluster"}, {77, 1, "page"}});
  PolicyOnToy small("linux-2.4", "2.4.5", 1000, 31, R"(,"page_cluster":2)");
  small.fault(37);
  CHECK(small.ios() == std::vector<testing::Io>{{36, 4, "cluster"}});
}

TEST_CASE("linux-2.4 F4 only the exact middle of the mapping's window starts the next") {
  PolicyOnToy file = linux_2_4();
  file.madvise(MapHint::sequential);
  file.fault(15);
  file.fault(17);  // both sides of page 16 = 32 - 32 / 2
  CHECK(sizes(file) == Sizes{16, 16});
  file.fault(16);
  CHECK(sizes(file) == Sizes{16, 16, 32});
  CHECK(file.ios().back().start == 32);
}
