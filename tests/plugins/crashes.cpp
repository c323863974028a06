// Policies that take the whole process down when a page is absent.
#include <csignal>
#include <cstdlib>

#include "sim/scenario/plugin.hpp"

namespace {

using namespace seekahead;

struct NoParameters final : Parameters {
  void visit(ParameterVisitor&) override {}
};

template <class Crash>
class CrashingDevice final : public ReadaheadDevice {
 public:
  std::unique_ptr<ReadaheadPolicy> open() override {
    class Policy final : public ReadaheadPolicy {
      void page_absent(PageCacheView&, PageIndex, std::uint64_t) override { Crash()(); }
    };
    return std::make_unique<Policy>();
  }
};

struct Abort {
  void operator()() const { std::abort(); }
};
struct Kill {
  void operator()() const { std::raise(SIGKILL); }
};

template <class Crash>
ReadaheadModel crashing(const char* name) {
  return model_of<NoParameters, ReadaheadModel>(
      name, "takes the process down", "test",
      [](const NoParameters&, const ReadaheadLimits&) { return std::make_unique<CrashingDevice<Crash>>(); });
}

}  // namespace

SEEKAHEAD_PLUGIN(registry) {
  registry.readahead.add(crashing<Abort>("aborts"));
  registry.readahead.add(crashing<Kill>("killed"));
}
