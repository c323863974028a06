// What holds for every readahead policy whatever is done to it: random operations on a toy page cache, every
// registered policy in every version.
#include <rapidcheck.h>
#include <catch2/catch.hpp>

#include <algorithm>

#include "cli/decide/replay.hpp"
#include "sim/scenario/echo.hpp"
#include "tests/policy_on_toy.hpp"

// How rapidcheck shows a failing case.
namespace seekahead::cli {
static void showValue(const Operation& op, std::ostream& out) {
  out << operation_name(op.kind) << " fd " << op.fd << " pos " << op.position << " len " << op.length
      << " start " << op.start << " count " << op.count << " value " << op.value;
  if (op.kind == OperationKind::fadvise) {
    out << " " << advice_name(op.advice);
  } else if (op.kind == OperationKind::madvise) {
    out << " " << hint_name(op.hint);
  }
}
}  // namespace seekahead::cli

namespace {

using namespace seekahead;
using cli::Operation;
using cli::OperationKind;

constexpr std::uint64_t max_file_pages = 1500;

// Kernels of a policy, from the parameter that it declares; "any" if it has none.
std::vector<std::string> kernels_of(const ReadaheadModel& model) {
  const std::unique_ptr<Parameters> parameters = model.parameters();
  for (const Description& parameter : describe(*parameters)) {
    if (parameter.name == "kernel") {
      std::vector<std::string> kernels;
      std::string word;
      for (const char c : parameter.range + ",") {
        if (c == ',') {
          kernels.push_back(word);
          word.clear();
        } else if (c != ' ' && c != '"') {
          word += c;
        }
      }
      return kernels;
    }
  }
  return {"any"};
}

// A byte position: anywhere around the file, often where pages begin.
std::uint64_t arbitrary_position() {
  const auto page = *rc::gen::inRange<std::uint64_t>(0, max_file_pages + 20);
  return page * page_bytes + *rc::gen::weightedElement<std::uint64_t>({{6, 0}, {1, 1}, {1, 2048}, {1, 4095}});
}

std::uint64_t arbitrary_length() {
  return *rc::gen::oneOf(
      rc::gen::element<std::uint64_t>(1, 100, 4095, 4096, 4097, 8192, 16384, 65536, 131072),
      rc::gen::inRange<std::uint64_t>(1, 600000));
}

Operation arbitrary_operation() {
  Operation op;
  op.kind = *rc::gen::weightedElement<OperationKind>({{12, OperationKind::read},
                                                      {5, OperationKind::fault},
                                                      {2, OperationKind::fadvise},
                                                      {1, OperationKind::madvise},
                                                      {1, OperationKind::close},
                                                      {3, OperationKind::evict},
                                                      {2, OperationKind::populate},
                                                      {1, OperationKind::congested},
                                                      {1, OperationKind::age},
                                                      {1, OperationKind::complete}});
  op.fd = *rc::gen::inRange(0, 2);
  op.position = arbitrary_position();
  op.length = arbitrary_length();
  if (op.kind == OperationKind::fadvise && *rc::gen::inRange(0, 4) == 0) {
    op.length = 0;  // to the end
  }
  op.start = *rc::gen::inRange<std::uint64_t>(0, max_file_pages + 5);
  op.count = *rc::gen::inRange<std::uint64_t>(0, 200);
  op.advice = *rc::gen::element(FileAdvice::normal, FileAdvice::random, FileAdvice::sequential,
                                FileAdvice::willneed, FileAdvice::dontneed, FileAdvice::noreuse);
  op.hint = *rc::gen::element(MapHint::normal, MapHint::random, MapHint::sequential);
  op.value = *rc::gen::arbitrary<bool>();
  return op;
}

// Reads that go on where the one before ended: random positions alone would never meet a window.
void make_streams(std::vector<Operation>& operations) {
  std::uint64_t end[2] = {0, 0};
  for (Operation& op : operations) {
    if (op.kind == OperationKind::read) {
      if (op.value) {
        op.position = end[op.fd];
      }
      end[op.fd] = op.position + op.length;
    } else if (op.kind == OperationKind::fault && op.value) {
      op.start = end[op.fd] / page_bytes;
      end[op.fd] += page_bytes;
    }
  }
}

cli::Case arbitrary_case(const ReadaheadModel& model, const std::string& kernel) {
  std::vector<cli::CaseProblem> problems;
  const std::string line = R"({"case":"p","policy":")" + model.name + R"(","kernel":")" + kernel +
                           R"(","ra_pages":0,"file_pages":0,"io":"lazy","ops":[]})";
  std::optional<cli::Case> made = cli::read_case(testing::builtin_registry(), {}, line, problems);
  REQUIRE(made.has_value());
  made->limits.ra_pages = *rc::gen::element<std::uint64_t>(0, 1, 2, 3, 4, 5, 8, 20, 31, 32, 33, 64, 100, 512);
  made->file_size = *rc::gen::inRange<std::uint64_t>(0, max_file_pages) * page_bytes +
                    *rc::gen::element<std::uint64_t>(0, 0, 1, 2048, 4095);
  made->vm_pages = *rc::gen::element<std::uint64_t>(0, 40, 3000, 262144);
  made->io = *rc::gen::element(ToyIo::instant, ToyIo::lazy);
  made->operations = *rc::gen::container<std::vector<Operation>>(rc::gen::exec(arbitrary_operation));
  make_streams(made->operations);
  return std::move(*made);
}

