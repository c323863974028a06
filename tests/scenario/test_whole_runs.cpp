// Whole simulations whose results follow from arithmetic, and the promises of a run: every request completes,
// the same scenario gives the same bytes, a deadlock names who waits for what.
#include <catch2/catch.hpp>

#include "tests/scenario/run_text.hpp"

using namespace seekahead;
using namespace seekahead::test;
using Json = nlohmann::ordered_json;

namespace {
const Json& device(const Json& result) { return result.at("devices").at(0); }
const Json& first_process(const Json& result) { return result.at("processes").at(0); }
}  // namespace

// 1 MiB in windows of 32 pages: 8 requests of 8 ms + 128 KiB / (100 MiB/s) = 9.25 ms.
TEST_CASE("one reader pays an access and a transfer for each window") {
  const Json result = run_text(fixed_latency_machine(1) + "[block]\nmax_request = \"4 MiB\"\n" +
                               process("r", "stream", "\"a\"", "block = \"4 KiB\""));
  CHECK(device(result).at("requests") == 8);
  CHECK(first_process(result).at("bytes_read") == 1 << 20);
  CHECK(first_process(result).at("elapsed_s").get<double>() == Approx(8 * 0.00925).epsilon(1e-12));
  CHECK(result.at("readahead").at("classes").at("window").at("pages_hit") == 256);
}

// Without readahead every page is a request.
TEST_CASE("policy none reads page by page") {
  const Json result =
      run_text(fixed_latency_machine(1, "none") + process("r", "stream", "\"a\"", "block = \"64 KiB\""));
  CHECK(device(result).at("requests") == 256);
  CHECK(first_process(result).at("elapsed_s").get<double>() ==
        Approx(256 * (0.008 + 4096 / 104857600.0)).epsilon(1e-6));  // whole nanoseconds
}

TEST_CASE("CPU time is paid and processes contend for the cores") {
  const std::string machine = fixed_latency_machine(1, "none");
  const std::string work = "steps = [\"compute 1000000000\"]";
  const auto elapsed = [&](const std::string& cores, int processes) {
    std::string text = machine;
    text.insert(text.find("[machine]\n") + 10, "cores = " + cores + "\n");
    for (int i = 0; i < processes; ++i) {
      text += process("p" + std::to_string(i), "script", "\"a\"", work);
    }
    return run_text(text).at("simulated_s").get<double>();
  };
  CHECK(elapsed("1", 1) == Approx(1.0).epsilon(1e-6));
  CHECK(elapsed("1", 2) == Approx(2.0).epsilon(1e-6));
  CHECK(elapsed("2", 2) == Approx(1.0).epsilon(1e-6));
}

// 256 pages at 10 us and 64 calls at 3 us while the disk works: the CPU time adds to each synchronous window.
TEST_CASE("copying costs CPU time a page and a call") {
  std::string text = fixed_latency_machine(1) + "[block]\nmax_request = \"4 MiB\"\n" +
                     process("r", "stream", "\"a\"", "block = \"16 KiB\"");
  text.replace(text.find("cpu_per_page = \"0 us\""), 21, "cpu_per_page = \"10 us\"");
  text.replace(text.find("cpu_per_call = \"0 us\""), 21, "cpu_per_call = \"3 us\"");
  const Json result = run_text(text);
  const double cpu = 256 * 10e-6 + 66 * 3e-6;  // 64 reads, open, close
  CHECK(first_process(result).at("cpu_s").get<double>() == Approx(cpu).epsilon(0.02));
  CHECK(first_process(result).at("elapsed_s").get<double>() == Approx(8 * 0.00925 + cpu).epsilon(1e-3));
}

TEST_CASE("the same scenario and seed give the same bytes") {
  const std::string text = fixed_latency_machine(8, "linux-2.4", 31) +
                           process("r", "stream", "\"a\"", "pattern = \"random\"\nblock = \"4 KiB\"") +
                           process("c", "copy", "\"a\", \"b\"");
  CHECK(run_text(text).dump() == run_text(text).dump());
}

TEST_CASE("another seed changes random choices only") {
  const auto with_seed = [](const std::string& pattern, const std::string& seed) {
    std::string text = fixed_latency_machine(4, "linux-2.4", 31) +
                       process("r", "stream", "\"a\"", "block = \"4 KiB\"\npattern = \"" + pattern + "\"");
    text.insert(text.find("title"), "seed = " + seed + "\n");
    Json result = run_text(text);
    result.erase("seed");
    return result.dump();
  };
  CHECK(with_seed("sequential", "1") == with_seed("sequential", "2"));
  CHECK(with_seed("random", "1") != with_seed("random", "2"));
}

