// seekahead decide: a readahead policy alone, on a page cache without time.
#include <algorithm>
#include <boost/program_options.hpp>
#include <cstdio>
#include <set>
#include <sstream>
#include <string>

#include "cli/commands.hpp"
#include "cli/decide/answer.hpp"
#include "cli/decide/case_reader.hpp"
#include "cli/decide/story.hpp"
#include "models/builtin.hpp"
#include "sim/scenario/diagnostics.hpp"
#include "sim/scenario/plugin.hpp"
#include "sim/text/line_reader.hpp"

namespace seekahead::cli {

namespace {

namespace po = boost::program_options;

constexpr std::size_t longest_line_bytes = std::size_t{256} << 20;

class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct Options {
  bool help = false;
  bool explain = false;
  std::string cases;
  std::vector<std::string> plugins;
  std::vector<std::string> sets;
  std::string policy;
  std::string kernel;
};

po::options_description described(Options& options) {
  using Texts = std::vector<std::string>;
  po::options_description description("options");
  description.add_options()("help,h", po::bool_switch(&options.help), "print this")(
      "explain", po::bool_switch(&options.explain), "tell what happened and why, instead of JSON")(
      "policy", po::value(&options.policy)->value_name("P"), "policy of every case")(
      "kernel", po::value(&options.kernel)->value_name("K"), "kernel version of every case")(
      "set", po::value<Texts>(&options.sets)->composing()->value_name("KEY=VALUE"),
      "replace a top-level input of every case, or a parameter of its policy")(
      "plugin", po::value<Texts>(&options.plugins)->composing()->value_name("FILE.so"),
      "add the models of a plug-in");
  return description;
}

void parse(const Arguments& arguments, const po::options_description& visible, Options& options) {
  std::vector<std::string> files;
  po::options_description all;
  all.add(visible).add_options()("cases", po::value(&files));
  po::positional_options_description positional;
  positional.add("cases", -1);
  try {
    namespace style = po::command_line_style;
    po::variables_map values;
    po::store(po::command_line_parser(arguments)
                  .options(all)
                  .positional(positional)
                  .style(style::default_style & ~style::allow_guessing)
                  .run(),
              values);
    po::notify(values);
  } catch (const po::error& error) {
    throw UsageError(error.what());
  }
  if (options.help) {
    return;
  }
  if (files.size() != 1) {
    throw UsageError("expected one file of cases, or - for standard input");
  }
  options.cases = files.front();
}

Overrides overrides_of(const Options& options, const Registry& registry) {
  Overrides overrides;
  const std::vector<std::string> known = input_keys(registry);
  for (const std::string& text : options.sets) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0) {
      throw UsageError("--set " + text + ": expected KEY=VALUE");
    }
    const std::string key = text.substr(0, equals);
    if (std::find(known.begin(), known.end(), key) == known.end()) {
      throw UsageError("--set " + text + ": unknown key " + in_quotes(key) + "; " +
                       suggestion(key, known, "keys"));
    }
    overrides.values[key] = text.substr(equals + 1);
  }
  if (!options.policy.empty()) {
    overrides.values["policy"] = options.policy;
  }
  if (!options.kernel.empty()) {
    overrides.values["kernel"] = options.kernel;
  }
  return overrides;
}

// Runs the cases of one file and tells what is wrong with them.
class Decider {
 public:
  Decider(const Registry& registry, const Options& options)
      : registry_(registry), options_(options), overrides_(overrides_of(options, registry)) {}

  // Returns the exit status.
  int run() {
    LineReader lines(options_.cases, longest_line_bytes);
    if (options_.explain) {
      print_legend(stdout);
    }
    for (std::string_view line; lines.next(line);) {
      if (line.find_first_not_of(" \t") != std::string_view::npos) {
        place_ = options_.cases + ":" + std::to_string(lines.line_number());
        decide(std::string(line));
      }
    }
    if (!lines.problem().empty()) {
      place_ = options_.cases + (lines.line_number() != 0 ? ":" + std::to_string(lines.line_number()) : "");
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
      if (options_.explain) {
        tell_story(*the_case, stdout);
      } else {
        std::puts(answer_line(*the_case).c_str());
      }
    } catch (const std::exception& error) {
      complain({0, "case " + in_quotes(the_case->name) + ": " + error.what()});
    } catch (...) {  // a plug-in may throw anything
      const std::string& plugin = the_case->model->plugin;
      complain({0, "case " + in_quotes(the_case->name) + ": " +
                       (plugin.empty() ? "" : "plug-in " + plugin + ": ") + "policy " +
                       in_quotes(the_case->policy) + " threw something that is no std::exception"});
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
  const Options& options_;
  const Overrides overrides_;
  std::string place_;  // file:line
  std::set<std::string> warned_;
  std::size_t problems_ = 0;
};

}  // namespace

int run_decide(const Arguments& arguments) {
  Options options;
  const po::options_description description = described(options);
  try {
    parse(arguments, description, options);
    if (options.help) {
      std::ostringstream text;
      text << description;
      std::printf(
          "usage: seekahead decide [OPTION]... CASES.jsonl[.gz]|-\n\n"
          "Runs every case (one JSON object a line) on a toy page cache and prints one JSON line for "
          "it.\n\n%s",
          text.str().c_str());
      return 0;
    }
    Registry registry;
    register_builtin_models(registry);
    load_plugins(registry, options.plugins);
    return Decider(registry, options).run();
  } catch (const UsageError& error) {
    std::fprintf(stderr, "seekahead decide: error: %s\n", error.what());
  } catch (const PluginError& error) {
    std::fprintf(stderr, "seekahead decide: error: %s\n", error.what());
  }
  return 2;
}

}  // namespace seekahead::cli
