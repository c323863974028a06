// Policies that throw: one when a page is absent, one something that is no exception, one when it is made.
#include "sim/scenario/plugin.hpp"

namespace {

using namespace seekahead;

struct NoParameters final : Parameters {
  void visit(ParameterVisitor&) override {}
};

template <class Throw>
class Thrower final : public ReadaheadDevice {
 public:
  std::unique_ptr<ReadaheadPolicy> open() override {
    class Policy final : public ReadaheadPolicy {
      void page_absent(PageCacheView&, PageIndex, std::uint64_t) override { Throw()(); }
    };
    return std::make_unique<Policy>();
  }
};

struct ThrowError {
  void operator()() const { throw std::out_of_range("window 7 of 3"); }
};
struct ThrowNumber {
  void operator()() const { throw 42; }
};

template <class Throw>
ReadaheadModel thrower(const char* name) {
  return model_of<NoParameters, ReadaheadModel>(
      name, "throws", "test",
      [](const NoParameters&, const ReadaheadLimits&) { return std::make_unique<Thrower<Throw>>(); });
}

}  // namespace

SEEKAHEAD_PLUGIN(registry) {
  registry.readahead.add(thrower<ThrowError>("throws-error"));
  registry.readahead.add(thrower<ThrowNumber>("throws-number"));
  registry.readahead.add(model_of<NoParameters, ReadaheadModel>(
      "throws-when-made", "throws", "test",
      [](const NoParameters&, const ReadaheadLimits&) -> std::unique_ptr<ReadaheadDevice> {
        throw std::runtime_error("no window");
      }));
}