TEST_CASE("duration cuts a run and counts only what was finished by then") {
  std::string text = fixed_latency_machine(64, "none") + process("r", "stream", "\"a\"", "block = \"4 KiB\"");
  text.insert(text.find("title"), "duration = \"1 s\"\n");
  const Json result = run_text(text);
  CHECK(result.at("simulated_s") == 1.0);
  CHECK_FALSE(first_process(result).at("finished").get<bool>());
  CHECK(first_process(result).at("elapsed_s") == 1.0);
  const int finished = static_cast<int>(1.0 / (0.008 + 4096 / 104857600.0));
  CHECK(first_process(result).at("reads") == finished);
  CHECK(first_process(result).at("bytes_read") == finished * 4096);
  CHECK(device(result).at("requests") == finished);
}

TEST_CASE("duration beyond the end changes nothing but the text") {
  const std::string text = fixed_latency_machine(1, "none") + process("r", "stream", "\"a\"");
  std::string with_duration = text;
  with_duration.insert(text.find("title"), "duration = \"1000 s\"\n");
  CHECK(run_text(text).dump() == run_text(with_duration).dump());
}

namespace {
// A device that takes requests and never answers.
class Silent final : public BlockDevice {
 public:
  std::int64_t capacity_sectors() const override { return 1 << 20; }
  std::int64_t queue_depth() const override { return 1; }
  std::int64_t max_request_sectors() const override { return 1 << 20; }
  void submit(TimeNs, const DeviceRequest&) override {}
  TimeNs next_event_ns() const override { return never_ns; }
  void advance(TimeNs, std::vector<Completion>&) override {}
};
struct NoParameters : Parameters {
  void visit(ParameterVisitor&) override {}
};
}  // namespace

TEST_CASE("a device that never answers is a deadlock that names who waits for what") {
  Registry registry;
  register_builtin_models(registry);
  registry.devices.add(model_of<NoParameters, DeviceModel>(
      "silent", "never answers", "test",
      [](const NoParameters&, const DeviceContext&) { return std::make_unique<Silent>(); }));
  std::string text = fixed_latency_machine(1, "none") + process("reader", "stream", "\"a\"");
  text.replace(text.find("fixed-latency"), 13, "silent");
  try {
    run_text(text, registry);
    FAIL("no error");
  } catch (const SimulationError& problem) {
    const std::string what = problem.what();
    CAPTURE(what);
    CHECK(what.find("deadlock") != std::string::npos);
    CHECK(what.find("reader waits for page 0 of a") != std::string::npos);
  }
}

namespace {
class Thrower final : public Workload {
 public:
  void run(ProcessApi& api) override {
    api.read(api.open("a"), 0, 4096);
    throw std::runtime_error("the workload's own trouble");
  }
};
class Crasher final : public Workload {
 public:
  void run(ProcessApi&) override { std::abort(); }
};
template <class W>
Registry with_workload(const char* name) {
  Registry registry;
  register_builtin_models(registry);
  registry.workloads.add(model_of<NoParameters, WorkloadModel>(
      name, "test", "test",
      [](const NoParameters&, const WorkloadContext&) { return std::make_unique<W>(); }));
  return registry;
}
}  // namespace

// Found when the flusher, started behind the first process, wrote a page at once without any limit being
// exceeded.
TEST_CASE("bdflush writes nothing below its limit") {
  const Json result =
      run_text(fixed_latency_machine(1) +
               process("w", "script", "\"a\"", "steps = [\"write 0 4096\", \"sleep 1000000000\"]"));
  CHECK(device(result).at("bytes") == 0);
}

TEST_CASE("an exception of a workload comes back whole and a crash costs only the run") {
  const std::string machine = fixed_latency_machine(1, "none");
  const Registry throwing = with_workload<Thrower>("thrower");
  CHECK_THROWS_WITH(run_text(machine + process("t", "thrower", "\"a\""), throwing),
                    Catch::Contains("the workload's own trouble"));
  const Registry crashing = with_workload<Crasher>("crasher");
  CHECK_THROWS_WITH(run_text(machine + process("t", "crasher", "\"a\""), crashing),
                    Catch::Contains("crashed"));
}

TEST_CASE("readers of one file share its pages and each waits only for what it needs") {
  const Json result =
      run_text(fixed_latency_machine(1) + process("x", "stream", "\"a\"") + process("y", "stream", "\"a\""));
  CHECK(device(result).at("bytes") == 1 << 20);  // read once
  CHECK(result.at("total").at("bytes_read") == 2 << 20);
}

TEST_CASE("a file larger than memory is read again from the disk") {
  const Json result = run_text(fixed_latency_machine(96) + process("r", "stream", "\"a\"", "passes = 2"));
  CHECK(device(result).at("bytes") == 2LL * 96 << 20);  // least recently used: the second pass finds nothing
  CHECK(result.at("memory").at("evictions").get<std::int64_t>() > 0);
}

