#include "cli/verb_options.hpp"

#include <charconv>
#include <cstdio>
#include <sstream>

#include "sim/scenario/diagnostics.hpp"

namespace seekahead::cli {

namespace po = boost::program_options;

VerbOptions::VerbOptions(std::string usage, std::string help)
    : usage_(std::move(usage)), help_(std::move(help)), description_("options") {
  description_.add_options()("help,h", "this text");
}

std::optional<int> VerbOptions::parse(const Arguments& arguments, std::size_t fewest, std::size_t most) {
  po::options_description all;
  all.add(description_).add_options()("positional", po::value<std::vector<std::string>>());
  po::positional_options_description positional;
  positional.add("positional", -1);
  try {
    namespace style = po::command_line_style;
    po::store(po::command_line_parser(arguments)
                  .options(all)
                  .positional(positional)
                  .style(style::default_style & ~style::allow_guessing)
                  .run(),
              values_);
  } catch (const po::unknown_option& problem) {
    std::vector<std::string> known;
    for (const auto& option : description_.options()) {
      known.push_back("--" + option->long_name());
    }
    return usage_error("unknown option " + in_quotes(problem.get_option_name()) + "; " +
                       suggestion(problem.get_option_name(), known, "options"));
  } catch (const po::error& problem) {
    return usage_error(problem.what());
  }
  if (has("help")) {
    std::ostringstream text;
    text << "usage: seekahead " << usage_ << "\n\n" << help_ << "\n\n" << description_;
    std::fputs(text.str().c_str(), stdout);
    return 0;
  }
  positional_ = texts("positional");
  if (positional_.size() < fewest || positional_.size() > most) {
    return usage_error(positional_.size() < fewest ? "an argument is missing"
                                                   : "unexpected argument " + in_quotes(positional_[most]));
  }
  return std::nullopt;
}

std::vector<std::string> VerbOptions::texts(const char* name) const {
  return has(name) ? values_[name].as<std::vector<std::string>>() : std::vector<std::string>{};
}

std::int64_t VerbOptions::whole_number(const char* name, std::int64_t otherwise, std::int64_t low, std::int64_t high) {
  if (!has(name)) {
    return otherwise;
  }
  const std::string word = text(name);
  std::int64_t value = 0;
  const auto [end, problem] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (problem != std::errc() || end != word.data() + word.size() || value < low || value > high) {
    usage_error("--" + std::string(name) + " takes a whole number from " + std::to_string(low) + " to " +
                std::to_string(high) + ", not " + in_quotes(word));
    failed_ = true;
    return otherwise;
  }
  return value;
}

int VerbOptions::usage_error(const std::string& message) const {
  const std::string verb = usage_.substr(0, usage_.find(' '));
  std::fprintf(stderr, "seekahead %s: %s\nusage: seekahead %s\n", verb.c_str(), message.c_str(), usage_.c_str());
  return 2;
}

}  // namespace seekahead::cli
