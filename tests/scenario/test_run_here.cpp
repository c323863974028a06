// run_here(): a run in the process that asks for it, as the Python package's helpers do after their fork.
#include <alloca.h>

#include <catch2/catch.hpp>
#include <csignal>
#include <cstring>

#include "tests/cli/program.hpp"
#include "tests/in_child.hpp"
#include "tests/scenario/run_text.hpp"

using namespace seekahead;
using namespace seekahead::test;

namespace {

struct NoParameters : Parameters {
  void visit(ParameterVisitor&) override {}
};

// Reads one page, then fails with an exception of its own type.
struct OwnTrouble : std::runtime_error {
  using std::runtime_error::runtime_error;
};
class Thrower final : public Workload {
 public:
  void run(ProcessApi& api) override {
    api.read(api.open("a"), 0, page_bytes);
    throw OwnTrouble("the model's own trouble");
  }
};
// Interrupts the run as Ctrl-C would, in the middle of its work.
class Interrupter final : public Workload {
 public:
  void run(ProcessApi& api) override {
    const Descriptor fd = api.open("a");
    for (std::uint64_t page = 0; page < 100; ++page) {
      api.read(fd, page * page_bytes, page_bytes);
      if (page == 9) {
        raise(SIGINT);
      }
    }
  }
};
// Fills `kib` of its stack.
template <std::size_t kib>
class StackUser final : public Workload {
 public:
  void run(ProcessApi& api) override {
    auto* const room = static_cast<volatile char*>(alloca(kib * 1024));
    for (std::size_t i = 0; i < kib * 1024; i += 512) {
      room[i] = 1;
    }
    api.read(api.open("a"), 0, page_bytes);
  }
};

template <class W>
Registry registry_with() {
  Registry registry;
  register_builtin_models(registry);
  registry.workloads.add(model_of<NoParameters, WorkloadModel>(
      "test", "a test's", "test",
      [](const NoParameters&, const WorkloadContext&) { return std::make_unique<W>(); }));
  return registry;
}

}  // namespace

TEST_CASE("a run in this process gives the very text that the program prints") {
  const Directory directory;
  const std::string text =
      fixed_latency_machine(4) + process("one", "stream", "\"a\"") + process("two", "stream", "\"b\"");
  directory.file("s.toml", text);
  const auto program = run_program({"run", directory.path("s.toml"), "--json"});
  REQUIRE(program.status == 0);
  const std::string here = in_child([&] { return run_here(scenario_of(text), {}).dump(2); });
  CHECK(here + "\n" == program.out);
}

TEST_CASE("a run in this process fills the recorder and the traces") {
  const Directory directory;
  const std::string trace = directory.path("requests.csv");
  const std::string outcome = in_child([&]() -> std::string {
    Recorder recorder({"calls"}, 1000);
    RunOptions options;
    options.recorder = &recorder;
    options.traces = {{"requests-csv", trace}};
    const Scenario scenario = scenario_of(fixed_latency_machine(1) + process("one", "stream", "\"a\""));
    const nlohmann::json result = run_here(scenario, options);
    const std::size_t calls = recorder.calls().rows().size();
    return calls == result.at("processes").at(0).at("reads") && calls > 1 ? "good" : "other counts";
  });
  CHECK(outcome == "good");
  CHECK(read_file(trace).find("\n1,disk,") != std::string::npos);
}

TEST_CASE("SIGINT ends a run in this process early and the old handler is back afterwards") {
  const std::string outcome = in_child([]() -> std::string {
    struct sigaction ignore {};
    ignore.sa_handler = SIG_IGN;
    sigaction(SIGINT, &ignore, nullptr);
    const Registry registry = registry_with<Interrupter>();
    const std::string text = fixed_latency_machine(4) + process("p", "test", "\"a\"");
    const nlohmann::json result = run_here(scenario_of(text, registry), {});
    struct sigaction now {};
    sigaction(SIGINT, nullptr, &now);
    const bool good = result.at("interrupted") == true && result.at("processes").at(0).at("reads") == 10 &&
                      now.sa_handler == SIG_IGN;
    return good ? "good" : result.dump(2);
  });
  CHECK(outcome == "good");
}

TEST_CASE("a failed run in this process tells when and what was thrown") {
  const std::string outcome = in_child([]() -> std::string {
    const Registry registry = registry_with<Thrower>();
    const std::string text = fixed_latency_machine(4, "none") + process("p", "test", "\"a\"");
    try {
      run_here(scenario_of(text, registry), {});
    } catch (const SimulationError& problem) {
      try {
        std::rethrow_exception(problem.cause);
      } catch (const OwnTrouble& cause) {
        return std::string(cause.what()) + ", " + problem.what() + ", " +
               std::to_string(problem.simulated_ns.value_or(-1));
      }
    }
    return "no error";
  });
  // 8 ms of the device, and 4 KiB at its 100 MiB/s: 39062.5 ns, rounded up
  CHECK(outcome == "the model's own trouble, the model's own trouble, 8039063");
}

TEST_CASE("the program and simulate tell the simulated time of a failure") {
  const Registry registry = registry_with<Thrower>();
  const std::string text = fixed_latency_machine(4, "none") + process("p", "test", "\"a\"");
  try {
    run_text(text, registry);
    FAIL("no error");
  } catch (const SimulationError& problem) {
    CHECK(problem.what() == std::string("the model's own trouble"));
    CHECK(problem.simulated_ns == TimeNs{8039063});
  }
}

TEST_CASE("a process may use the stack that was asked for and no more") {
  const Registry registry = registry_with<StackUser<700>>();
  const std::string text = fixed_latency_machine(4, "none") + process("p", "test", "\"a\"");
  const auto run_with = [&](std::int64_t stack_kib) {
    return in_child([&]() -> std::string {
      signal(SIGSEGV, SIG_DFL);  // not the test framework's report
      RunOptions options;
      options.stack_kib = stack_kib;
      return run_here(scenario_of(text, registry), options).empty() ? "empty" : "good";
    });
  };
  CHECK(run_with(1024) == "good");
  CHECK(run_with(256) == "died");
}
