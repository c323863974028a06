// seekahead decide: a readahead policy alone, on a page cache without time.
#include <algorithm>
#include <cstdio>
#include <set>
#include <string>
#include <utility>

#include "cli/commands.hpp"
#include "cli/decide/answer.hpp"
#include "cli/decide/case_reader.hpp"
#include "cli/decide/story.hpp"
#include "cli/option_parser.hpp"
#include "cli/scenario_input.hpp"
#include "sim/scenario/diagnostics.hpp"
#include "sim/text/line_reader.hpp"

namespace seekahead::cli {

namespace {

constexpr std::size_t longest_line_bytes = std::size_t{256} << 20;

// What --policy, --kernel and --set replace; `problem` is filled when a --set makes no sense.
Overrides overrides_of(const OptionParser& options, const Registry& registry, std::string& problem) {
  Overrides overrides;
  const std::vector<std::string> known = input_keys(registry);
  for (const std::string& text : options.texts("set")) {
    const std::size_t equals = text.find('=');
    const std::string key = text.substr(0, equals);
    if (equals == std::string::npos || equals == 0) {
      problem += (problem.empty() ? "" : "; ") + ("--set " + text + ": expected KEY=VALUE");
    } else if (std::find(known.begin(), known.end(), key) == known.end()) {
      problem += (problem.empty() ? "" : "; ") + ("--set " + text + ": unknown key " + in_quotes(key) + ", " +
                                                  suggestion(key, known, "keys"));
    } else {
      overrides.values[key] = text.substr(equals + 1);
    }
  }
  for (const char* name : {"policy", "kernel"}) {
    if (options.has(name)) {
      overrides.values[name] = options.text(name);
    }
  }
  return overrides;
}

// Runs the cases of one file and tells what is wrong with them.
class Decider {
 public:
  Decider(const Registry& registry, Overrides overrides, bool explain)
      : registry_(registry), overrides_(std::move(overrides)), explain_(explain) {}

  // Returns the exit status.
  int run(const std::string& file) {
    LineReader lines(file, longest_line_bytes);
    if (explain_) {
      print_legend(stdout);
    }
    for (std::string_view line; lines.next(line);) {
      if (line.find_first_not_of(" \t") != std::string_view::npos) {
        place_ = file + ":" + std::to_string(lines.line_number());
        decide(std::string(line));
      }
    }
    if (!lines.problem().empty()) {
      place_ = file + (lines.line_number() != 0 ? ":" + std::to_string(lines.line_number()) : "");
      complain({0, lines.problem()});
    }
    return problems_ == 0 ? 0 : 2;
  }

 private:
  void decide(const std::string& line) {
    std::vector<CaseProblem> problems;
    const std::optional<Case> the_case = read_case(registry_, overrides_, line, problems);
    for (const CaseProblem& problem : problems) {
      complain(problem);
    }
    if (!the_case) {
      return;
    }
    warn_of_unread_keys(*the_case);
    try {
      if (explain_) {
        tell_story(*the_case, stdout);
      } else {
        std::puts(answer_line(*the_case).c_str());
      }
    } catch (const std::exception& error) {
      complain({0, "case " + in_quotes(the_case->name) + ": " + error.what()});
    }
  }

  void complain(const CaseProblem& problem) {
    ++problems_;
    std::fflush(stdout);  // so that the two streams stay in order on a terminal
    const std::string column = problem.column == 0 ? "" : ":" + std::to_string(problem.column);
    std::fprintf(stderr, "%s%s: error: %s\n", place_.c_str(), column.c_str(), problem.message.c_str());
  }

  void warn_of_unread_keys(const Case& the_case) {
    for (const std::string& key : the_case.unread_keys) {
      if (warned_.insert(key).second) {
        std::fprintf(stderr, "%s: warning: key %s is not read%s\n", place_.c_str(), in_quotes(key).c_str(),
                     nearest_hint(key).c_str());
      }
    }
  }

  std::string nearest_hint(const std::string& key) const {
    const std::string near = nearest(key, input_keys(registry_));
    return near.empty() ? "" : "; did you mean " + in_quotes(near) + "?";
  }

  const Registry& registry_;
  const Overrides overrides_;
  const bool explain_;
  std::string place_;  // file:line
  std::set<std::string> warned_;
  std::size_t problems_ = 0;
};

}  // namespace

int run_decide(const Arguments& arguments) {
  OptionParser options(
      "decide", "[OPTION]... CASES.jsonl[.gz]|-",
      "Runs every case (one JSON object a line) on a toy page cache and prints one JSON line for it:\n"
      "what was read, what was waited for, and the policy's variables after each operation.");
  options.flag("explain", "tell what happened and why, instead of JSON");
  options.value("policy", "P", "policy of every case");
  options.value("kernel", "K", "kernel version of every case");
  options.list("set", "KEY=VALUE", "replace a top-level input of every case, or a parameter of its policy");
  options.list("plugin", "FILE.so", "a shared library with more models");
  options.positional(1, 1, "CASES");
  options.example("seekahead decide --explain --set ra_pages=64 cases.jsonl.gz");
  if (const std::optional<int> status = options.parse(arguments)) {
    return *status;
  }
  Registry registry;
  if (!fill_registry(registry, options)) {
    return 2;
  }
  std::string problem;
  Overrides overrides = overrides_of(options, registry, problem);
  if (!problem.empty()) {
    return options.mistake(problem);
  }
  return Decider(registry, std::move(overrides), options.has("explain")).run(options.arguments().front());
}

}  // namespace seekahead::cli