TEST_CASE("a partial write of an absent page reads it first and a whole one does not") {
  const auto steps = [](const std::string& list) {
    return run_text(fixed_latency_machine(1) + process("w", "script", "\"a\"", "steps = [" + list + "]"));
  };
  CHECK(device(steps("\"write 100 200\", \"fsync\"")).at("reads") == 1);
  CHECK(device(steps("\"write 4096 8192\", \"fsync\"")).at("reads") == 0);
  CHECK(device(steps("\"write 4096 8192\", \"fsync\"")).at("bytes") == 8192);
  CHECK(device(steps("\"write 4096 8192\"")).at("bytes") == 0);  // dirty at the end: reported, not written
  CHECK(steps("\"write 4096 8192\"").at("memory").at("dirty_pages_left") == 2);
}

TEST_CASE("kupdate writes a page when it is 30 s old") {
  const auto written = [](const std::string& sleep_s) {
    return device(run_text(fixed_latency_machine(1) +
                           process("w", "script", "\"a\"",
                                   "steps = [\"write 0 4096\", \"sleep " + sleep_s + "000000000\"]")))
        .at("bytes")
        .get<int>();
  };
  CHECK(written("29") == 0);
  CHECK(written("36") == 4096);  // due at 30 s, written at the next turn of 5 s
}

TEST_CASE("a writer above the hard limit is held up by request slots") {
  const Json result =
      run_text(fixed_latency_machine(256) + process("w", "stream", "\"a\"", "operation = \"write\""));
  CHECK(first_process(result).at("bytes_written") == 256 << 20);
  CHECK(device(result).at("slot_waits").get<int>() > 0);
  CHECK(result.at("memory").at("pages_written_by_writers").get<int>() > 0);
  CHECK(device(result).at("max_queue_depth").get<int>() <= 64);  // 64 MB: 64 slots for writes
}

namespace {
// Two streams on two drives: on channels of their own or on one.
double two_drives(const std::string& bus_a, const std::string& bus_b) {
  const std::string text =
      "[scenario]\ntitle = \"channel\"\n[machine]\nmemory = \"64 MiB\"\n"
      "[[device]]\nname = \"hda\"\ndrive = \"dtla307045\"\nbus = { " +
      bus_a +
      " }\n"
      "[[device]]\nname = \"hdb\"\ndrive = \"dtla307045\"\nbus = { " +
      bus_b +
      " }\n"
      "[[file]]\nname = \"a\"\ndevice = \"hda\"\nsize = \"16 MiB\"\n"
      "[[file]]\nname = \"b\"\ndevice = \"hdb\"\nsize = \"16 MiB\"\n"
      "[readahead]\npolicy = \"linux-2.4\"\nmax_readahead = 31\n" +
      process("a", "stream", "\"a\"") + process("b", "stream", "\"b\"");
  return run_text(text).at("total").at("throughput_mb_s").get<double>();
}
}  // namespace

TEST_CASE("two IDE drives of one channel take turns and two channels run side by side") {
  const double apart = two_drives("channel = \"ide0\"", "channel = \"ide1\"");
  const double together = two_drives("channel = \"ide0\"", "channel = \"ide0\"");
  CHECK(apart > 1.8 * 37);         // both at the 37.8 MB/s of the outer zone
  CHECK(together < 0.75 * apart);  // no disconnect: one waits while the other's command runs
}

// PIO4 carries 16.6 MB/s at most, whatever the media gives.
TEST_CASE("the bus mode limits the rate of a stream") {
  const double pio = two_drives("mode = \"pio4\"", "mode = \"pio4\"") / 2;
  const double udma2 = two_drives("mode = \"udma2\"", "mode = \"udma2\"") / 2;
  CHECK(pio < 16.7);
  CHECK(pio > 8);
  CHECK(udma2 > pio * 1.3);
  CHECK(udma2 < 33.4);
}

TEST_CASE("a request is never larger than one command of the drive") {
  const auto mean_kib = [](const std::string& of_drive, const std::string& of_block) {
    std::string text = fixed_latency_machine(4, "fixed", 256) + "[block]\nmax_request = \"" + of_block +
                       "\"\nmax_segments = 1024\n" + process("r", "stream", "\"a\"");
    text.insert(text.find("model ="), "max_request = \"" + of_drive + "\"\n");
    return device(run_text(text)).at("mean_request_kib").get<double>();
  };
  CHECK(mean_kib("1 MiB", "1 MiB") == 1024);
  CHECK(mean_kib("128 KiB", "1 MiB") == 128);
  CHECK(mean_kib("1 MiB", "256 KiB") == 256);
}
