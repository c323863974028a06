// cp: read a block of the first file, write it to the second. cp of 2001 used st_blksize = 4 KiB.
#include <memory>

#include "models/workload/workloads.hpp"

namespace seekahead {

namespace {

struct CopyParameters : Parameters {
  std::int64_t block_bytes = 4096;
  TimeNs think_ns = 0;
  bool fsync = false;

  void visit(ParameterVisitor& v) override {
    v.bytes("block", block_bytes, {1, 1 << 30}, "bytes a call", "cp of 2001: st_blksize, 4 KiB");
    v.time("think", think_ns, {0, 3600 * ns_per_s}, "CPU time of the program for each block");
    v.boolean("fsync", fsync, "call fsync at the end");
  }
};

class Copy final : public Workload {
 public:
  Copy(const CopyParameters& parameters, const WorkloadContext& context)
      : p_(parameters), from_(context.files.at(0)), to_(context.files.at(1)) {}

  void run(ProcessApi& process) override {
    const Descriptor from = process.open(from_);
    const Descriptor to = process.open(to_);
    std::uint64_t at = 0;
    while (true) {
      const std::uint64_t bytes = process.read(from, at, static_cast<std::uint64_t>(p_.block_bytes));
      if (bytes == 0 || process.write(to, at, bytes) < bytes) {
        break;
      }
      at += bytes;
      if (p_.think_ns > 0) {
        process.compute(p_.think_ns);
      }
    }
    if (p_.fsync) {
      process.fsync(to);
    }
    process.close(from);
    process.close(to);
  }

 private:
  CopyParameters p_;
  std::string from_;
  std::string to_;
};

}  // namespace

void register_copy(Registry& registry) {
  WorkloadModel model = model_of<CopyParameters, WorkloadModel>(
      "copy", "cp: read the first file, write the second", "chosen",
      [](const CopyParameters& parameters, const WorkloadContext& context) {
        return std::make_unique<Copy>(parameters, context);
      });
  model.fewest_files = 2;
  model.most_files = 2;
  registry.workloads.add(std::move(model));
}

}  // namespace seekahead
