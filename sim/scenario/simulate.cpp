#include "sim/scenario/simulate.hpp"

#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <nlohmann/json.hpp>

#include "sim/scenario/machine.hpp"
#include "sim/scenario/results.hpp"

namespace seekahead {

namespace {

std::atomic<bool> stop_requested{false};
// Children that run now; a fixed array, since the signal handler walks over it.
constexpr std::size_t most_children = 1024;
std::array<std::atomic<pid_t>, most_children> running_children{};

void ask_to_stop(int) { stop_requested.store(true, std::memory_order_relaxed); }

// In the parent: the terminal's Ctrl-C goes on to the children, which stop their processes and still report.
void forward_to_children(int) {
  stop_requested.store(true, std::memory_order_relaxed);
  for (const auto& child : running_children) {
    if (const pid_t pid = child.load(std::memory_order_relaxed); pid > 0) {
      kill(pid, SIGINT);
    }
  }
}

class SignalHandler {
 public:
  SignalHandler(int signal, void (*handler)(int)) : signal_(signal) {
    struct sigaction action {};
    action.sa_handler = handler;
    sigaction(signal, &action, &old_);
  }
  ~SignalHandler() { sigaction(signal_, &old_, nullptr); }
  SignalHandler(const SignalHandler&) = delete;
  SignalHandler& operator=(const SignalHandler&) = delete;

 private:
  int signal_;
  struct sigaction old_ {};
};

void write_all(int fd, const std::string& text) {
  for (std::size_t at = 0; at < text.size();) {
    const ssize_t n = write(fd, text.data() + at, text.size() - at);
    if (n < 0 && errno != EINTR) {
      return;
    }
    at += n > 0 ? static_cast<std::size_t>(n) : 0;
  }
}

// Appends what can be read now; false at the end.
bool read_some(int fd, std::string& text) {
  char buffer[65536];
  const ssize_t n = read(fd, buffer, sizeof buffer);
  if (n > 0) {
    text.append(buffer, static_cast<std::size_t>(n));
  }
  return n > 0 || (n < 0 && errno == EINTR);
}

// The first byte of the child's message says what follows; a failure is its time in ns (nothing: unknown), a
// newline and the problem.
constexpr char good_result = 'r';
constexpr char failed_run = 'e';

std::string run_in_child(const Scenario& scenario, const std::vector<TraceRequest>& traces) {
  try {
    return good_result + run_here(scenario, {.traces = traces}).dump();
  } catch (const SimulationError& problem) {
    const std::string at = problem.simulated_ns ? std::to_string(*problem.simulated_ns) : "";
    return failed_run + at + "\n" + problem.what();
  } catch (const std::exception& problem) {
    return failed_run + std::string("\n") + problem.what();
  }
}

void read_failure(const std::string& message, Outcome& outcome) {
  const std::size_t line_end = message.find('\n');
  if (line_end > 1) {
    outcome.failed_ns = std::atoll(message.c_str() + 1);
  }
  outcome.error = message.substr(line_end + 1);
}

void run_to_end(Machine& machine) {
  try {
    machine.run(stop_requested);
  } catch (const std::exception& problem) {
    throw SimulationError(problem.what(), machine.now_ns(), std::current_exception());
  } catch (...) {  // a model may throw anything
    throw SimulationError("something was thrown that is no std::exception", machine.now_ns(),
                          std::current_exception());
  }
}

std::string wait_text(int status) {
  if (WIFSIGNALED(status)) {
    return std::string("the simulation crashed: ") + strsignal(WTERMSIG(status));
  }
  return "the simulation ended without a result (exit status " + std::to_string(WEXITSTATUS(status)) + ")";
}

// One simulation in a child process of its own.
class Child {
 public:
  explicit Child(std::size_t point) : point_(point) {}

