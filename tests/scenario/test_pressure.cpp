// Every readahead policy on every family of request queues with hardly any memory: many processes on the same
// files and on others, windows larger than what memory can hold at once. Nothing may deadlock, every request
// must complete (or the run fails), and a second run must give the same bytes.
#include <catch2/catch.hpp>

#include "tests/scenario/run_text.hpp"

using namespace seekahead;
using namespace seekahead::test;
using Json = nlohmann::ordered_json;

namespace {

struct Queue {
  const char* kernel;
  const char* elevator;
  int slots;  // 0: the kernel's own
};
constexpr Queue queues[] = {{"2.4.5", "linus", 0},
                            {"2.4.5", "linus", 6},
                            {"2.6.8", "deadline", 0},
                            {"2.6.11", "noop", 5},
                            {"2.6.24", "deadline", 17}};

std::string stream(const std::string& name, const std::string& file, const std::string& rest) {
  return process(name, "stream", "\"" + file + "\"", rest);
}

// 17 MiB of memory, of which 16 are reserved: 256 page frames for nine processes with windows of up to 64
// pages.
std::string crowded(const std::string& policy, const Queue& queue) {
  return "[scenario]\ntitle = \"pressure\"\nseed = 7\n"
         "[machine]\nmemory = \"17 MiB\"\ncores = 2\n"
         "[[device]]\nname = \"hda\"\ndrive = \"dtla307045\"\n"
         "[[device]]\nname = \"sda\"\ndrive = \"cheetah9lp\"\n"
         "[[file]]\nname = \"a\"\ndevice = \"hda\"\nsize = \"3000001 B\"\n"
         "[[file]]\nname = \"b\"\ndevice = \"hda\"\nsize = \"4 MiB\"\n"
         "[[file]]\nname = \"c\"\ndevice = \"sda\"\nsize = \"4 MiB\"\n"
         "[readahead]\n" +
         std::string(policy.find("\"none\"") == std::string::npos ? "max_readahead = 64\n" : "") + policy +
         "[block]\nkernel = \"" + queue.kernel + "\"\nelevator = \"" + queue.elevator +
         "\"\nrequest_slots = " + std::to_string(queue.slots) + "\n" +
         stream("together", "a", "count = 2\nblock = \"64 KiB\"") +
         stream("behind", "a", "start = \"20 ms\"\nblock = \"5000 B\"") +
         stream("random", "a", "pattern = \"random\"\nblock = \"24 KiB\"\nbytes = \"1 MiB\"") +
         stream("walker", "c", "operation = \"mmap\"\nblock = \"4 KiB\"\nbytes = \"1 MiB\"") +
         stream("backward", "c", "pattern = \"backward\"\nblock = \"8 KiB\"\nbytes = \"1 MiB\"") +
         stream("writer", "b",
                "operation = \"write\"\nblock = \"10000 B\"\nbytes = \"2 MiB\"\nfsync = true") +
         process("copy", "copy", "\"c\", \"a\"", "block = \"16 KiB\"") +
         process("advised", "script", "\"b\", \"c\"",
                 "repeat = 3\nsteps = [\"fadvise willneed 0 2000000\", \"read 100 200000\", \"1: fault "
                 "500..540\", "
                 "\"fadvise dontneed 0 0\", \"1: madvise sequential\", \"1: fault 900..1023\", \"close\"]");
}

std::string of_policy(const std::string& name, const std::string& kernel) {
  return "policy = \"" + name + "\"\n" + (kernel.empty() ? "" : "kernel = \"" + kernel + "\"\n");
}

void survives(const std::string& policy) {
  for (const Queue& queue : queues) {
    INFO(policy << queue.kernel << " " << queue.elevator << " " << queue.slots);
    const std::string text = crowded(policy, queue);
    const Json result = run_text(text);
    for (const Json& process : result.at("processes")) {
      CHECK(process.at("finished") == true);
    }
    CHECK(result.at("processes").at(0).at("bytes_read") == 3000001);
    CHECK(result.at("memory").at("evictions") > 0);
    CHECK(run_text(text).dump() == result.dump());
  }
}

}  // namespace

TEST_CASE("no memory left: none and fixed") {
  survives(of_policy("none", ""));
  survives(of_policy("fixed", ""));
}
TEST_CASE("no memory left: linux-2.4") { survives(of_policy("linux-2.4", "2.4.5")); }
TEST_CASE("no memory left: linux-2.6-window") {
  survives(of_policy("linux-2.6-window", GENERATE("2.6.8", "2.6.9")));
}
TEST_CASE("no memory left: linux-2.6-request-size") {
  survives(of_policy("linux-2.6-request-size", GENERATE("2.6.11", "2.6.12", "2.6.22")));
}
TEST_CASE("no memory left: adaptive") { survives(of_policy("adaptive", GENERATE("v15", "v16"))); }
TEST_CASE("no memory left: ondemand") {
  survives(of_policy("ondemand", GENERATE("2.6.24", "mmap-2007", "mmap-2009", "2.6.31", "6.1")));
}

// --- bugs that random scenarios found

TEST_CASE("a slot freed while its sleeper starts the device is not lost") {
  const Json result = run_text(
      "[scenario]\ntitle = \"slots\"\n"
      "[machine]\nmemory = \"17 MiB\"\ncores = 2\ncpu_per_page = \"0 us\"\ncpu_per_call = \"0 us\"\n"
      "[[device]]\nname = \"disk\"\nmodel = \"fixed-latency\"\naccess = \"0 ms\"\nqueue_depth = 4\n"
      "[[file]]\nname = \"a\"\ndevice = \"disk\"\nsize = \"2 MiB\"\n"
      "[[file]]\nname = \"b\"\ndevice = \"disk\"\nsize = \"3 MiB\"\n"
      "[readahead]\npolicy = \"none\"\n"
      "[block]\nkernel = \"2.4.5\"\nelevator = \"deadline\"\nrequest_slots = 2\n" +
      process("copy", "copy", R"("a", "b")", "block = \"20480 B\"") +
      stream("readers", "b", "count = 10\npattern = \"backward\"\nblock = \"11000 B\""));
  CHECK(result.at("devices").at(0).at("slot_waits") > 0);
  CHECK(result.at("processes").at(0).at("bytes_written") == 2 << 20);
}

TEST_CASE("reading far past the end of a file leaves the page cache alone") {
  const Json result = run_text(
      "[scenario]\ntitle = \"end\"\n[machine]\nmemory = \"17 MiB\"\n"
      "[[device]]\nname = \"disk\"\nmodel = \"fixed-latency\"\n"
      "[[file]]\nname = \"a\"\ndevice = \"disk\"\nsize = \"10000 B\"\n"
      "[[file]]\nname = \"b\"\ndevice = \"disk\"\nsize = \"3 MiB\"\n"
      "[readahead]\npolicy = \"ondemand\"\nkernel = \"2.6.24\"\n" +
      process("diff", "diff", R"("a", "b")", "block = \"20480 B\""));
  CHECK(result.at("processes").at(0).at("bytes_read") == 10000 + (3 << 20));
  CHECK(result.at("files").at(0).at("cached_pages") <= 4);  // 3 and the page of zeroes at the end
}
