// One file, block after block: read(2), write(2) or page faults of a mapping; in order, backwards or at
// random places.
#include <algorithm>
#include <memory>
#include <stdexcept>

#include "models/workload/workloads.hpp"

namespace seekahead {

namespace {

struct StreamParameters : Parameters {
  std::string operation = "read";
  std::string pattern = "sequential";
  std::int64_t block_bytes = 64 << 10;
  std::int64_t bytes = 0;
  std::int64_t offset_bytes = 0;
  std::int64_t passes = 1;
  TimeNs think_ns = 0;
  TimeNs pause_ns = 0;
  std::string advice = "normal";
  bool fsync = false;

  void visit(ParameterVisitor& v) override {
    constexpr std::int64_t most = std::int64_t{1} << 50;
    v.choice("operation", operation, {"read", "write", "mmap"}, "read(2), write(2), or faults of a mapping");
    v.choice("pattern", pattern, {"sequential", "backward", "random"}, "order of the blocks");
    v.bytes("block", block_bytes, {1, 1 << 30}, "bytes a call (mmap: touched page by page)");
    v.bytes("bytes", bytes, {0, most}, "how much to move in a pass; 0: from offset to the end of the file");
    v.bytes("offset", offset_bytes, {0, most}, "where to start");
    v.integer("passes", passes, {1, 1'000'000}, "how often to do it all");
    v.time("think", think_ns, {0, 3600 * ns_per_s}, "CPU time after each block");
    v.time("pause", pause_ns, {0, 3600 * ns_per_s}, "waiting time after each block, without using the CPU");
    v.choice("advice", advice, {"normal", "random", "sequential"},
             "posix_fadvise, or madvise for mmap, at the start");
    v.boolean("fsync", fsync, "call fsync after each pass of writing");
  }
  void check(const ProblemSink& problem) const override {
    if (fsync && operation != "write") {
      problem("fsync", "has an effect only with operation = \"write\"");
    }
    if (advice != "normal" && operation == "write") {
      problem("advice", "has no effect on writing");
    }
  }
};

class Stream final : public Workload {
 public:
  Stream(const StreamParameters& parameters, const WorkloadContext& context)
      : p_(parameters), file_(context.files.at(0)), random_(*context.random) {}

  void run(ProcessApi& process) override {
    const Descriptor fd = process.open(file_);
    advise(process, fd);
    const std::uint64_t size = process.file_size(fd);
    const std::uint64_t start = std::min(static_cast<std::uint64_t>(p_.offset_bytes), size);
    const std::uint64_t length =
        p_.bytes == 0 ? size - start : std::min(static_cast<std::uint64_t>(p_.bytes), size - start);
    for (std::int64_t pass = 0; pass < p_.passes; ++pass) {
      one_pass(process, fd, start, length);
      if (p_.fsync) {
        process.fsync(fd);
      }
    }
    process.close(fd);
  }

 private:
  void advise(ProcessApi& process, Descriptor fd) const {
    if (p_.advice != "normal") {
      const bool random = p_.advice == "random";
      if (p_.operation == "mmap") {
        process.madvise(fd, random ? MapHint::random : MapHint::sequential);
      } else {
        process.fadvise(fd, random ? FileAdvice::random : FileAdvice::sequential, 0, 0);
      }
    }
  }

  void one_pass(ProcessApi& process, Descriptor fd, std::uint64_t start, std::uint64_t length) {
    const auto block = static_cast<std::uint64_t>(p_.block_bytes);
    const std::uint64_t blocks = length / block + (length % block != 0);
    for (std::uint64_t i = 0; i < blocks; ++i) {
      const std::uint64_t which = p_.pattern == "sequential" ? i
                                  : p_.pattern == "backward" ? blocks - 1 - i
                                                             : random_.below(blocks);
      const std::uint64_t at = which * block;
      transfer(process, fd, start + at, std::min(block, length - at));
      if (p_.think_ns > 0) {
        process.compute(p_.think_ns);
      }
      if (p_.pause_ns > 0) {
        process.sleep(p_.pause_ns);
      }
    }
  }

  void transfer(ProcessApi& process, Descriptor fd, std::uint64_t position, std::uint64_t bytes) const {
    if (p_.operation == "read") {
      process.read(fd, position, bytes);
    } else if (p_.operation == "write") {
      process.write(fd, position, bytes);
    } else {
      for (PageIndex page = position / page_bytes; page * page_bytes < position + bytes; ++page) {
        process.fault(fd, page);
      }
    }
  }

  StreamParameters p_;
  std::string file_;
  Random& random_;
};

}  // namespace

void register_stream(Registry& registry) {
  WorkloadModel model = model_of<StreamParameters, WorkloadModel>(
      "stream", "read, write or map one file, block after block", "chosen",
      [](const StreamParameters& parameters, const WorkloadContext& context) {
        return std::make_unique<Stream>(parameters, context);
      });
  model.fewest_files = 1;
  model.most_files = 1;
  registry.workloads.add(std::move(model));
}

}  // namespace seekahead
