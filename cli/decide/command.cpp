// seekahead decide: a readahead policy alone, on a page cache without time.
#include <algorithm>
#include <boost/program_options.hpp>
#include <cstdio>
#include <sstream>
#include <string>

#include "cli/commands.hpp"
#include "cli/decide/answer.hpp"
#include "cli/decide/case_reader.hpp"
#include "cli/decide/line_reader.hpp"
#include "models/builtin.hpp"

namespace seekahead::cli {

namespace {

namespace po = boost::program_options;

struct Options {
  bool help = false;
  std::string cases;
  Overrides overrides;
};

constexpr const char* usage =
    "usage: seekahead decide [--policy P] [--kernel K] [--set KEY=VALUE]... CASES.jsonl[.gz]|-\n"
    "\n"
    "Runs every case (one JSON object a line) on a toy page cache and prints one JSON line for it.\n"
    "\n";

bool split_set(const std::string& text, Overrides& overrides, const std::vector<std::string>& known,
               std::string& problem) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0) {
    problem = "--set " + text + ": expected KEY=VALUE";
    return false;
  }
  const std::string key = text.substr(0, equals);
  if (std::find(known.begin(), known.end(), key) == known.end()) {
    problem = "--set " + text + ": unknown key \"" + key + "\"";
    return false;
  }
  overrides.values[key] = text.substr(equals + 1);
  return true;
}

// Fills `options`, or returns what is wrong.
std::string parse(const Arguments& arguments, const po::options_description& description,
                  const Registry& registry, Options& options) {
  po::options_description all;
  all.add(description).add_options()("cases", po::value<std::vector<std::string>>());
  po::positional_options_description positional;
  positional.add("cases", -1);
  po::variables_map values;
  try {
    namespace style = po::command_line_style;
    po::store(po::command_line_parser(arguments)
                  .options(all)
                  .positional(positional)
                  .style(style::default_style & ~style::allow_guessing)
                  .run(),
              values);
  } catch (const po::error& error) {
    return error.what();
  }
  options.help = values.count("help") != 0;
  if (options.help) {
    return "";
  }
  std::string problem;
  const std::vector<std::string> known = input_keys(registry);
  if (values.count("set") != 0) {
    for (const std::string& text : values["set"].as<std::vector<std::string>>()) {
      if (!split_set(text, options.overrides, known, problem)) {
        return problem;
      }
    }
  }
  for (const char* key : {"policy", "kernel"}) {
    if (values.count(key) != 0) {
      options.overrides.values[key] = values[key].as<std::string>();
    }
  }
  if (values.count("cases") == 0 || values["cases"].as<std::vector<std::string>>().size() != 1) {
    return "expected one file of cases, or - for standard input";
  }
  options.cases = values["cases"].as<std::vector<std::string>>().front();
  return "";
}

// Answers one line; returns how many problems it had, each told on stderr.
std::size_t answer(const Registry& registry, const Options& options, const std::string& line,
                   const std::string& place) {
  std::vector<CaseProblem> problems;
  const std::optional<Case> the_case = read_case(registry, options.overrides, line, problems);
  if (the_case) {
    try {
      std::puts(answer_line(*the_case).c_str());
    } catch (const std::exception& error) {
      problems.push_back({0, "case \"" + the_case->name + "\": " + error.what()});
    }
  }
  for (const CaseProblem& problem : problems) {
    const std::string column = problem.column == 0 ? "" : ":" + std::to_string(problem.column);
    std::fprintf(stderr, "%s%s: error: %s\n", place.c_str(), column.c_str(), problem.message.c_str());
  }
  return problems.size();
}

}  // namespace

int run_decide(const Arguments& arguments) {
  Registry registry;
  register_builtin_models(registry);
  po::options_description description("options");
  description.add_options()("help,h", "print this")  //
      ("policy", po::value<std::string>()->value_name("P"), "policy of every case")(
          "kernel", po::value<std::string>()->value_name("K"), "kernel of every case")(
          "set", po::value<std::vector<std::string>>()->composing()->value_name("KEY=VALUE"),
          "replace a top-level input of every case");
  Options options;
  const std::string problem = parse(arguments, description, registry, options);
  if (options.help) {
    std::fputs(usage, stdout);
    std::printf("%s", (std::ostringstream() << description).str().c_str());
    return 0;
  }
  if (!problem.empty()) {
    std::fprintf(stderr, "seekahead decide: error: %s\n", problem.c_str());
    return 2;
  }
  std::size_t problems = 0;
  try {
    LineReader lines(options.cases);
    for (std::string line; lines.next(line);) {
      if (line.find_first_not_of(" \t\r") != std::string::npos) {
        problems +=
            answer(registry, options, line, options.cases + ":" + std::to_string(lines.line_number()));
      }
    }
  } catch (const LineReader::Error& error) {
    std::fprintf(stderr, "%s: error: %s\n", options.cases.c_str(), error.what());
    ++problems;
  }
  return problems == 0 ? 0 : 2;
}

}  // namespace seekahead::cli
