// A readahead policy as a plug-in: a missing page brings in the whole aligned block that it lies in.
// docs/plugins.md walks through it.
#include "sim/scenario/plugin.hpp"

namespace {

using namespace seekahead;

struct AlignedBlocksParameters final : Parameters {
  std::int64_t block_pages = 16;

  void visit(ParameterVisitor& v) override {
    v.pages("block", block_pages, {1, 4096}, "size and alignment of what is read at once", "chosen");
  }
};

// One open file.
class AlignedBlocks final : public ReadaheadPolicy {
 public:
  explicit AlignedBlocks(std::uint64_t block) : block_(block) {}

  void visit_state(StateVisitor& visitor) const override {
    visitor.unsigned_field("start", start_);
    visitor.unsigned_field("size", block_);
  }

 private:
  void page_absent(PageCacheView& view, PageIndex page, std::uint64_t /*remaining*/) override {
    start_ = page / block_ * block_;
    view.submit({.start = start_, .count = block_, .window_class = WindowClass::window});
  }

  const std::uint64_t block_;
  PageIndex start_ = 0;
};

// What the open files of one device share: here, the size of a block.
class AlignedBlocksDevice final : public ReadaheadDevice {
 public:
  explicit AlignedBlocksDevice(std::uint64_t block) : block_(block) {}
  std::unique_ptr<ReadaheadPolicy> open() override { return std::make_unique<AlignedBlocks>(block_); }

 private:
  const std::uint64_t block_;
};

}  // namespace

SEEKAHEAD_PLUGIN(registry) {
  registry.readahead.add(model_of<AlignedBlocksParameters, ReadaheadModel>(
      "aligned-blocks", "reads the aligned block around a missing page", "docs/plugins.md",
      [](const AlignedBlocksParameters& parameters, const ReadaheadLimits&) {
        return std::make_unique<AlignedBlocksDevice>(static_cast<std::uint64_t>(parameters.block_pages));
      }));
}
