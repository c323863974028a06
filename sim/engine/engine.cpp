#include "sim/engine/engine.hpp"

#include <simgrid/Exception.hpp>
#include <simgrid/kernel/resource/Model.hpp>
#include <simgrid/s4u.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <csignal>
#include <exception>
#include <map>
#include <utility>

#include <simgrid/version.h>  // after the others: it does not stand alone

namespace seekahead {

namespace s4u = simgrid::s4u;

class Process {
 public:
  Process(std::string name, bool service)
      : name_(std::move(name)), service_(service), wakeups_(s4u::Semaphore::create(0)) {}

  std::string name_;
  bool service_;
  bool ended_ = false;
  bool blocked_ = false;
  WaitReason reason_;
  s4u::SemaphorePtr wakeups_;
};

namespace {

// Differences between SimGrid versions (3.32 to 4.x) stand here and nowhere else.
s4u::Host* make_host(s4u::Engine& engine, int cores) {
  constexpr double flops_per_second = 1e9;  // one flop is one nanosecond of CPU
#if SIMGRID_VERSION >= 40000
  s4u::NetZone* root = engine.get_netzone_root();
  s4u::Host* host = root->add_host("machine", flops_per_second);
#else
  static_cast<void>(engine);
  s4u::NetZone* root = s4u::create_full_zone("root");
  s4u::Host* host = root->create_host("machine", flops_per_second);
#endif
  host->set_core_count(cores);
  root->seal();
  return host;
}

void start_actor(const std::string& name, s4u::Host* host, const std::function<void()>& body) {
#if SIMGRID_VERSION >= 40100
  host->add_actor(name, body);
#else
  s4u::Actor::create(name, host, body);
#endif
}

// SimGrid installs handlers of its own for these when its engine starts; they would print and exit.
class SignalKeeper {
 public:
  SignalKeeper() {
    for (std::size_t i = 0; i < signals_.size(); ++i) {
      sigaction(signals_[i], nullptr, &saved_[i]);
    }
  }
  void restore() const {
    for (std::size_t i = 0; i < signals_.size(); ++i) {
      sigaction(signals_[i], &saved_[i], nullptr);
    }
  }

 private:
  static constexpr std::array<int, 3> signals_ = {SIGINT, SIGSEGV, SIGBUS};
  std::array<struct sigaction, 3> saved_{};
};

std::unique_ptr<s4u::Engine> start_simgrid(std::int64_t stack_kib) {
  const SignalKeeper signals;
  // Never the program's own arguments: SimGrid would answer --help itself.
  static std::vector<std::string> words = {
      "seekahead",
      "--log=root.thresh:error",
      "--log=root.fmt:simgrid:%e%m%n",
      "--cfg=contexts/stack-size:" + std::to_string(stack_kib),
#ifdef SEEKAHEAD_THREAD_CONTEXTS  // AddressSanitizer cannot follow exceptions on switched stacks
      "--cfg=contexts/factory:thread",
#endif
  };
  static std::vector<char*> argv;
  for (std::string& word : words) {
    argv.push_back(word.data());
  }
  int argc = static_cast<int>(argv.size());
  argv.push_back(nullptr);
  auto engine = std::make_unique<s4u::Engine>(&argc, argv.data());
  signals.restore();
  return engine;
}

TimeNs to_ns(double seconds) { return std::llround(seconds * 1e9); }

}  // namespace

class Engine::Impl : public EventHandler {
 public:
  Impl(std::int64_t cores, std::int64_t stack_kib) : simgrid_(start_simgrid(stack_kib)) {
    host_ = make_host(*simgrid_, static_cast<int>(cores));
    auto model = std::make_shared<AgendaModel>(*this);
    simgrid_->add_model(model);
  }

  // The agenda as a SimGrid model: SimGrid asks how long until our next event and tells us when time has
  // passed.
  class AgendaModel : public simgrid::kernel::resource::Model {
   public:
    explicit AgendaModel(Impl& impl) : Model("seekahead agenda"), impl_(impl) {}

    double next_occurring_event(double now) override {
      if (impl_.nothing_can_happen()) {
        return 0.0;  // one more step, in which the deadlock is recorded and everybody is ended
      }
      const TimeNs next = impl_.agenda_.next_ns();
      return next == never_ns ? -1.0 : std::max(0.0, static_cast<double>(next) * 1e-9 - now);
    }

