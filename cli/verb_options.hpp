// The command line of one verb, parsed with Boost.Program_options: no guessing of abbreviations, every number checked,
// unknown options answered with the nearest known one.
#pragma once

#include <boost/program_options.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/commands.hpp"

namespace seekahead::cli {

class VerbOptions {
 public:
  // `usage` is what follows "seekahead ", e.g. "run SCENARIO [OPTION]...".
  VerbOptions(std::string usage, std::string help);

  boost::program_options::options_description_easy_init add() { return description_.add_options(); }

  // Returns an exit status if the command is over: 0 after --help, 2 after an error (already printed).
  // `fewest` and `most` bound the positional arguments.
  std::optional<int> parse(const Arguments& arguments, std::size_t fewest, std::size_t most);

  bool has(const char* name) const { return values_.count(name) > 0; }
  std::string text(const char* name) const { return values_[name].as<std::string>(); }
  std::vector<std::string> texts(const char* name) const;
  const std::vector<std::string>& positional() const { return positional_; }

  // A whole number option within [low, high]; `otherwise` when it was not given. Reports and sets failed().
  std::int64_t whole_number(const char* name, std::int64_t otherwise, std::int64_t low, std::int64_t high);
  bool failed() const { return failed_; }

  // "seekahead run: MESSAGE" on stderr; returns 2.
  int usage_error(const std::string& message) const;

 private:
  std::string usage_;
  std::string help_;
  boost::program_options::options_description description_;
  boost::program_options::variables_map values_;
  std::vector<std::string> positional_;
  bool failed_ = false;
};

}  // namespace seekahead::cli
