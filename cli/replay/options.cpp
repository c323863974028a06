#include "cli/replay/options.hpp"

#include <boost/program_options.hpp>
#include <sstream>

#include "sim/scenario/quantities.hpp"

namespace seekahead::cli {

namespace {

namespace po = boost::program_options;

constexpr std::int64_t most_outstanding = 1'000'000;

po::options_description described() {
  po::options_description d("options");
  const auto text = [](const char* name) { return po::value<std::string>()->value_name(name); };
  d.add_options()                                                                               //
      ("drive", text("ID|FILE"), "drive of the catalogue, or a drive file")                     //
      ("set", po::value<std::vector<std::string>>()->composing()->value_name("KEY=VALUE"),      //
       "another value of a parameter of the drive, e.g. cache.segments=8")                      //
      ("closed", text("N"), "keep N requests outstanding; arrival_ms of the trace is ignored")  //
      ("think", text("TIME"),
       "time from a completion to the next arrival, e.g. \"5 ms\"; closed, one request "
       "unless --closed says more")                                                                        //
      ("scheduler", text("NAME"), "order of waiting requests: fcfs, clook, sstf; in the drive also sptf")  //
      ("queue", text("WHERE"), "where requests wait: host (default) or drive")                             //
      ("depth", text("N"), "requests in the drive at once; host: 1, drive: the drive's own depth")         //
      ("compare", "print one JSON object that compares with response_ms or measured_ms")                   //
      ("help,h", "print this");
  return d;
}

void complain(Diagnostics& diagnostics, const std::string& message, const std::string& hint = "") {
  diagnostics.error({}, message, hint);
}

std::optional<std::string> text_of(const po::variables_map& values, const char* name) {
  return values.count(name) == 0 ? std::nullopt : std::optional(values[name].as<std::string>());
}

std::optional<std::int64_t> count_of(const po::variables_map& values, const char* name,
                                     Diagnostics& diagnostics) {
  const std::optional<std::string> text = text_of(values, name);
  if (!text) {
    return std::nullopt;
  }
  const std::optional<std::int64_t> count = parse_integer(*text);
  if (!count || *count < 1 || *count > most_outstanding) {
    complain(diagnostics, "--" + std::string(name) + " " + in_quotes(*text) +
                              ": expected a whole number from 1 to " + std::to_string(most_outstanding));
    return std::nullopt;
  }
  return count;
}

std::optional<std::string> choice_of(const po::variables_map& values, const char* name,
                                     const std::vector<std::string>& choices, Diagnostics& diagnostics) {
  const std::optional<std::string> text = text_of(values, name);
  for (const std::string& choice : choices) {
    if (text == choice) {
      return text;
    }
  }
  if (text) {
    complain(diagnostics, "--" + std::string(name) + " " + in_quotes(*text) + " is unknown",
             suggestion(*text, choices));
  }
  return std::nullopt;
}

std::optional<TimeNs> time_of(const po::variables_map& values, const char* name, Diagnostics& diagnostics) {
  const std::optional<std::string> text = text_of(values, name);
  if (!text) {
    return std::nullopt;
  }
  const Quantity<std::int64_t> time = parse_quantity(Dimension::time, *text);
  if (!time.value || *time.value < 0) {
    complain(diagnostics, "--" + std::string(name) + " " + in_quotes(*text) + ": " +
                              (time.value ? "must not be negative" : time.problem));
  }
  return time.value;
}

void read_values(const po::variables_map& values, ReplayCommand& command, Diagnostics& diagnostics) {
  command.help = values.count("help") != 0;
  if (command.help) {
    return;
  }
  if (values.count("trace") == 0 || values["trace"].as<std::vector<std::string>>().size() != 1) {
    complain(diagnostics, "expected one trace, TRACE.csv[.gz], or - for standard input");
  } else {
    command.trace = values["trace"].as<std::vector<std::string>>().front();
  }
  command.drive = text_of(values, "drive").value_or("");
  if (command.drive.empty()) {
    complain(diagnostics, "--drive ID or --drive FILE is needed", "`seekahead drives` lists the ids");
  }
  if (values.count("set") != 0) {
    command.sets = values["set"].as<std::vector<std::string>>();
  }
  command.compare = values.count("compare") != 0;
  command.closed = count_of(values, "closed", diagnostics);
  command.depth = count_of(values, "depth", diagnostics);
  command.think_ns = time_of(values, "think", diagnostics);
  command.scheduler = choice_of(values, "scheduler", {"fcfs", "clook", "sstf", "sptf"}, diagnostics);
  command.queue_in_drive = choice_of(values, "queue", {"host", "drive"}, diagnostics) == "drive";
  if (command.scheduler == "sptf" && !command.queue_in_drive) {
    complain(diagnostics, "--scheduler sptf: only a drive knows where its head and platter are",
             "add --queue drive");
  }
}

}  // namespace

ReplayCommand parse_replay_command(const Arguments& arguments, Diagnostics& diagnostics) {
  po::options_description all;
  all.add(described()).add_options()("trace", po::value<std::vector<std::string>>());
  po::positional_options_description positional;
  positional.add("trace", -1);
  ReplayCommand command;
  po::variables_map values;
  try {
    namespace style = po::command_line_style;
    po::store(po::command_line_parser(arguments)
                  .options(all)
                  .positional(positional)
                  .style(style::default_style & ~style::allow_guessing)
                  .run(),
              values);
    read_values(values, command, diagnostics);
  } catch (const po::error& error) {
    complain(diagnostics, error.what());
  }
  return command;
}

std::string replay_help() {
  std::ostringstream text;
  text << "usage: seekahead replay --drive ID|FILE [OPTION]... TRACE.csv[.gz]\n\n"
          "Runs the requests of a trace (columns lbn, blocks, is_read and arrival_ms or "
          "gap_to_next_arrival_ms)\n"
          "against one drive and prints the rows with our arrival_ms and response_ms.\n\n"
       << described();
  return text.str();
}

}  // namespace seekahead::cli
