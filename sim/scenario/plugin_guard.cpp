#include "sim/scenario/plugin_guard.hpp"

#include <utility>

#include "sim/engine/engine.hpp"
#include "sim/scenario/plugin.hpp"
#include "sim/scenario/simulate.hpp"

namespace seekahead {

namespace {

// What a model threw, with the plug-in's name in front. Errors of the machine around it pass, and so does the
// end of a process: a model that waits is where they surface, not their cause.
template <class Call>
decltype(auto) named(const std::string& plugin, Call call) {
  try {
    return call();
  } catch (const PluginError&) {
    throw;
  } catch (const SimulationError&) {
    throw;
  } catch (const std::exception& error) {
    if (caught_end_of_process()) {
      throw;
    }
    throw PluginError("plug-in " + plugin + ": " + error.what());
  } catch (...) {  // a plug-in may throw anything
    if (caught_end_of_process()) {
      throw;
    }
    throw PluginError("plug-in " + plugin + ": threw something that is no std::exception");
  }
}

class GuardedPolicy final : public ReadaheadPolicy {
 public:
  GuardedPolicy(std::unique_ptr<ReadaheadPolicy> inner, const std::string& plugin)
      : inner_(std::move(inner)), plugin_(plugin) {}

  std::uint64_t read(PageCacheView& view, std::uint64_t position, std::uint64_t length) override {
    return named(plugin_, [&] { return inner_->read(view, position, length); });
  }
  bool fault(PageCacheView& view, PageIndex page) override {
    return named(plugin_, [&] { return inner_->fault(view, page); });
  }
  void fadvise(PageCacheView& view, FileAdvice advice, std::uint64_t position,
               std::uint64_t length) override {
    named(plugin_, [&] { inner_->fadvise(view, advice, position, length); });
  }
  void madvise(PageCacheView& view, MapHint hint) override {
    named(plugin_, [&] { inner_->madvise(view, hint); });
  }
  void close(PageCacheView& view, std::uint64_t position) override {
    named(plugin_, [&] { inner_->close(view, position); });
  }
  void visit_state(StateVisitor& visitor) const override {
    named(plugin_, [&] { inner_->visit_state(visitor); });
  }

 private:
  std::unique_ptr<ReadaheadPolicy> inner_;
  const std::string& plugin_;  // the device's
};

class GuardedReadahead final : public ReadaheadDevice {
 public:
  GuardedReadahead(std::unique_ptr<ReadaheadDevice> inner, std::string plugin)
      : inner_(std::move(inner)), plugin_(std::move(plugin)) {}

  std::unique_ptr<ReadaheadPolicy> open() override {
    return std::make_unique<GuardedPolicy>(named(plugin_, [&] { return inner_->open(); }), plugin_);
  }
  void visit_state(const PageCacheView& view, StateVisitor& visitor) const override {
    named(plugin_, [&] { inner_->visit_state(view, visitor); });
  }
  void visit_events(EventVisitor& visitor) const override {
    named(plugin_, [&] { inner_->visit_events(visitor); });
  }

 private:
  std::unique_ptr<ReadaheadDevice> inner_;
  const std::string plugin_;
};

class GuardedElevator final : public Elevator {
 public:
  GuardedElevator(std::unique_ptr<Elevator> inner, std::string plugin)
      : inner_(std::move(inner)), plugin_(std::move(plugin)) {}

  Merge find_merge(const Bio& bio, const MergeLimits& limits) override {
    return named(plugin_, [&] { return inner_->find_merge(bio, limits); });
  }
  Request* merged(Request& request, const Bio& bio, MergeKind kind, const MergeLimits& limits) override {
    return named(plugin_, [&] { return inner_->merged(request, bio, kind, limits); });
  }
  void add(Request& request, TimeNs now) override {
    named(plugin_, [&] { inner_->add(request, now); });
  }
  Request* next(TimeNs now) override {
    return named(plugin_, [&] { return inner_->next(now); });
  }
  void completed(Request& request, TimeNs now) override {
    named(plugin_, [&] { inner_->completed(request, now); });
  }
  std::size_t waiting() const override {
    return named(plugin_, [&] { return inner_->waiting(); });
  }
  TimeNs timer_ns() const override {
    return named(plugin_, [&] { return inner_->timer_ns(); });
  }

 private:
  std::unique_ptr<Elevator> inner_;
  const std::string plugin_;
};

class GuardedDevice final : public BlockDevice {
 public:
  GuardedDevice(std::unique_ptr<BlockDevice> inner, std::string plugin)
      : inner_(std::move(inner)), plugin_(std::move(plugin)) {}

  std::int64_t capacity_sectors() const override {
    return named(plugin_, [&] { return inner_->capacity_sectors(); });
  }
  std::int64_t queue_depth() const override {
    return named(plugin_, [&] { return inner_->queue_depth(); });
  }
  std::int64_t max_request_sectors() const override {
    return named(plugin_, [&] { return inner_->max_request_sectors(); });
  }
  void submit(TimeNs now, const DeviceRequest& request) override {
    named(plugin_, [&] { inner_->submit(now, request); });
  }
  TimeNs next_event_ns() const override {
    return named(plugin_, [&] { return inner_->next_event_ns(); });
  }
  void advance(TimeNs now, std::vector<Completion>& done) override {
    named(plugin_, [&] { inner_->advance(now, done); });
  }
  HeadPosition head_position() const override {
    return named(plugin_, [&] { return inner_->head_position(); });
  }
  TimeNs rotation_ns() const override {
    return named(plugin_, [&] { return inner_->rotation_ns(); });
  }

 private:
  std::unique_ptr<BlockDevice> inner_;
  const std::string plugin_;
};

class GuardedWorkload final : public Workload {
 public:
  GuardedWorkload(std::unique_ptr<Workload> inner, std::string plugin)
      : inner_(std::move(inner)), plugin_(std::move(plugin)) {}

  void run(ProcessApi& process) override {
    named(plugin_, [&] { inner_->run(process); });
  }

 private:
  std::unique_ptr<Workload> inner_;
  const std::string plugin_;
};

// Puts what the model makes into a shell.
template <class Shell, class Product, class... Context>
void put_in_shell(Model<Product, Context...>& model, const std::string& plugin) {
  model.make = [make = model.make, plugin](const Parameters& parameters, Context... context) {
    std::unique_ptr<Product> inner = named(plugin, [&] { return make(parameters, context...); });
    return std::make_unique<Shell>(std::move(inner), plugin);
  };
}

}  // namespace

ReadaheadModel guarded(ReadaheadModel model, const std::string& plugin) {
  put_in_shell<GuardedReadahead>(model, plugin);
  return model;
}
ElevatorModel guarded(ElevatorModel model, const std::string& plugin) {
  put_in_shell<GuardedElevator>(model, plugin);
  return model;
}
DeviceModel guarded(DeviceModel model, const std::string& plugin) {
  put_in_shell<GuardedDevice>(model, plugin);
  return model;
}
WorkloadModel guarded(WorkloadModel model, const std::string& plugin) {
  put_in_shell<GuardedWorkload>(model, plugin);
  return model;
}

}  // namespace seekahead
