// What users and authors of on-demand readahead reported about it, as exact pages.
#include <catch2/catch.hpp>

#include "models/readahead/shared.hpp"
#include "tests/policy_on_toy.hpp"

namespace {

using namespace seekahead;
using seekahead::testing::Io;
using seekahead::testing::PolicyOnToy;
using Ios = std::vector<Io>;

void read_each(PolicyOnToy& toy, const std::vector<PageIndex>& pages) {
  for (const PageIndex page : pages) {
    toy.read_pages(page);
  }
}

// --- interleaved streams on one descriptor (changelogs of 2007 and 2009)

TEST_CASE("alternating streams on one descriptor get no readahead before context readahead") {
  PolicyOnToy toy("ondemand", "2.6.24", 4000, 32);
  read_each(toy, {1, 1001, 2, 1002, 3, 1003});
  CHECK(toy.ios() == Ios{{1, 1, "random"},
                         {1001, 1, "random"},
                         {2, 1, "random"},
                         {1002, 1, "random"},
                         {3, 1, "random"},
                         {1003, 1, "random"}});
}

TEST_CASE("without context a stream is found where two of its reads meet") {
  PolicyOnToy toy("ondemand", "2.6.24", 4000, 32);
  read_each(toy, {1, 2, 1001, 3, 1002, 1003});
  const Ios ios = toy.ios();
  REQUIRE(ios.size() == 6);
  CHECK(ios[1] == Io{2, 4, "init"});  // stream 1 starts at page 2
  CHECK(ios[2] == Io{1001, 1, "random"});
  CHECK(ios[3] == Io{6, 8, "sequential"});
  CHECK(ios[4] == Io{1002, 1, "random"});
  CHECK(ios[5] == Io{1003, 4, "init"});  // stream 2 only here
}

TEST_CASE("context readahead finds both streams at their second page") {
  PolicyOnToy toy("ondemand", "2.6.31", 4000, 32);
  read_each(toy, {1, 1001, 2, 1002});
  const Ios ios = toy.ios();
  REQUIRE(ios.size() == 4);
  CHECK(ios[0] == Io{1, 1, "random"});
  CHECK(ios[1] == Io{1001, 1, "random"});
  CHECK(ios[2].start == 2);
  CHECK(ios[2].window_class == "context");
  CHECK(ios[3].start == 1002);
  CHECK(ios[3].window_class == "context");
}

// --- context readahead on dense random reads (commit of 2013): neighbours by chance, 64 KiB each

TEST_CASE("one neighbour is a stream to 2.6.31, only two are to 6.1") {
  const auto read_neighbours = [](const std::string& kernel) {
    PolicyOnToy toy("ondemand", kernel, 100000, 32);
    for (const PageIndex page : {1000, 50000, 1016, 70000, 1032}) {
      toy.read_pages(page, 16);
    }
    std::vector<std::pair<PageIndex, std::string>> found;
    for (const Io& io : toy.ios()) {
      found.emplace_back(io.start, io.window_class);
    }
    return found;
  };
  const auto old_kernel = read_neighbours("2.6.31");
  REQUIRE(old_kernel.size() >= 3);
  CHECK(old_kernel[2] == std::pair<PageIndex, std::string>{1016, "context"});
  const auto new_kernel = read_neighbours("6.1");
  REQUIRE(new_kernel.size() == 5);
  CHECK(new_kernel[2] == std::pair<PageIndex, std::string>{1016, "random"});
  CHECK(new_kernel[4] == std::pair<PageIndex, std::string>{1032, "context"});
}

// --- walking out of a cached range (2009)

TEST_CASE("page by page out of a cached range the window ramps up again") {
  for (const char* kernel : {"2.6.24", "2.6.31", "6.1"}) {
    CAPTURE(kernel);
    PolicyOnToy toy("ondemand", kernel, 4000, 32);
    toy.cache.populate(0, 100);
    for (PageIndex page = 0; page < 160; ++page) {
      toy.read_pages(page);
    }
    const Ios ios = toy.ios();
    REQUIRE(ios.size() >= 4);
    CHECK(ios[0] == Io{100, 4, "init"});  // 1 page asked, 3 ahead
    CHECK(ios[1] == Io{104, 8, "sequential"});
    CHECK(ios[2] == Io{112, 16, "sequential"});
    CHECK(ios[3] == Io{128, 32, "sequential"});
  }
}

TEST_CASE("a large read out of a cached range recovers at once") {
  PolicyOnToy toy("ondemand", "2.6.31", 4000, 32);
  toy.cache.populate(0, 100);
  toy.read_pages(0, 256);
  REQUIRE_FALSE(toy.ios().empty());
  CHECK(toy.ios()[0] == Io{100, 64, "init"});
}

// --- blkid on a 505 KB device (2010): 1 KB at 0, then 16 KB at 1536 bytes. The report names windows of 4 and
// 8 pages. Taken literally, the second read ends 512 bytes past 16 KiB, hence in page 4, and page 4 carries
// the marker of the window of 8: a third window follows. Reading up to 16 KiB gives the reported 48 KB.

TEST_CASE("blkid asks 16 KB and 48 KB are read") {
  for (const char* kernel : {"2.6.24", "mmap-2007", "mmap-2009", "2.6.31", "6.1"}) {
    CAPTURE(kernel);
    PolicyOnToy toy("ondemand", kernel, 126, 32);
    toy.read(0, 1024);
    toy.read(1536, 16384 - 1536);
    CHECK(toy.ios() == Ios{{0, 4, "init0"}, {4, 8, "sequential"}});
    toy.read(16384, 1536);
    CHECK(toy.ios().back() == Io{12, 16, "sequential"});
  }
}

TEST_CASE("blkid with FADV_RANDOM reads what it asks") {
  PolicyOnToy toy("ondemand", "6.1", 126, 32);
  toy.fadvise(FileAdvice::random);
  toy.read(0, 1024);
  toy.read(1536, 16384);
  CHECK(toy.ios() == Ios{{0, 1, "forced"}, {1, 4, "forced"}});
}

// --- POSIX_FADV_RANDOM and reads of several pages (2010)

TEST_CASE("FADV_RANDOM tears a 16 KiB read into pages until FMODE_RANDOM") {
  for (const char* kernel : {"2.6.24", "mmap-2007", "mmap-2009", "2.6.31"}) {
    CAPTURE(kernel);
    PolicyOnToy toy("ondemand", kernel, 4000, 32);
    toy.fadvise(FileAdvice::random);
    toy.read_pages(500, 4);
    CHECK(toy.ios() == Ios{{500, 1, "page"}, {501, 1, "page"}, {502, 1, "page"}, {503, 1, "page"}});
  }
  PolicyOnToy toy("ondemand", "6.1", 4000, 32);
  toy.fadvise(FileAdvice::random);
  toy.read_pages(500, 4);
  CHECK(toy.ios() == Ios{{500, 4, "forced"}});
}

// Mean request = min(read size, max(limit, best I/O size)): 16 KiB reads at (limit 8 KiB, best 8 KiB) and
// (32 KiB, 64 KiB) become requests of 8 and 16 KiB.
TEST_CASE("FADV_RANDOM requests are cut to the larger of limit and best I/O size") {
  PolicyOnToy small("ondemand", "6.1", 4000, 2, R"(,"io_pages":2)");
  small.fadvise(FileAdvice::random);
  small.read_pages(500, 4);
  CHECK(small.ios() == Ios{{500, 2, "forced"}, {502, 2, "forced"}});
  PolicyOnToy large("ondemand", "6.1", 4000, 8, R"(,"io_pages":16)");
  large.fadvise(FileAdvice::random);
  large.read_pages(500, 4);
  CHECK(large.ios() == Ios{{500, 4, "forced"}});
}

// --- ld.so spoils the first read-around (2007)

TEST_CASE("a library costs a read of 4 pages and a read-around of 28") {
  for (const char* kernel : {"2.6.24", "mmap-2007", "mmap-2009", "2.6.31", "6.1"}) {
    CAPTURE(kernel);
    PolicyOnToy toy("ondemand", kernel, 400, 32);
    toy.read(0, 832);
    toy.fault(10);
    CHECK(toy.ios() == Ios{{0, 4, "init0"}, {4, 28, "around"}});
  }
}

// --- reading backwards (2011)

TEST_CASE("backwards every on-demand read is random") {
  for (const char* kernel : {"2.6.24", "mmap-2009", "2.6.31", "6.1"}) {
    CAPTURE(kernel);
    PolicyOnToy toy("ondemand", kernel, 10001, 1920);
    for (PageIndex page = 10000; page > 9000; --page) {
      toy.read_pages(page);
    }
    CHECK(toy.ios().size() == 1000);
  }
}

TEST_CASE("adaptive reads backwards in windows") {
  for (const char* kernel : {"v15", "v16"}) {
    CAPTURE(kernel);
    PolicyOnToy toy("adaptive", kernel, 10001, 128);
    for (PageIndex page = 10000; page > 9000; --page) {
      toy.read_pages(page);
    }
    CHECK(toy.ios().size() < 100);
    CHECK(toy.ios().back().window_class == "backward");
  }
}

// The published window lists of the backward patch show the growth that all on-demand kernels share.
TEST_CASE("windows grow by 4 below a sixteenth of the limit then by 2 up to it") {
  std::vector<std::uint64_t> sizes = {1};
  while (sizes.size() < 9) {
    sizes.push_back(next_window(sizes.back(), 1920));
  }
  CHECK(sizes == std::vector<std::uint64_t>{1, 4, 16, 64, 256, 512, 1024, 1920, 1920});
  sizes = {8};
  while (sizes.size() < 7) {
    sizes.push_back(next_window(sizes.back(), 1920));
  }
  CHECK(sizes == std::vector<std::uint64_t>{8, 32, 128, 256, 512, 1024, 1920});
  CHECK(initial_window(1, 32) == 4);   // 1 <= 32/32
  CHECK(initial_window(2, 32) == 4);   // 2 <= 32/4
  CHECK(initial_window(8, 32) == 16);  // the last that is doubled
  CHECK(initial_window(9, 32) == 32);  // rounded up to 16, above 32/4
  CHECK(initial_window(3, 128) == 16);
  CHECK(initial_window(100, 32) == 32);
}

// --- hint of the descriptor against hint of the mapping (2023)

TEST_CASE("FADV_RANDOM does not reach the mapping") {
  PolicyOnToy by_fadvise("ondemand", "6.1", 4000, 32);
  by_fadvise.fadvise(FileAdvice::random);
  by_fadvise.fault(1000);
  CHECK(by_fadvise.ios() == Ios{{984, 32, "around"}});
  PolicyOnToy by_madvise("ondemand", "6.1", 4000, 32);
  by_madvise.madvise(MapHint::random);
  by_madvise.fault(1000);
  CHECK(by_madvise.ios() == Ios{{1000, 1, "page"}});
}

// --- sequential faults: the published trace has 150+64-32, then 214+32-32 and 246+32-32

TEST_CASE("sequential faults of 2.6.31 start with twice the limit") {
  PolicyOnToy toy("ondemand", "2.6.31", 4000, 32);
  toy.fault(149);  // read-around of 133 to 164
  for (PageIndex page = 150; page < 250; ++page) {
    toy.fault(page);
  }
  const Ios ios = toy.ios();
  REQUIRE(ios.size() == 4);
  CHECK(ios[0] == Io{133, 32, "around"});
  CHECK(ios[1] == Io{165, 64, "sequential"});  // the page right after the window, merged with the next
  CHECK(ios[2] == Io{229, 32, "sequential"});
  CHECK(ios[3] == Io{261, 32, "sequential"});
}

TEST_CASE("quick start reads the whole limit at the first hinted fault") {
  const auto first_io = [](const std::string& options) {
    PolicyOnToy toy("ondemand", "mmap-2007", 4000, 32, options);
    toy.madvise(MapHint::sequential);
    toy.fault(150);
    return toy.ios().at(0);
  };
  CHECK(first_io("") == Io{150, 1, "random"});
  CHECK(first_io(R"(,"quick_start":true)") == Io{150, 32, "random"});
}

// --- adaptive: a window that ends close to the end of the file is extended to it

TEST_CASE("adaptive extends a window that nearly reaches the end of the file") {
  PolicyOnToy far("adaptive", "v15", 41, 128);  // 32 + 32/4 <= 41
  far.read_pages(0);
  CHECK(far.ios() == Ios{{0, 32, "initial"}});
  PolicyOnToy near("adaptive", "v15", 39, 128);  // 32 + 8 > 39
  near.read_pages(0);
  CHECK(near.ios() == Ios{{0, 39, "initial"}});
}

}  // namespace
