// The request queue's gates from both sides: slots, congestion, plug. Numbers from the table of the request
// layers in docs/elevators.md (2.4.5, 2.6.8 - 2.6.24).
#include <catch2/catch.hpp>

#include "models/builtin.hpp"
#include "sim/block/request_queue.hpp"
#include "tests/in_child.hpp"

using namespace seekahead;

namespace {

// A queue on a device of 8 ms an access; everything submitted is far apart, so nothing merges.
class Fixture {
 public:
  Fixture(const char* kernel, std::int64_t slots) : engine(1), next(4096, no_payload) {
    register_builtin_models(registry_);
    const DeviceModel* model = registry_.devices.find("fixed-latency");
    const ElevatorModel* noop = registry_.elevators.find("noop");
    RequestQueueOptions options;
    options.name = "disk";
    options.rules = *find_queue_rules(kernel);
    options.slots = slots;
    options.congestion = congestion_limits(options.rules, slots);
    options.give_back =
        options.rules.give_back > 0 ? options.rules.give_back : std::min<std::int64_t>(32, slots / 4);
    queue = std::make_unique<RequestQueue>(engine, model->make(*model->parameters(), DeviceContext{}),
                                           noop->make(*noop->parameters()), nullptr, next, options,
                                           [this](Payload, bool) { ++completed; });
  }

  void submit(std::int64_t i, bool write = false) {
    const auto payload = static_cast<Payload>(i);
    queue->submit({{i * 1000, 8, write, !write}, payload, payload});
  }
  // Runs `body` as a process and the device until all is done; the answer is what the body said.
  std::string run(const std::function<std::string()>& body) {
    std::string answer;
    engine.spawn("p", 0, [&] { answer = body(); });
    engine.run();
    return answer;
  }

  Engine engine;
  std::vector<Payload> next;
  std::unique_ptr<RequestQueue> queue;
  int completed = 0;

 private:
  Registry registry_;
};

std::string flag(bool value) { return value ? "1" : "0"; }

}  // namespace

TEST_CASE("2.6 queues are congested from the 113th request on") {
  CHECK(test::in_child([] {
          Fixture f("2.6.12", 128);
          return f.run([&] {
            for (int i = 0; i < 112; ++i) {
              f.submit(i);
            }
            const std::string before = flag(f.queue->congested(false));
            f.submit(112);
            return before + flag(f.queue->congested(false)) + flag(f.queue->congested(true));
          });
        }) == "010");
}

// Congestion ends when the count falls below 111 (2.6.8) or 103 (2.6.12).
TEST_CASE("2.6 queues stay congested until the count is below the kernel's lower mark") {
  const auto until = [](const char* kernel) {
    return test::in_child([kernel] {
      Fixture f(kernel, 128);
      return f.run([&] {
        for (int i = 0; i < 113; ++i) {
          f.submit(i);
        }
        f.queue->unplug();
        while (f.queue->congested(false)) {
          f.engine.sleep(ns_per_ms);
        }
        return std::to_string(f.queue->outstanding());
      });
    });
  };
  CHECK(until("2.6.8") == "110");
  CHECK(until("2.6.12") == "102");
}

TEST_CASE("a 2.6 queue unplugs with the fourth request and after 3 ms") {
  CHECK(test::in_child([] {
          Fixture f("2.6.12", 128);
          return f.run([&] {
            for (int i = 0; i < 3; ++i) {
              f.submit(i);
            }
            const std::string three = flag(f.queue->plugged());
            f.submit(3);
            return three + flag(f.queue->plugged());
          });
        }) == "10");
  CHECK(test::in_child([] {
          Fixture f("2.6.12", 128);
          return f.run([&] {
            f.submit(0);
            f.engine.sleep(3 * ns_per_ms - 1);
            const std::string before = flag(f.queue->plugged());
            f.engine.sleep(1);
            return before + flag(f.queue->plugged());
          });
        }) == "10");
}

TEST_CASE("a 2.4 queue stays plugged until somebody waits") {
  CHECK(test::in_child([] {
          Fixture f("2.4.5", 64);
          return f.run([&] {
            for (int i = 0; i < 40; ++i) {
              f.submit(i);
            }
            f.engine.sleep(ns_per_s);
            const std::string before = flag(f.queue->plugged()) + flag(f.completed == 0);
            f.queue->unplug();
            f.engine.sleep(ns_per_s);
            return before + flag(f.queue->plugged()) + flag(f.completed == 40);
          });
        }) == "1101");
}

// 64 MB of memory: 64 slots for each direction, given back 16 at a time.
TEST_CASE("a 2.4 task out of slots sleeps for a lot of completions") {
  CHECK(slots_of_2_4(64 << 20) == 64);
  CHECK(slots_of_2_4(256 << 20) == 256);
  CHECK(slots_of_2_4(512LL << 20) == 512);
  CHECK(slots_of_2_4(8LL << 30) == 4096);
  CHECK(test::in_child([] {
          Fixture f("2.4.5", 64);
          return f.run([&] {
            for (int i = 0; i < 65; ++i) {
              f.submit(i);
            }
            return std::to_string(f.completed);  // when the 65th could be added
          });
        }) == "16");
}

TEST_CASE("reads have slots of their own beside a full queue of writes") {
  CHECK(test::in_child([] {
          Fixture f("2.4.5", 64);
          return f.run([&] {
            for (int i = 0; i < 64; ++i) {
              f.submit(i, true);
            }
            f.submit(64, false);
            return std::to_string(f.completed) + "/" + std::to_string(f.queue->statistics().slot_waits);
          });
        }) == "0/0");
}

// Found when each request of a batch renewed the batch, so that a writer never slept. The 128th request makes
// its task a batcher, which may go on for 32 more without sleeping; 2.6.18 caps at 150 %.
TEST_CASE("a 2.6 task that fills the queue may add a batch beyond it") {
  const auto without_sleep = [](const char* kernel) {
    return test::in_child([kernel] {
      Fixture f(kernel, 128);
      return f.run([&] {
        int i = 0;
        while (f.queue->statistics().slot_waits == 0) {
          f.submit(i++);
        }
        return std::to_string(i - 1);  // the last one had to sleep
      });
    });
  };
  CHECK(without_sleep("2.6.12") == "160");
}