std::vector<bool> cached_pages(const ToyCache& cache) {
  std::vector<bool> cached(max_file_pages + 40);
  for (PageIndex page = 0; page < cached.size(); ++page) {
    cached[page] = cache.state(page).present();
  }
  return cached;
}

// Runs of the operation that begins at `first_run`: inside the file, and of pages that were not cached.
void check_runs(const ToyCache& cache, std::size_t first_run, std::vector<bool> cached) {
  for (std::size_t i = first_run; i < cache.runs().size(); ++i) {
    const ToyCache::Run& run = cache.runs()[i];
    RC_ASSERT(run.count > 0u);
    RC_ASSERT(run.start + run.count <= cache.end_page());
    for (PageIndex page = run.start; page < run.start + run.count; ++page) {
      RC_ASSERT(!cached[page]);
      cached[page] = true;
    }
  }
}

void check_read(const cli::Case& the_case, const Operation& op, const ToyCache& cache, std::uint64_t returned,
                std::uint64_t copied) {
  const std::uint64_t size = the_case.file_size;
  const std::uint64_t there = op.position >= size ? 0 : std::min(op.length, size - op.position);
  RC_ASSERT(returned == there);
  RC_ASSERT(copied == there);
  for (PageIndex page = op.position / page_bytes; page < pages_for(op.position + there) && there != 0;
       ++page) {
    RC_ASSERT(cache.state(page).uptodate());
  }
}

void check_case(const cli::Case& the_case) {
  cli::Replay replay(the_case);
  const ToyCache& cache = replay.cache();
  for (std::size_t i = 0; i < the_case.operations.size(); ++i) {
    const Operation& op = the_case.operations[i];
    const std::vector<bool> cached = cached_pages(cache);
    const std::size_t runs = cache.runs().size();
    const std::size_t waits = cache.waits().size();
    const std::uint64_t copied = cache.copied_bytes();
    const std::optional<std::uint64_t> returned = replay.step(i);  // throws what the toy cache finds wrong
    check_runs(cache, runs, cached);
    for (std::size_t wait = waits; wait < cache.waits().size(); ++wait) {
      RC_ASSERT(cache.state(cache.waits()[wait].page).uptodate());
    }
    if (op.kind == OperationKind::read) {
      check_read(the_case, op, cache, *returned, cache.copied_bytes() - copied);
    } else if (op.kind == OperationKind::fault) {
      RC_ASSERT(*returned == (op.start < cache.end_page() ? 1u : 0u));
      RC_ASSERT(*returned == 0u || cache.state(op.start).uptodate());
    }
  }
}

}  // namespace

TEST_CASE("every policy reads what is asked and nothing twice or behind the end") {
  std::size_t tried = 0;
  for (const ReadaheadModel& model : testing::builtin_registry().readahead.all()) {
    for (const std::string& kernel : kernels_of(model)) {
      ++tried;
      CHECK(rc::check(model.name + " " + kernel, [&] { check_case(arbitrary_case(model, kernel)); }));
    }
  }
  CHECK(tried >= 16);  // 3 without versions, 1 + 2 + 3 + 2 + 5 with
}