    void update_actions_state(double now, double) override { impl_.step(to_ns(now)); }

   private:
    Impl& impl_;
  };

  // After a failure SimGrid's clock goes on to the next timer before the run ends.
  TimeNs now_ns() const {
    return failed_ ? failed_ns_ : std::max(to_ns(s4u::Engine::get_clock()), agenda_.now_ns());
  }

  // Processes are left, none computes, and nothing is entered but timers of services that have nothing to do.
  bool nothing_can_happen() const {
    if (failed_ || computing_ > 0 || starting_ > 0 || live_ == 0) {
      return false;
    }
    const auto service_timers = static_cast<std::size_t>(
        std::count_if(sleepers_.begin(), sleepers_.end(), [](const auto& s) { return s.second->service_; }));
    return agenda_.size() == service_timers && (service_timers == 0 || !services_idle_ || services_idle_());
  }

  void step(TimeNs now) {
    look_at_flag();
    if (nothing_can_happen()) {
      fail(std::make_exception_ptr(DeadlockError(describe_deadlock())));
    }
    agenda_.run_until(now);
  }

  Process& spawn(std::string name, TimeNs start_ns, std::function<void()> body, bool service) {
    Process* self = current_;
    processes_.push_back(std::make_unique<Process>(std::move(name), service));
    Process& process = *processes_.back();
    ++live_;
    ordinary_ += service ? 0 : 1;
    ++starting_;
    start_actor(process.name_, host_, [this, &process, start_ns, body = std::move(body)] {
      --starting_;
      run_process(process, start_ns, body);
    });
    current_ = self;
    return process;
  }

  // SimGrid ends a process by an exception of its own, which must pass. Anything else is carried out of the
  // run.
  void run_process(Process& process, TimeNs start_ns, const std::function<void()>& body) {
    std::exception_ptr problem;
    try {
      current_ = &process;
      if (start_ns > 0) {
        sleep(start_ns);
      }
      if (!stopped_ || process.service_) {
        body();
      }
    } catch (const simgrid::ForcefulKillException&) {
      throw;
    } catch (const ProcessStopped&) {  // ends like any other
    } catch (...) {
      problem = std::current_exception();
    }
    if (problem) {  // outside the handler: exceptions belong to the thread, and killing switches stacks
      fail(problem);
      return;
    }
    ended(process);
  }

  void ended(Process& process) {
    process.ended_ = true;
    --live_;
    if (!process.service_ && --ordinary_ == 0) {
      end_sleeps(true);
      if (last_process_end_) {
        last_process_end_();
      }
    }
  }

  void fail(std::exception_ptr problem) {
    if (failed_) {
      return;
    }
    failed_ns_ = now_ns();
    failed_ = true;
    problem_ = std::move(problem);
    s4u::Actor::kill_all();
  }

  void block(const WaitReason& reason) {
    Process& self = *current_;
    self.reason_ = reason;
    self.blocked_ = true;
    self.wakeups_->acquire();
    self.blocked_ = false;
    current_ = &self;
  }

  void sleep(TimeNs span_ns) {
    throw_if_stopped();
    const std::uint64_t number = next_sleep_++;
    sleepers_.emplace(number, current_);
    agenda_.at(now_ns() + span_ns, *this, number);
    block({"its own timer", "", 0, false});
    throw_if_stopped();
  }

  // The timer of one sleep. A sleep that was ended early is no longer in the table.
  void on_event(TimeNs, std::uint64_t number) override {
    const auto sleeper = sleepers_.find(number);
    if (sleeper != sleepers_.end()) {
      wake(*sleeper->second);
      sleepers_.erase(sleeper);
    }
  }

  // Ends the sleep of every service, or of every ordinary process, at once.
  void end_sleeps(bool of_services) {
    std::erase_if(sleepers_, [&](const auto& sleeper) {
      const bool ends = sleeper.second->service_ == of_services;
      if (ends) {
        wake(*sleeper.second);
      }
      return ends;
    });
  }