  void start(const Scenario& scenario, const std::vector<TraceRequest>& traces) {
    int ends[2];
    if (pipe(ends) != 0) {
      throw SimulationError(std::string("cannot make a pipe: ") + std::strerror(errno));
    }
    std::fflush(nullptr);  // or the child would print what the parent holds back
    pid_ = fork();
    if (pid_ < 0) {
      throw SimulationError(std::string("cannot start a process: ") + std::strerror(errno));
    }
    if (pid_ == 0) {
      setpgid(0, 0);  // the parent alone hears the terminal
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      for (const int crash : {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL}) {
        signal(crash, SIG_DFL);  // the parent tells of it
      }
      close(ends[0]);
      write_all(ends[1], run_in_child(scenario, traces));
      _exit(0);  // no destructors: SimGrid's engine has no clean way out after an error
    }
    fd_ = ends[0];
    close(ends[1]);
    slot_ = static_cast<std::size_t>(std::find(running_children.begin(), running_children.end(), 0) -
                                     running_children.begin());
    running_children[slot_] = pid_;
    if (stop_requested) {
      kill(pid_, SIGINT);  // it came between the handler and the fork
    }
  }

  // False when the child has said everything.
  bool listen() { return read_some(fd_, message_); }

  Outcome finish() {
    close(fd_);
    int status = 0;
    while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
    }
    running_children[slot_] = 0;
    Outcome outcome;
    if (message_.empty()) {
      outcome.error = wait_text(status);
    } else if (message_[0] == failed_run) {
      read_failure(message_, outcome);
    } else {
      outcome.result = nlohmann::ordered_json::parse(message_.substr(1), nullptr, false);
      if (outcome.result.is_discarded()) {
        outcome.error = "the simulation's result was cut short; " + wait_text(status);
      }
    }
    return outcome;
  }

  int fd() const { return fd_; }
  std::size_t point() const { return point_; }

 private:
  std::size_t point_;
  pid_t pid_ = 0;
  int fd_ = -1;
  std::size_t slot_ = 0;
  std::string message_;
};

}  // namespace

void simulate_all(std::size_t count, std::size_t jobs,
                  const std::function<Scenario(std::size_t)>& scenario_of,
                  const std::function<void(std::size_t, Outcome)>& done) {
  stop_requested = false;
  const SignalHandler on_interrupt(SIGINT, forward_to_children);
  std::vector<std::unique_ptr<Child>> children;
  std::size_t next = 0;
  const std::size_t at_once = std::clamp<std::size_t>(jobs, 1, most_children);
  while (next < count || !children.empty()) {
    while (next < count && children.size() < at_once && !stop_requested) {
      children.push_back(std::make_unique<Child>(next));
      children.back()->start(scenario_of(next), {});
      ++next;
    }
    if (children.empty()) {
      break;  // interrupted before the rest was started
    }
    std::vector<pollfd> waiting;
    for (const auto& child : children) {
      waiting.push_back({child->fd(), POLLIN, 0});
    }
    poll(waiting.data(), waiting.size(), -1);
    for (std::size_t i = waiting.size(); i-- > 0;) {
      if (waiting[i].revents != 0 && !children[i]->listen()) {
        done(children[i]->point(), children[i]->finish());
        children.erase(children.begin() + static_cast<std::ptrdiff_t>(i));
      }
    }
  }
}

bool interrupted() { return stop_requested; }

nlohmann::ordered_json run_here(const Scenario& scenario, const RunOptions& options) {
  const SignalHandler on_interrupt(SIGINT, ask_to_stop);
  ProbeSet probes(options.traces);
  if (options.recorder != nullptr) {
    probes.add(*options.recorder);
  }
  // Never deleted: after an error SimGrid's engine cannot be taken down while processes wait, and the process
  // ends anyway.
  Machine& machine = *new Machine(scenario, probes.probe(), options.stack_kib);
  if (options.recorder != nullptr) {
    options.recorder->watch(machine.memory());
  }
  run_to_end(machine);
  nlohmann::ordered_json result = results_of(machine);
  if (stop_requested) {
    result["interrupted"] = true;
  }
  if (options.recorder != nullptr) {
    options.recorder->record_cache();
  }
  probes.finish();
  return result;
}

nlohmann::ordered_json simulate(const Scenario& scenario, const std::vector<TraceRequest>& traces) {
  stop_requested = false;
  const SignalHandler on_interrupt(SIGINT, forward_to_children);
  Child child(0);
  child.start(scenario, traces);
  while (child.listen()) {
  }
  Outcome outcome = child.finish();
  if (!outcome.error.empty()) {
    throw SimulationError(outcome.error, outcome.failed_ns);
  }
  return std::move(outcome.result);
}

}  // namespace seekahead
