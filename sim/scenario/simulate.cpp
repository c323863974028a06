#include "sim/scenario/simulate.hpp"

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <nlohmann/json.hpp>

#include "sim/scenario/machine.hpp"
#include "sim/scenario/results.hpp"

namespace seekahead {

namespace {

std::atomic<bool> stop_requested{false};
std::atomic<pid_t> running_child{0};

void ask_to_stop(int) { stop_requested.store(true, std::memory_order_relaxed); }

// In the parent: the terminal's Ctrl-C goes on to the child, which stops its processes and still reports.
void forward_to_child(int) {
  stop_requested.store(true, std::memory_order_relaxed);
  if (const pid_t child = running_child.load(); child > 0) {
    kill(child, SIGINT);
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

std::string read_all(int fd) {
  std::string text;
  char buffer[65536];
  while (true) {
    const ssize_t n = read(fd, buffer, sizeof buffer);
    if (n == 0) {
      return text;
    }
    if (n > 0) {
      text.append(buffer, static_cast<std::size_t>(n));
    } else if (errno != EINTR) {
      return text;
    }
  }
}

// The first byte of the child's message says what follows.
constexpr char good_result = 'r';
constexpr char failed_run = 'e';

std::string run_in_child(const Scenario& scenario, const std::vector<TraceRequest>& traces) {
  try {
    ProbeSet probes(traces);
    Machine machine(scenario, probes.probe());
    machine.run(stop_requested);
    nlohmann::ordered_json result = results_of(machine);
    if (stop_requested) {
      result["interrupted"] = true;
    }
    probes.finish();
    return good_result + result.dump();
  } catch (const std::exception& problem) {
    return failed_run + std::string(problem.what());
  }
}

std::string wait_text(int status) {
  if (WIFSIGNALED(status)) {
    return std::string("the simulation crashed: ") + strsignal(WTERMSIG(status));
  }
  return "the simulation ended without a result (exit status " + std::to_string(WEXITSTATUS(status)) + ")";
}

}  // namespace

nlohmann::ordered_json simulate(const Scenario& scenario, const std::vector<TraceRequest>& traces) {
  int pipe_ends[2];
  if (pipe(pipe_ends) != 0) {
    throw SimulationError(std::string("cannot make a pipe: ") + std::strerror(errno));
  }
  stop_requested = false;
  const SignalHandler on_interrupt(SIGINT, forward_to_child);
  const pid_t child = fork();
  if (child < 0) {
    throw SimulationError(std::string("cannot start a process: ") + std::strerror(errno));
  }
  if (child == 0) {
    setpgid(0, 0);  // the parent alone hears the terminal
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    close(pipe_ends[0]);
    const SignalHandler in_child(SIGINT, ask_to_stop);
    write_all(pipe_ends[1], run_in_child(scenario, traces));
    _exit(0);  // no destructors: SimGrid's engine has no clean way out after an error
  }
  running_child = child;
  if (stop_requested) {
    kill(child, SIGINT);  // it came between the handler and the fork
  }
  close(pipe_ends[1]);
  const std::string message = read_all(pipe_ends[0]);
  close(pipe_ends[0]);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  running_child = 0;
  if (message.empty()) {
    throw SimulationError(wait_text(status));
  }
  if (message[0] == failed_run) {
    throw SimulationError(message.substr(1));
  }
  nlohmann::ordered_json result = nlohmann::ordered_json::parse(message.substr(1), nullptr, false);
  if (result.is_discarded()) {
    throw SimulationError("the simulation's result was cut short; " + wait_text(status));
  }
  return result;
}

}  // namespace seekahead
