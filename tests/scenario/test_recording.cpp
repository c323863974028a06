// What a run records row by row adds up to what it reports.
#include <catch2/catch.hpp>
#include <set>

#include "tests/in_child.hpp"
#include "tests/scenario/run_text.hpp"

using namespace seekahead;
using namespace seekahead::test;
using Json = nlohmann::json;

namespace {

// Gathers sentences about what is not as it should be, in the child that runs the scenario.
class Complaints {
 public:
  void unless(bool good, const std::string& text) { text_ += good ? "" : text + "\n"; }
  void unless_same(double found, double expected, const std::string& text) {
    const double slack = 1e-9 * std::max(std::abs(found), std::abs(expected));
    unless(std::abs(found - expected) <= slack,
           text + ": " + std::to_string(found) + " instead of " + std::to_string(expected));
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

const std::vector<std::string> all_tables(Recorder::table_names.begin(), Recorder::table_names.end());

// Runs the scenario with everything recorded; what `look` complains of.
std::string complaints_of(const std::string& text,
                          const std::function<void(const Json&, const Recorder&, Complaints&)>& look) {
  return in_child([&] {
    Recorder recorder(all_tables, 1 << 20);
    RunOptions options;
    options.recorder = &recorder;
    const Json result = run_here(scenario_of(text), options);
    Complaints complaints;
    look(result, recorder, complaints);
    return complaints.text();
  });
}

std::string two_disks() {
  return "[machine]\nmemory = \"32 MiB\"\n"
         "[[device]]\nname = \"one\"\ndrive = \"dtla307045\"\n"
         "[[device]]\nname = \"two\"\nmodel = \"fixed-latency\"\n"
         "[[file]]\nname = \"a\"\ndevice = \"one\"\nsize = \"24 MiB\"\n"
         "[[file]]\nname = \"b\"\ndevice = \"two\"\nsize = \"24 MiB\"\n"
         "[readahead]\npolicy = \"linux-2.4\"\nmax_readahead = 31\n" +
         process("reader", "stream", "\"a\"", "command = \"cat\"") +
         process("copier", "copy", "\"b\", \"a\"", "command = \"cat\"");
}

void requests_add_up(const Json& device, std::size_t number, const Recorder& recorder,
                     Complaints& complaints) {
  double count = 0, reads = 0, sectors = 0, hits = 0, seek = 0, rotation = 0, transfer = 0, latency = 0;
  for (const RecordedRequest& row : recorder.requests().rows()) {
    if (row.device == number) {
      count += 1;
      reads += row.is_read;
      sectors += row.sectors;
      hits += row.cache_hit;
      seek += static_cast<double>(row.seek_ns);
      rotation += static_cast<double>(row.rotation_ns);
      transfer += static_cast<double>(row.transfer_ns);
      latency += static_cast<double>(row.completed_ns - row.queued_ns);
      const bool has_arm = device.at("name") == "one";
      complaints.unless((row.cylinder >= 0) == has_arm && (row.head >= 0) == has_arm, "an arm");
      complaints.unless(row.queued_ns <= row.started_ns && row.started_ns < row.completed_ns, "order");
    }
  }
  complaints.unless_same(count, device.at("requests"), "requests");
  complaints.unless_same(reads, device.at("reads"), "reads");
  complaints.unless_same(sectors * 512, device.at("bytes"), "bytes");
  complaints.unless_same(hits, device.at("cache_hits"), "cache hits");
  complaints.unless_same(seek / 1e9, device.at("seek_s"), "seek");
  complaints.unless_same(rotation / 1e9, device.at("rotation_s"), "rotation");
  complaints.unless_same(transfer / 1e9, device.at("transfer_s"), "transfer");
  complaints.unless_same(latency / count / 1e6, device.at("latency_ms").at("mean"), "latency");
}

void calls_add_up(const Json& process, std::size_t number, const Recorder& recorder, Complaints& complaints) {
  double count = 0, bytes = 0, latency = 0;
  for (const RecordedCall& row : recorder.calls().rows()) {
    if (row.process == number) {
      count += 1;
      bytes += static_cast<double>(row.bytes);
      latency += static_cast<double>(row.end_ns - row.start_ns);
    }
  }
  complaints.unless_same(count, process.at("latency_ms").at("count"), "calls");
  complaints.unless_same(
      bytes, process.at("bytes_read").get<double>() + process.at("bytes_written").get<double>(), "bytes");
  complaints.unless_same(latency / count / 1e6, process.at("latency_ms").at("mean"), "latency of calls");
}

void windows_add_up(const Json& readahead, const Recorder& recorder, Complaints& complaints) {
  for (const auto& [name, counters] : readahead.at("classes").items()) {
    double windows = 0, asked = 0, read = 0;
    for (const RecordedWindow& row : recorder.windows().rows()) {
      if (window_class_name(static_cast<WindowClass>(row.window_class)) == name) {
        windows += 1;
        asked += row.pages;
        read += row.pages_read;
        complaints.unless(row.demand_pages <= row.pages, "demand");
      }
    }
    complaints.unless_same(windows, counters.at("windows"), "windows of " + name);
    complaints.unless_same(asked, counters.at("pages_asked"), "pages asked by " + name);
    complaints.unless_same(read, counters.at("pages_read"), "pages read by " + name);
  }
}

void cache_adds_up(const Json& files, const Recorder& recorder, Complaints& complaints) {
  for (std::size_t file = 0; file < files.size(); ++file) {
    std::set<std::uint64_t> pages;
    for (const RecordedPage& row : recorder.cache().rows()) {
      if (row.file == file) {
        pages.insert(row.page);
      }
    }
    complaints.unless_same(static_cast<double>(pages.size()), files.at(file).at("cached_pages"), "cached");
  }
}

}  // namespace

TEST_CASE("recorded requests and calls and windows and pages add up to the result") {
  CHECK(complaints_of(two_disks(), [](const Json& result, const Recorder& recorder, Complaints& complaints) {
          // The names are in order of appearance: reader before copier, its disk before the other.
          for (std::size_t i = 0; i < 2; ++i) {
            requests_add_up(result.at("devices").at(i), i, recorder, complaints);
            calls_add_up(result.at("processes").at(i), i, recorder, complaints);
          }
          windows_add_up(result.at("readahead"), recorder, complaints);
          cache_adds_up(result.at("files"), recorder, complaints);
        }) == "");
}

// Found when a request that joined its neighbour was never taken off the depth again; and the requests that
// complete after `duration` are no part of the result.
TEST_CASE("the recorded queue depth is that of the queue") {
  const std::string writers = fixed_latency_machine(32) +
                              process("x", "stream", "\"a\"", "operation = \"write\"") +
                              process("y", "stream", "\"b\"", "operation = \"write\"");
  const auto look = [](const Json& result, const Recorder& recorder, Complaints& complaints) {
    const std::vector<RecordedMoment>& rows = recorder.timeline().rows();
    const Json& device = result.at("devices").at(0);
    std::uint32_t most = 0;
    for (const RecordedMoment& row : rows) {
      most = std::max(most, row.queue_depth);
    }
    complaints.unless_same(most, device.at("max_queue_depth"), "most");
    complaints.unless_same(static_cast<double>(rows.back().read_bytes + rows.back().written_bytes),
                           device.at("bytes"), "bytes of the last moment");
    complaints.unless_same(static_cast<double>(recorder.requests().rows().size()), device.at("requests"),
                           "requests");
    complaints.unless(!result.contains("duration") || rows.back().queue_depth > 0, "nothing is cut");
  };
  CHECK(complaints_of(writers, look) == "");
  std::string cut = writers;
  cut.replace(cut.find("title = \"test\""), 14, "title = \"test\"\nduration = \"2 s\"");
  CHECK(complaints_of(cut, look) == "");
}

TEST_CASE("the recorded demand is the part of a window that the call asks for") {
  const std::string text = fixed_latency_machine(1) + process("r", "stream", "\"a\"", "block = \"16 KiB\"");
  CHECK(complaints_of(text, [](const Json&, const Recorder& recorder, Complaints& complaints) {
          const RecordedWindow& first = recorder.windows().rows().front();
          complaints.unless_same(static_cast<double>(first.start), 0, "start");
          complaints.unless_same(first.pages, 32, "pages");
          complaints.unless_same(first.demand_pages, 4, "demand");
        }) == "");
}

// Found when rows carried what a process runs now instead of its name: an exec, or one command in two
// processes, mixed them up.
TEST_CASE("recorded rows carry the name of the process and not its command") {
  const std::string text =
      fixed_latency_machine(1) +
      process("shell", "script", "\"a\"",
              "command = \"sh\"\nsteps = [\"read 0 4096\", \"exec w3m\", \"read 65536 4096\"]");
  CHECK(complaints_of(text, [](const Json&, const Recorder& recorder, Complaints& complaints) {
          complaints.unless_same(static_cast<double>(recorder.calls().rows().size()), 2, "calls");
          for (const RecordedCall& row : recorder.calls().rows()) {
            complaints.unless_same(row.process, 0, "process of a call");
          }
          for (const RecordedWindow& row : recorder.windows().rows()) {
            complaints.unless_same(row.process, 0, "process of a window");
          }
        }) == "");
}
