#include "sim/scenario/effective.hpp"

#include <algorithm>
#include <sstream>
#include <utility>

#include "sim/scenario/echo.hpp"
#include "sim/scenario/quantities.hpp"

namespace seekahead {

namespace {

constexpr std::size_t most_points_listed = 40;

std::string time_text(TimeNs value) { return format_quantity(Dimension::time, value); }

// visit() needs a mutable struct although an echo only looks.
void echo_const(const Parameters& parameters, Node& table) {
  echo(const_cast<Parameters&>(parameters), table);
}

Node scenario_table(const Scenario& scenario) {
  Node table;
  if (!scenario.title.empty()) {
    table.set("title", Node::make_text(scenario.title));
  }
  if (!scenario.source.empty()) {
    table.set("source", Node::make_text(scenario.source));
  }
  table.set("seed", Node::make_integer(static_cast<std::int64_t>(scenario.seed)));
  if (scenario.duration_ns) {
    table.set("duration", Node::make_text(time_text(*scenario.duration_ns)));
  }
  return table;
}

Node device_table(const DeviceConfig& device) {
  Node table;
  table.set("name", Node::make_text(device.name));
  table.set("model", Node::make_text(device.device.model->name));
  if (!device.is_member) {
    table.set("max_readahead", Node::make_integer(static_cast<std::int64_t>(device.ra_pages)));
    table.set("host_turnaround", Node::make_text(time_text(device.host_turnaround_ns)));
  }
  echo_const(*device.device.parameters, table);
  if (!device.channel.empty()) {
    Node* bus = table.find("bus");
    Node& target = bus != nullptr ? *bus : table.set("bus", Node());
    target.set("channel", Node::make_text(device.channel));
  }
  return table;
}

Node file_table(const FileConfig& file) {
  Node table;
  table.set("name", Node::make_text(file.name));
  table.set("device", Node::make_text(file.device));
  table.set("size", Node::make_text(format_quantity(Dimension::bytes, file.size_bytes)));
  table.set("sector", Node::make_integer(file.start_sector));
  return table;
}

Node process_table(const ProcessConfig& process) {
  Node table;
  table.set("name", Node::make_text(process.group));
  if (process.count > 0) {
    table.set("count", Node::make_integer(process.count));
  }
  table.set("workload", Node::make_text(process.workload.model->name));
  Node files = Node::make_array();
  for (const std::string& file : process.files) {
    files.children.push_back(Node::make_text(file));
  }
  table.set("files", std::move(files));
  table.set("start", Node::make_text(time_text(process.start_ns)));
  if (process.count == 0) {
    table.set("command", Node::make_text(process.command));
  }
  table.set("pid", Node::make_integer(process.pid));
  echo_const(*process.workload.parameters, table);
  return table;
}

// "md0 (raid0 of d0, d1)", the members with their own members.
std::string stack_text(const Scenario& scenario, const std::string& name) {
  const auto device = std::find_if(scenario.devices.begin(), scenario.devices.end(),
                                   [&](const DeviceConfig& d) { return d.name == name; });
  if (device == scenario.devices.end() || device->built_from.empty()) {
    return name;
  }
  std::string members;
  for (const std::string& member : device->built_from) {
    members += (members.empty() ? "" : ", ") + stack_text(scenario, member);
  }
  return name + " (" + device->device.model->name + " of " + members + ")";
}

// The limit that holds for a file is that of the device it lies on, whatever that is built from.
std::string file_comment(const Scenario& scenario, const FileConfig& file) {
  const auto device = std::find_if(scenario.devices.begin(), scenario.devices.end(),
                                   [&](const DeviceConfig& d) { return d.name == file.device; });
  return "on " + stack_text(scenario, file.device) + ", readahead limit: " + device->readahead_echo;
}

// Reading sections in the order in which the documentation has them helps more than any other.
void write_section(const char* name, Node table, std::string& out) {
  Node root;
  root.set(name, std::move(table));
  out += "\n" + write_toml(root);
}

void write_element(const char* name, Node table, const std::string& comment, std::string& out) {
  Node list = Node::make_array();
  list.children.push_back(std::move(table));
  Node root;
  root.set(name, std::move(list));
  out += "\n" + (comment.empty() ? "" : "# " + comment + "\n") + write_toml(root);
}

// `text` with every line made a comment.
std::string commented(const std::string& text) {
  std::string out;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    out += line.empty() ? "#\n" : "# " + line + "\n";
  }
  return out;
}

std::string expectations_text(const Scenario& scenario) {
  std::string out;
  for (const Expectation& expectation : scenario.expectations) {
    write_element("expect", expectation.text, "", out);
  }
  return out;
}

}  // namespace

std::string effective_configuration(const Scenario& scenario) {
  std::string out;
  write_section("scenario", scenario_table(scenario), out);
  Node machine;
  echo_const(scenario.machine, machine);
  write_section("machine", std::move(machine), out);
  for (const DeviceConfig& device : scenario.devices) {
    write_element("device", device_table(device),
                  device.is_member ? "member of another device" : "readahead limit: " + device.readahead_echo,
                  out);
  }
  for (const FileConfig& file : scenario.files) {
    write_element("file", file_table(file), file_comment(scenario, file), out);
  }
  Node readahead;
  readahead.set("policy", Node::make_text(scenario.readahead.policy.model->name));
  echo_const(*scenario.readahead.policy.parameters, readahead);
  write_section("readahead", std::move(readahead), out);
  Node block;
  block.set("elevator", Node::make_text(scenario.elevator.model->name));
  echo_const(scenario.block, block);
  echo_const(*scenario.elevator.parameters, block);
  write_section("block", std::move(block), out);
  Node writeback;
  echo_const(scenario.writeback, writeback);
  write_section("writeback", std::move(writeback), out);
  for (std::size_t i = 0; i < scenario.processes.size();) {
    const ProcessConfig& process = scenario.processes[i];
    write_element("process", process_table(process), "", out);
    i += static_cast<std::size_t>(std::max<std::int64_t>(1, process.count));
  }
  std::string expectations = expectations_text(scenario);
  if (scenario.sweep.empty()) {
    return out.substr(1) + expectations;
  }
  std::string sweep = "\nThis is point 1 of " + std::to_string(scenario.sweep.size()) + " of the sweep:\n";
  for (std::size_t i = 0; i < std::min(scenario.sweep.size(), most_points_listed); ++i) {
    sweep += "  " + scenario.sweep[i].label() + "\n";
  }
  if (scenario.sweep.size() > most_points_listed) {
    sweep += "  ...\n";
  }
  return out.substr(1) + "\n" + commented(sweep.substr(1) + expectations);
}

}  // namespace seekahead
