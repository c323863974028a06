// diff, cmp: two files read in step, a block of one and a block of the other, until both have ended.
#include <memory>

#include "models/workload/workloads.hpp"

namespace seekahead {

namespace {

struct DiffParameters : Parameters {
  std::int64_t block_bytes = 64 << 10;
  TimeNs think_ns = 0;

  void visit(ParameterVisitor& v) override {
    v.bytes("block", block_bytes, {1, 1 << 30}, "bytes a call");
    v.time("think", think_ns, {0, 3600 * ns_per_s}, "CPU time to compare a pair of blocks");
  }
};

class Diff final : public Workload {
 public:
  Diff(const DiffParameters& parameters, const WorkloadContext& context)
      : p_(parameters), files_{context.files.at(0), context.files.at(1)} {}

  void run(ProcessApi& process) override {
    const Descriptor a = process.open(files_[0]);
    const Descriptor b = process.open(files_[1]);
    const auto block = static_cast<std::uint64_t>(p_.block_bytes);
    for (std::uint64_t at = 0;; at += block) {
      const std::uint64_t got = process.read(a, at, block) + process.read(b, at, block);
      if (got == 0) {
        break;
      }
      if (p_.think_ns > 0) {
        process.compute(p_.think_ns);
      }
    }
    process.close(a);
    process.close(b);
  }

 private:
  DiffParameters p_;
  std::string files_[2];
};

}  // namespace

void register_diff(Registry& registry) {
  WorkloadModel model = model_of<DiffParameters, WorkloadModel>(
      "diff", "compare two files in step", "chosen",
      [](const DiffParameters& parameters, const WorkloadContext& context) {
        return std::make_unique<Diff>(parameters, context);
      });
  model.fewest_files = 2;
  model.most_files = 2;
  registry.workloads.add(std::move(model));
}

}  // namespace seekahead
