#include "cli/option_parser.hpp"

#include <boost/program_options.hpp>
#include <cstdio>
#include <utility>

#include "sim/scenario/diagnostics.hpp"
#include "sim/scenario/quantities.hpp"

namespace seekahead::cli {

namespace {

namespace po = boost::program_options;

std::string long_name(const std::string& declared) { return declared.substr(0, declared.find(',')); }

constexpr const char* positional_key = "(arguments)";

}  // namespace

OptionParser::OptionParser(std::string verb, std::string usage, std::string purpose)
    : verb_(std::move(verb)), usage_(std::move(usage)), purpose_(std::move(purpose)) {
  flag("help,h", "print this");
}

void OptionParser::add(const std::string& declared, Option option) {
  option.declared = declared;
  order_.push_back(long_name(declared));
  options_[order_.back()] = std::move(option);
}

void OptionParser::flag(const std::string& name, const std::string& help) {
  add(name, {"", "", help, Kind::flag});
}

void OptionParser::value(const std::string& name, const std::string& metavar, const std::string& help) {
  add(name, {"", metavar, help, Kind::value});
}

void OptionParser::list(const std::string& name, const std::string& metavar, const std::string& help) {
  add(name, {"", metavar, help + " (may be repeated)", Kind::list});
}

void OptionParser::number(const std::string& name, const std::string& metavar, std::int64_t low,
                          std::int64_t high, const std::string& help) {
  add(name, {"", metavar, help, Kind::number, low, high});
}

void OptionParser::positional(std::size_t least, std::size_t most, const std::string& name) {
  least_ = least;
  most_ = most;
  positional_name_ = name;
}

std::optional<int> OptionParser::parse(const Arguments& arguments) {
  std::string problem = run_parser(arguments);
  if (problem.empty() && has("help")) {
    print_help();
    return 0;
  }
  if (problem.empty()) {
    problem = check_numbers();
  }
  if (problem.empty() && arguments_.size() < least_) {
    problem = "expected " + positional_name_;
  }
  if (problem.empty() && arguments_.size() > most_) {
    problem = "unexpected argument " + in_quotes(arguments_[most_]);
  }
  return problem.empty() ? std::nullopt : std::optional<int>(mistake(problem));
}

std::string OptionParser::run_parser(const Arguments& arguments) {
  po::options_description description;
  for (const auto& [name, option] : options_) {
    if (option.kind == Kind::flag) {
      description.add_options()(option.declared.c_str(), "");
    } else {
      description.add_options()(option.declared.c_str(), po::value<std::vector<std::string>>()->composing(),
                                "");
    }
  }
  description.add_options()(positional_key, po::value<std::vector<std::string>>(), "");
  po::positional_options_description positional;
  positional.add(positional_key, -1);
  namespace style = po::command_line_style;
  try {
    const po::parsed_options parsed = po::command_line_parser(arguments)
                                          .options(description)
                                          .positional(positional)
                                          .style(style::default_style & ~style::allow_guessing)
                                          .run();
    for (const po::option& option : parsed.options) {
      std::vector<std::string>& target = option.position_key >= 0 ? arguments_ : values_[option.string_key];
      target.insert(target.end(), option.value.begin(), option.value.end());
    }
  } catch (const po::unknown_option& error) {
    return unknown_option(error.get_option_name());
  } catch (const po::error& error) {
    return error.what();
  }
  for (const auto& [name, values] : values_) {
    const auto option = options_.find(name);
    if (option == options_.end()) {
      return "unknown option --" + name;
    }
    const bool once = option->second.kind == Kind::value || option->second.kind == Kind::number;
    if (once && values.size() > 1) {
      return "option --" + name + " is given " + std::to_string(values.size()) + " times";
    }
  }
  return "";
}

std::string OptionParser::check_numbers() {
  for (const auto& [name, values] : values_) {
    const Option& option = options_.at(name);
    if (option.kind != Kind::number) {
      continue;
    }
    const std::optional<std::int64_t> value = parse_integer(values.front());
    if (!value || *value < option.low || *value > option.high) {
      return "--" + name + " must be a whole number from " + std::to_string(option.low) + " to " +
             std::to_string(option.high) + ", not " + in_quotes(values.front());
    }
  }
  return "";
}

std::string OptionParser::unknown_option(const std::string& name) const {
  std::string plain = name;
  plain.erase(0, plain.find_first_not_of('-'));
  const std::string best = nearest(plain, order_);
  return "unknown option " + in_quotes(name) + (best.empty() ? "" : "; did you mean --" + best + "?");
}

std::string OptionParser::text(const std::string& name) const { return values_.at(name).back(); }

std::int64_t OptionParser::integer(const std::string& name) const {
  return parse_integer(text(name)).value();
}

std::vector<std::string> OptionParser::texts(const std::string& name) const {
  const auto found = values_.find(name);
  return found == values_.end() ? std::vector<std::string>() : found->second;
}

int OptionParser::mistake(const std::string& message) const {
  std::fprintf(stderr, "seekahead %s: error: %s\nusage: seekahead %s %s\n", verb_.c_str(), message.c_str(),
               verb_.c_str(), usage_.c_str());
  return 2;
}

void OptionParser::print_help() const {
  std::printf("usage: seekahead %s %s\n\n%s\n\n", verb_.c_str(), usage_.c_str(), purpose_.c_str());
  for (const std::string& name : order_) {
    const Option& option = options_.at(name);
    const std::size_t comma = option.declared.find(',');
    const std::string letter =
        comma == std::string::npos ? "" : "-" + option.declared.substr(comma + 1) + ", ";
    const std::string metavar = option.metavar.empty() ? "" : " " + option.metavar;
    std::printf("  %-24s %s\n", (letter + "--" + name + metavar).c_str(), option.help.c_str());
  }
  for (const std::string& line : examples_) {
    std::printf("%s%s\n", &line == &examples_.front() ? "\nexamples:\n  " : "  ", line.c_str());
  }
}

}  // namespace seekahead::cli