  void compute(TimeNs cpu_ns) {
    Process& self = *current_;
    // Pieces, so that a run that is stopped does not wait for the end of a long computation.
    constexpr TimeNs piece_ns = 100 * ns_per_ms;
    while (cpu_ns > 0) {
      throw_if_stopped();
      const TimeNs part = std::min(cpu_ns, piece_ns);
      ++computing_;
      s4u::this_actor::execute(static_cast<double>(part));
      --computing_;
      current_ = &self;
      cpu_ns -= part;
    }
  }

  void throw_if_stopped() const {
    if (stopped_ && !current_->service_) {
      throw ProcessStopped();
    }
  }

  // Called by a process, this lets others run before it returns.
  void wake(Process& process) {
    Process* self = current_;
    process.wakeups_->release();
    current_ = self;
  }

  void look_at_flag() {
    if (stop_flag_ != nullptr && stop_flag_->load(std::memory_order_relaxed)) {
      stop();
    }
  }

  void stop() {
    if (stopped_) {
      return;
    }
    stopped_ = true;
    end_sleeps(false);
    if (on_stop_) {
      on_stop_();
    }
  }

  std::string describe_deadlock() const {
    std::string text = "deadlock: nothing is left to happen, but";
    for (const auto& process : processes_) {
      if (!process->ended_) {
        text += "\n  " + process->name_ + " waits for " + std::string(process->reason_.what);
        if (process->reason_.has_number) {
          text += " " + std::to_string(process->reason_.number);
        }
        if (!process->reason_.object.empty()) {
          text += " of " + std::string(process->reason_.object);
        }
      }
    }
    return text;
  }

  std::unique_ptr<s4u::Engine> simgrid_;
  s4u::Host* host_ = nullptr;
  Agenda agenda_;
  std::vector<std::unique_ptr<Process>> processes_;
  std::map<std::uint64_t, Process*> sleepers_;  // by number of the sleep
  std::uint64_t next_sleep_ = 0;
  Process* current_ = nullptr;
  int live_ = 0;
  int ordinary_ = 0;
  int starting_ = 0;
  int computing_ = 0;
  bool failed_ = false;
  TimeNs failed_ns_ = 0;
  bool stopped_ = false;
  std::exception_ptr problem_;
  std::function<void()> last_process_end_;
  std::function<void()> on_stop_;
  const std::atomic<bool>* stop_flag_ = nullptr;
  std::function<bool()> services_idle_;
};

Engine::Engine(std::int64_t cores, std::int64_t stack_kib)
    : impl_(std::make_unique<Impl>(cores, stack_kib)) {}
Engine::~Engine() = default;

Agenda& Engine::agenda() { return impl_->agenda_; }
TimeNs Engine::now_ns() const { return impl_->now_ns(); }
Process& Engine::spawn(std::string name, TimeNs start_ns, std::function<void()> body, bool service) {
  return impl_->spawn(std::move(name), start_ns, std::move(body), service);
}

void Engine::run() {
  impl_->simgrid_->run();
  if (impl_->problem_) {
    std::rethrow_exception(impl_->problem_);
  }
}

Process& Engine::current() const { return *impl_->current_; }
std::string_view Engine::name_of(const Process& process) const { return process.name_; }
void Engine::block(const WaitReason& reason) { impl_->block(reason); }
void Engine::sleep(TimeNs span_ns) { impl_->sleep(span_ns); }
void Engine::compute(TimeNs cpu_ns) { impl_->compute(cpu_ns); }
void Engine::wake(Process& process) { impl_->wake(process); }
void Engine::stop() { impl_->stop(); }
bool Engine::stopped() {
  impl_->look_at_flag();
  return impl_->stopped_;
}
void Engine::on_last_process_end(std::function<void()> callback) {
  impl_->last_process_end_ = std::move(callback);
}
bool Engine::stopping() const { return impl_->ordinary_ == 0; }
void Engine::services_idle_if(std::function<bool()> idle) { impl_->services_idle_ = std::move(idle); }
void Engine::stop_when(const std::atomic<bool>& flag) { impl_->stop_flag_ = &flag; }
void Engine::on_stop(std::function<void()> callback) { impl_->on_stop_ = std::move(callback); }

bool caught_end_of_process() {
  try {
    throw;
  } catch (const simgrid::ForcefulKillException&) {
    return true;
  } catch (const ProcessStopped&) {
    return true;
  } catch (...) {
    return false;
  }
}

}  // namespace seekahead
