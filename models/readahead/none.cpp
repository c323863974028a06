// Policy `none`: no readahead. The default loops read each absent page when it is wanted and wait for it.
#include "models/readahead/models.hpp"

namespace seekahead {

namespace {

struct NoneParameters final : Parameters {
  void visit(ParameterVisitor&) override {}
  void without_effect(const ProblemSink& unused) const override {
    for (const char* limit : {"read_ahead_kb", "setra", "max_readahead"}) {
      unused(limit, "policy none reads nothing ahead");
    }
  }
};

class NoneDevice final : public ReadaheadDevice {
 public:
  std::unique_ptr<ReadaheadPolicy> open() override { return std::make_unique<ReadaheadPolicy>(); }
};

}  // namespace

ReadaheadModel none_policy() {
  return model_of<NoneParameters, ReadaheadModel>(
      "none", "no readahead: every page is read when it is wanted", "baseline",
      [](const NoneParameters&, const ReadaheadLimits&) { return std::make_unique<NoneDevice>(); });
}

}  // namespace seekahead
