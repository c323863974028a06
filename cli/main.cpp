#include <cstdio>
#include <string>

#include "cli/commands.hpp"

int main(int argc, char** argv) {
  using namespace seekahead::cli;
  const std::string verb = argc > 1 ? argv[1] : "";
  for (const Command& command : commands()) {
    if (verb == command.name) {
      return command.run(Arguments(argv + 2, argv + argc));
    }
  }
  std::fprintf(stderr, "usage: seekahead COMMAND ...\n");
  for (const Command& command : commands()) {
    std::fprintf(stderr, "  %-10s %s\n", command.name, command.help);
  }
  return 2;
}
