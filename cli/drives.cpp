// seekahead drives: the catalogue, or one drive of it with the source of every value.
#include <algorithm>
#include <cstdio>
#include <optional>
#include <string>
#include <vector>

#include "cli/commands.hpp"
#include "cli/option_parser.hpp"
#include "cli/scenario_options.hpp"
#include "models/builtin.hpp"
#include "sim/scenario/drive_catalogue.hpp"
#include "sim/scenario/drive_file.hpp"
#include "sim/scenario/echo.hpp"
#include "sim/scenario/parameter_value.hpp"

namespace seekahead::cli {

namespace {

int list_drives(const Registry& registry) {
  Diagnostics diagnostics;
  for (const std::string& id : drive_ids()) {
    if (const std::optional<LoadedDrive> drive = load_drive(id, {}, registry, diagnostics)) {
      std::printf("%-18s %-8s %s\n", id.c_str(), drive->device.model->name.c_str(), drive->name.c_str());
    }
  }
  return diagnostics.ok() ? 0 : refuse(diagnostics);
}

// The source of the longest key that the parameter is, or is inside of.
const DriveSource* source_of(const LoadedDrive& drive, const std::string& parameter) {
  const DriveSource* best = nullptr;
  for (const DriveSource& source : drive.sources) {
    const bool is_inside = parameter == source.key || parameter.starts_with(source.key + ".");
    if (is_inside && (best == nullptr || source.key.size() > best->key.size())) {
      best = &source;
    }
  }
  return best;
}

std::string provenance(const DriveSource* source) {
  if (source == nullptr) {
    return "default of the model";
  }
  return source->source + (source->confidence.empty() ? "" : " (" + source->confidence + ")");
}

void print_values(const LoadedDrive& drive, const Node& table, const std::string& path) {
  for (const Node& value : table.children) {
    const std::string name = path + value.key;
    if (value.is_table()) {
      print_values(drive, value, name + ".");
      continue;
    }
    const std::string source = provenance(source_of(drive, name));
    if (!is_array_of_tables(value)) {
      std::printf("%-36s %-16s # %s\n", name.c_str(), value_text(value).c_str(), source.c_str());
      continue;
    }
    std::printf("%-36s %-16s # %s\n", name.c_str(), (std::to_string(value.children.size()) + " rows").c_str(),
                source.c_str());
    for (const Node& row : value.children) {
      std::printf("    %s\n", value_text(row).c_str());
    }
  }
}

int print_drive(const Registry& registry, const std::string& id, const std::vector<Override>& overrides,
                Diagnostics& diagnostics) {
  const std::optional<LoadedDrive> drive = load_drive(id, overrides, registry, diagnostics);
  if (!drive || !diagnostics.ok()) {
    return refuse(diagnostics);
  }
  std::printf("%s: %s\n%s\nmodel %s, file %s\n\n", id.c_str(), drive->name.c_str(),
              drive->description.c_str(), drive->device.model->name.c_str(), drive->path.c_str());
  Node table;
  echo(*drive->device.parameters, table);
  print_values(*drive, table, "");
  return 0;
}

}  // namespace

int run_drives(const Arguments& arguments) {
  OptionParser options(
      "drives", "[ID|FILE [--set KEY=VALUE]...]",
      "Lists the drive catalogue, or one drive with the source and confidence of every value.");
  options.list("set", "KEY=VALUE", "replace a parameter of the drive");
  options.positional(0, 1, "ID");
  options.example("seekahead drives dtla307045");
  if (const std::optional<int> status = options.parse(arguments)) {
    return *status;
  }
  Registry registry;
  register_builtin_models(registry);
  if (options.arguments().empty()) {
    return options.has("set") ? options.mistake("--set needs the ID of a drive") : list_drives(registry);
  }
  Diagnostics diagnostics;
  std::vector<Override> overrides;
  for (const std::string& set : options.texts("set")) {
    if (std::optional<Override> parsed = parse_override(set, diagnostics)) {
      overrides.push_back(*std::move(parsed));
    }
  }
  return print_drive(registry, options.arguments().front(), overrides, diagnostics);
}

}  // namespace seekahead::cli
