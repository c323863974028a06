#include <algorithm>
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include "cli/commands.hpp"
#include "sim/scenario/diagnostics.hpp"

namespace {

using seekahead::cli::Command;

struct Group {
  const char* title;
  std::vector<std::string> verbs;
};

const std::vector<Group>& groups() {
  static const std::vector<Group> all = {
      {"Scenarios", {"run", "sweep", "verify", "check"}},
      {"A part alone", {"decide", "replay", "calibrate"}},
      {"What there is", {"models", "drives", "version"}},
  };
  return all;
}

void print_help(std::FILE* out) {
  std::fputs(
      "usage: seekahead COMMAND [ARGUMENT]...\n\n"
      "Simulates storage I/O: disks, block layer, page cache and readahead of Linux, driven by scenario "
      "files.\n",
      out);
  std::vector<const Command*> left;
  for (const Command& command : seekahead::cli::commands()) {
    left.push_back(&command);
  }
  const auto print = [&](const Command& command) {
    std::fprintf(out, "  %-10s %s\n", command.name, command.help);
  };
  for (const Group& group : groups()) {
    std::fprintf(out, "\n%s\n", group.title);
    for (const std::string& verb : group.verbs) {
      const auto found =
          std::find_if(left.begin(), left.end(), [&](const Command* c) { return verb == c->name; });
      if (found != left.end()) {
        print(**found);
        left.erase(found);
      }
    }
  }
  if (!left.empty()) {
    std::fputs("\nMore\n", out);
  }
  for (const Command* command : left) {
    print(*command);
  }
  std::fputs(
      "\nexamples:\n"
      "  seekahead run scenarios/larsson-2001/diff.toml\n"
      "  seekahead run diff.toml --set readahead.max_readahead=511 --json\n"
      "  seekahead models readahead linux-2.4\n"
      "\n`seekahead COMMAND --help` tells more. Results go to stdout, everything else to stderr.\n"
      "exit status: 0 good, 1 a run or an expectation failed, 2 bad usage or input, 130 interrupted\n",
      out);
}

int run(int argc, char** argv) {
  const std::string verb = argc > 1 ? argv[1] : "";
  if (verb == "--help" || verb == "-h" || verb == "help") {
    print_help(stdout);
    return 0;
  }
  const std::string wanted = verb == "--version" ? "version" : verb;
  std::vector<std::string> names;
  for (const Command& command : seekahead::cli::commands()) {
    if (wanted == command.name) {
      return command.run(seekahead::cli::Arguments(argv + 2, argv + argc));
    }
    names.emplace_back(command.name);
  }
  if (verb.empty()) {
    print_help(stderr);
    return 2;
  }
  std::fprintf(stderr, "seekahead: error: unknown command %s; %s\n", seekahead::in_quotes(verb).c_str(),
               seekahead::suggestion(verb, names, "commands").c_str());
  return 2;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const int status = run(argc, argv);
    if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
      std::fputs("seekahead: error: the result could not be written to standard output\n", stderr);
      return status == 0 ? 1 : status;
    }
    return status;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "seekahead: error: %s\n", error.what());
    return 1;
  }
}
