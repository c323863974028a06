// The records of a run as other languages read them: where each field lies, and the file of all tables.
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <nlohmann/json.hpp>

#include "sim/observe/recording.hpp"

using namespace seekahead;

namespace {

std::string written(const Recorder& recorder) {
  std::FILE* file = std::tmpfile();
  REQUIRE(file != nullptr);
  REQUIRE(recorder.write(fileno(file)));
  std::string text(static_cast<std::size_t>(::lseek(fileno(file), 0, SEEK_END)), '\0');
  REQUIRE(::pread(fileno(file), text.data(), text.size(), 0) == static_cast<ssize_t>(text.size()));
  std::fclose(file);
  return text;
}

template <class Row>
Row row_at(const std::string& text, std::size_t offset) {
  Row row;
  REQUIRE(offset + sizeof row <= text.size());
  std::memcpy(&row, text.data() + offset, sizeof row);
  return row;
}

CallEvent call_of(std::string_view process, std::uint64_t position) {
  return {1, 2, process, "read", "file", position, 4096};
}

}  // namespace

TEST_CASE("recorded fields lie where the Python package reads them") {
  CHECK(offsetof(RecordedRequest, overhead_ns) == 56);
  CHECK(offsetof(RecordedRequest, sector) == 64);
  CHECK(offsetof(RecordedRequest, sectors) == 72);
  CHECK(offsetof(RecordedRequest, cylinder) == 76);
  CHECK(offsetof(RecordedRequest, head) == 80);
  CHECK(offsetof(RecordedRequest, device) == 84);
  CHECK(offsetof(RecordedRequest, cache_hit) == 87);
  CHECK(offsetof(RecordedWindow, marker) == 16);
  CHECK(offsetof(RecordedWindow, pages) == 32);
  CHECK(offsetof(RecordedWindow, demand_pages) == 44);
  CHECK(offsetof(RecordedWindow, process) == 48);
  CHECK(offsetof(RecordedWindow, window_class) == 54);
  CHECK(offsetof(RecordedCall, process) == 32);
  CHECK(offsetof(RecordedCall, call) == 36);
  CHECK(offsetof(RecordedMoment, cached_pages) == 24);
  CHECK(offsetof(RecordedMoment, queue_depth) == 36);
  CHECK(offsetof(RecordedMoment, device) == 40);
  CHECK(offsetof(RecordedPage, state) == 10);
}

TEST_CASE("the file of recorded tables tells where they are and what was cut off") {
  Recorder recorder({"calls", "requests"}, 3);
  for (std::uint64_t i = 0; i < 4; ++i) {
    recorder.call(call_of(i % 2 == 0 ? "even" : "odd", 100 + i));
  }
  const std::string text = written(recorder);
  const nlohmann::json head = nlohmann::json::parse(text.substr(0, text.find('\n')));
  const nlohmann::json& calls = head.at("tables").at("calls");
  CHECK(head.at("tables").size() == 2);
  CHECK(calls.at("rows") == 3);
  CHECK(calls.at("truncated") == true);
  CHECK(head.at("tables").at("requests").at("rows") == 0);
  CHECK(head.at("tables").at("requests").at("truncated") == false);
  CHECK(head.at("names").at("processes") == nlohmann::json({"even", "odd"}));
  const std::size_t offset = calls.at("offset");
  CHECK(offset % 64 == 0);
  CHECK(text.size() % 64 == 0);
  const auto last = row_at<RecordedCall>(text, offset + 2 * sizeof(RecordedCall));
  CHECK(last.position == 102);
  CHECK(last.bytes == 4096);
  CHECK(last.process == 0);
}

TEST_CASE("a table with exactly as many rows as allowed is not cut off") {
  Recorder recorder({"calls"}, 3);
  for (std::uint64_t i = 0; i < 3; ++i) {
    recorder.call(call_of("p", i));
  }
  CHECK_FALSE(recorder.calls().truncated());
  recorder.call(call_of("p", 3));
  CHECK(recorder.calls().truncated());
}

TEST_CASE("a recorder keeps only the tables asked for and knows no others") {
  Recorder recorder({"windows"}, 3);
  recorder.call(call_of("p", 0));
  CHECK(recorder.calls().rows().empty());
  CHECK_FALSE(recorder.calls().truncated());
  CHECK_THROWS_AS(Recorder({"window"}, 3), std::invalid_argument);
}

TEST_CASE("recorded tables that cannot be written are told") {
  const Recorder recorder({"calls"}, 3);
  CHECK_FALSE(recorder.write(-1));
}
