#include "sim/scenario/drive_file.hpp"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "sim/scenario/drive_catalogue.hpp"
#include "sim/scenario/echo.hpp"
#include "sim/scenario/table_reader.hpp"

namespace seekahead {

namespace {

std::string text_or_empty(TableReader& reader, const char* key) {
  const Node* node = reader.take_text(key);
  return node == nullptr ? "" : node->text;
}

// Every key of [source] must be a parameter of the model or the beginning of some.
void check_key(const Node& entry, Parameters& parameters, Diagnostics& diagnostics) {
  std::vector<std::string> names;
  bool known = false;
  for (const Description& description : describe(parameters)) {
    names.push_back(description.name);
    const std::string& name = description.name;
    known =
        known || name == entry.key || name.starts_with(entry.key + ".") || name.starts_with(entry.key + "[");
  }
  if (!known) {
    diagnostics.error(entry.key_where,
                      "[source] tells of " + in_quotes(entry.key) + ", which is no parameter here",
                      suggestion(entry.key, names, "parameters"));
  }
}

std::vector<DriveSource> read_sources(const Node* table, Parameters& parameters, Diagnostics& diagnostics) {
  std::vector<DriveSource> sources;
  if (table == nullptr) {
    return sources;
  }
  if (!table->is_table()) {
    diagnostics.error(table->where, "[source] must be a table, not " + kind_name(*table));
    return sources;
  }
  for (const Node& entry : table->children) {
    TableReader reader(&entry, "[source] " + in_quotes(entry.key), entry.key_where, diagnostics);
    sources.push_back({entry.key, text_or_empty(reader, "source"), text_or_empty(reader, "confidence")});
    reader.finish();
    check_key(entry, parameters, diagnostics);
  }
  return sources;
}

}  // namespace

std::optional<Document> read_drive(const std::string& id_or_path, const Position& where,
                                   Diagnostics& diagnostics) {
  const std::optional<std::filesystem::path> file = find_drive_file(id_or_path);
  std::error_code error;
  if (!file && std::filesystem::is_directory(id_or_path, error)) {
    diagnostics.error(where, "drive " + in_quotes(id_or_path) + " is a directory",
                      "name a drive file in it, or a drive of the catalogue by its id");
    return std::nullopt;
  }
  if (!file) {
    diagnostics.error(where, "unknown drive " + in_quotes(id_or_path),
                      suggestion(id_or_path, drive_ids(), "drives") + "; or the path of a drive file");
    return std::nullopt;
  }
  return read_document(file->string(), diagnostics);
}

const Document* DriveFiles::read(const std::string& id_or_path, const Position& where,
                                 Diagnostics& diagnostics) {
  const auto known = documents_.find(id_or_path);
  if (known != documents_.end()) {
    return &known->second;
  }
  const std::size_t before = diagnostics.count();
  std::optional<Document> document = read_drive(id_or_path, where, diagnostics);
  if (!document || document->incomplete || diagnostics.count() > before) {
    return nullptr;
  }
  return &documents_.emplace(id_or_path, *std::move(document)).first->second;
}

std::optional<LoadedDrive> load_drive(const std::string& id_or_path, const std::vector<Override>& overrides,
                                      const Registry& registry, Diagnostics& diagnostics) {
  const std::size_t before = diagnostics.count();
  const Position nowhere;
  std::optional<Document> document = read_drive(id_or_path, nowhere, diagnostics);
  if (!document) {
    return std::nullopt;
  }
  for (const Override& override_ : overrides) {
    apply(document->root, override_, diagnostics);
  }
  LoadedDrive drive;
  drive.id = id_or_path;
  drive.path = document->path;
  TableReader reader(&document->root, "drive " + in_quotes(id_or_path), document->root.where, diagnostics);
  drive.name = text_or_empty(reader, "name");
  drive.description = text_or_empty(reader, "description");
  const Node* sources = reader.take("source");
  const Node* model = reader.take_text("model");
  if (model == nullptr) {
    if (document->root.find("model") == nullptr) {
      reader.missing("model", suggestion("", names_of(registry.devices), "device models"));
    }
    return std::nullopt;
  }
  drive.device.model = registry.devices.find(model->text);
  if (drive.device.model == nullptr) {
    diagnostics.error(model->where, "unknown device model " + in_quotes(model->text),
                      suggestion(model->text, names_of(registry.devices), "device models"));
    return std::nullopt;
  }
  drive.device.parameters = drive.device.model->parameters();
  reader.report_without_effect(&diagnostics, !overrides.empty());
  reader.read(*drive.device.parameters);
  drive.sources = read_sources(sources, *drive.device.parameters, diagnostics);
  reader.finish();
  return diagnostics.count() == before ? std::optional(std::move(drive)) : std::nullopt;
}

std::optional<LoadedDrive> load_drive(const Registry& registry, const std::string& id_or_path,
                                      const std::vector<std::string>& sets, Diagnostics& diagnostics) {
  std::vector<Override> overrides;
  for (const std::string& set : sets) {
    if (std::optional<Override> parsed = parse_override(set, diagnostics)) {
      overrides.push_back(*std::move(parsed));
    }
  }
  return load_drive(id_or_path, overrides, registry, diagnostics);
}

}  // namespace seekahead
