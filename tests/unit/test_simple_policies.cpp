// none, fixed and skeleton: the default loops with no hook, one hook and two.
#include <catch2/catch.hpp>

#include "tests/policy_on_toy.hpp"

using namespace seekahead;
using seekahead::testing::Io;
using seekahead::testing::PolicyOnToy;

TEST_CASE("none reads and waits page by page") {
  for (const ToyIo io : {ToyIo::instant, ToyIo::lazy}) {
    PolicyOnToy file("none", "any", 100, 32, "", io);
    file.read(100, 2 * page_bytes);
    file.fault(50);
    CHECK(file.ios() == std::vector<Io>{{0, 1, "page"}, {1, 1, "page"}, {2, 1, "page"}, {50, 1, "page"}});
    CHECK(file.cache.waits().size() == (io == ToyIo::lazy ? 4 : 0));
  }
}

TEST_CASE("fixed reads one window at a time when a page is missing") {
  PolicyOnToy file("fixed", "any", 100, 8);
  file.read_pages(3);
  file.read_pages(4, 7);  // in the window
  CHECK(file.ios() == std::vector<Io>{{3, 8, "window"}});
  file.read_pages(10, 20);
  CHECK(file.ios() ==
        std::vector<Io>{{3, 8, "window"}, {11, 8, "window"}, {19, 8, "window"}, {27, 8, "window"}});
  file.read_pages(98);  // cut off by the end of the file
  CHECK(file.ios().back() == Io{98, 2, "window"});
}

TEST_CASE("fixed has a window of its own and may align it") {
  PolicyOnToy own("fixed", "any", 100, 32, R"(,"window":5)");
  own.read_pages(3);
  CHECK(own.ios() == std::vector<Io>{{3, 5, "window"}});
  PolicyOnToy aligned("fixed", "any", 100, 32, R"(,"window":5,"aligned":true)");
  aligned.read_pages(8);
  CHECK(aligned.ios() == std::vector<Io>{{5, 5, "window"}});
}

TEST_CASE("fixed with a limit of 0 reads single pages") {
  PolicyOnToy file("fixed", "any", 100, 0);
  file.read_pages(3, 2);
  CHECK(file.ios() == std::vector<Io>{{3, 1, "page"}, {4, 1, "page"}});
}

TEST_CASE("skeleton doubles its window and starts the next one half way") {
  PolicyOnToy file("skeleton", "any", 1000, 32);
  std::vector<PageIndex> issued_at;
  for (PageIndex page = 0; page < 45; ++page) {
    const std::size_t before = file.ios().size();
    file.read_pages(page);
    if (file.ios().size() != before) {
      issued_at.push_back(page);
    }
  }
  CHECK(file.ios() ==
        std::vector<Io>{
            {0, 4, "window"}, {4, 8, "window"}, {12, 16, "window"}, {28, 32, "window"}, {60, 32, "window"}});
  CHECK(issued_at == std::vector<PageIndex>{0, 2, 8, 20, 44});
  file.read_pages(500, 3);  // a seek: no more than was asked
  CHECK(file.ios().back() == Io{500, 3, "random"});
}

TEST_CASE("default advice reads what will be needed and drops what will not") {
  PolicyOnToy file("none", "any", 100, 32);
  file.fadvise(FileAdvice::willneed, 10 * page_bytes, 5 * page_bytes);
  CHECK(file.ios() == std::vector<Io>{{10, 5, "fadvise"}});
  file.cache.complete();
  file.fadvise(FileAdvice::dontneed, 12 * page_bytes, 0);
  CHECK(file.cache.state(11).present());
  CHECK(file.cache.state(12).absent());
}
