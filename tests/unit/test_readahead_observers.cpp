#include <catch2/catch.hpp>

#include "sim/observe/kernel_log.hpp"
#include "sim/observe/readahead_events.hpp"
#include "sim/observe/readahead_profile.hpp"
#include "tests/policy_on_toy.hpp"

namespace {

using namespace seekahead;
using seekahead::testing::PolicyOnToy;

TEST_CASE("kernel log line of a first access prints -1 and of a later one the page") {
  const KernelLogSubject subject{
      .process = "cat", .pid = 7, .file = "sda1/f", .file_position = 3 * page_bytes};
  Submission wish{.start = 3, .count = 4, .window_class = WindowClass::init, .async_size = 3};
  CHECK(kernel_log_line(subject, wish, 2) ==
        "readahead-init(process: cat/7, file: sda1/f, offset=3:-1, ra=3+4-3) = 2");
  wish.previous_position = 2 * static_cast<std::int64_t>(page_bytes) + 4095;
  CHECK(kernel_log_line(subject, wish, 2) ==
        "readahead-init(process: cat/7, file: sda1/f, offset=3:2, ra=3+4-3) = 2");
}

TEST_CASE("events count windows by class until they are reset") {
  ReadaheadEvents events;
  events.submitted({.start = 0, .count = 4, .window_class = WindowClass::init0, .async_size = 3}, 4, 100);
  events.submitted({.start = 90, .count = 32, .window_class = WindowClass::around}, 10, 100);
  events.submitted({.start = 80, .count = 16, .window_class = WindowClass::around}, 0, 100);
  events.submitted({.start = 120, .count = 8, .window_class = WindowClass::around}, 0, 100);

  const ReadaheadEvents::Row& around = events.row(WindowClass::around);
  CHECK(around.windows == 3);
  CHECK(around.full == 0);
  CHECK(around.empty == 2);
  CHECK(around.eof_hit == 2);
  CHECK(around.cache_hit == 1);  // not the one that the end of the file cut, nor the one past it
  CHECK(around.pages_asked == 56);
  CHECK(around.pages_read == 10);
  CHECK(events.row(WindowClass::init0).full == 1);
  CHECK(events.total().pages_async == 3);
  CHECK(events.total().windows == 4);
  const std::string text = events.text();
  CHECK(text.find("around") != std::string::npos);
  CHECK(text.find("sequential") == std::string::npos);

  events.reset();
  CHECK(events.total().windows == 0);
}

// The windows of a sequential 4 KiB reader with MAX 31 are known (specification of linux-2.4, Q4): a
// synchronous one of 3 pages behind the reader's own, then asynchronous ones of 7, 13, 25, 32, 32 pages.
TEST_CASE("profile of linux-2.4 samples the window with each submission") {
  PolicyOnToy toy("linux-2.4", "2.4.5", 1000, 31, R"(,"min_ra_pages":3)");
  ReadaheadProfile profile;
  std::vector<std::int64_t> lengths;
  toy.cache.on_submission = [&](const Submission& wish, std::uint64_t inserted) {
    profile.submitted(toy.policy(), wish, inserted);
    lengths.push_back(profile.snapshot().len);
  };
  CHECK(profile.text().empty());
  for (PageIndex page = 0; lengths.size() < 6; ++page) {
    toy.read_pages(page);
  }
  CHECK(lengths == std::vector<std::int64_t>{4, 7, 13, 25, 32, 32});
  CHECK(profile.samples() == 6);
  CHECK(profile.async_percent() == 83);  // 5 of 6
  CHECK(profile.average().len == 18);    // 113 / 6
  CHECK(profile.average().win == (4 + 11 + 20 + 38 + 57 + 64) / 6);
  CHECK(profile.average().max == (6 + 12 + 24 + 31 + 31 + 31) / 6);
  CHECK(profile.snapshot().raend == 113);
  CHECK(profile.text() ==
        "Readahead average:  max=22, len=18, win=32, async=83%\n"
        "Readahead snapshot: max=31, len=32, win=64, raend=113\n");
}

TEST_CASE("profile ignores policies without the variables of linux-2.4") {
  PolicyOnToy toy("fixed", "any", 100, 8);
  ReadaheadProfile profile;
  std::size_t submissions = 0;
  toy.cache.on_submission = [&](const Submission& wish, std::uint64_t inserted) {
    profile.submitted(toy.policy(), wish, inserted);
    ++submissions;
  };
  toy.read_pages(0, 20);
  CHECK(submissions > 0);
  CHECK(profile.samples() == 0);
}

}  // namespace
