// Options of one verb: declared, parsed, checked and explained (--help) in one place, so that all verbs
// behave alike. Abbreviations are not guessed, numbers are read with their range, mistakes name the nearest
// option.
//
//     OptionParser options("run", "[OPTION]... SCENARIO|-", "Runs a scenario and prints its report.");
//     options.flag("json", "print JSON");
//     options.list("set", "KEY=VALUE", "replace a value of the scenario");
//     options.positional(1, 1, "SCENARIO");
//     if (const std::optional<int> status = options.parse(arguments)) { return *status; }
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cli/commands.hpp"

namespace seekahead::cli {

class OptionParser {
 public:
  OptionParser(std::string verb, std::string usage, std::string purpose);

  void flag(const std::string& name, const std::string& help);
  void value(const std::string& name, const std::string& metavar, const std::string& help);
  void list(const std::string& name, const std::string& metavar, const std::string& help);  // may be repeated
  void number(const std::string& name, const std::string& metavar, std::int64_t low, std::int64_t high,
              const std::string& help);
  // Between `least` and `most` arguments that are no options; `name` is how messages call them.
  void positional(std::size_t least, std::size_t most, const std::string& name);
  // Lines printed at the end of --help.
  void example(const std::string& line) { examples_.push_back(line); }

  // A status to exit with: 0 after --help was printed, 2 after a mistake was reported. Nothing: go on.
  // A letter "j" in "jobs,j" makes -j work as well.
  std::optional<int> parse(const Arguments& arguments);

  bool has(const std::string& name) const { return values_.contains(name); }
  std::string text(const std::string& name) const;                // the last one given; REQUIRES: has(name)
  std::int64_t integer(const std::string& name) const;            // REQUIRES: has(name), a number()
  std::vector<std::string> texts(const std::string& name) const;  // empty: not given
  const std::vector<std::string>& arguments() const { return arguments_; }

  // Reports a mistake that only the verb can see; returns 2.
  int mistake(const std::string& message) const;

 private:
  enum class Kind { flag, value, list, number };
  struct Option {
    std::string declared;  // "jobs,j"
    std::string metavar;
    std::string help;
    Kind kind;
    std::int64_t low = 0;
    std::int64_t high = 0;
  };

  void add(const std::string& declared, Option option);
  std::string run_parser(const Arguments& arguments);
  std::string check_numbers();
  std::string unknown_option(const std::string& name) const;
  void print_help() const;

  std::string verb_;
  std::string usage_;
  std::string purpose_;
  std::vector<std::string> order_;
  std::map<std::string, Option> options_;
  std::size_t least_ = 0;
  std::size_t most_ = 0;
  std::string positional_name_;
  std::vector<std::string> examples_;
  std::map<std::string, std::vector<std::string>> values_;
  std::vector<std::string> arguments_;
};

}  // namespace seekahead::cli
