// Drive files: a device model with the parameters of one real drive, each with its source. The catalogue
// (sim/scenario/drive_catalogue.hpp) is a directory of them.
//
//     model = "disk"
//     name = "IBM Deskstar 75GXP DTLA-307045"
//     description = "..."
//     ... the parameters of that model ...
//     [source]
//     "mechanics.rpm" = { source = "data sheet", confidence = "high" }
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sim/scenario/document.hpp"
#include "sim/scenario/scenario.hpp"

namespace seekahead {

struct DriveSource {
  std::string key;  // dotted parameter, or a group of them
  std::string source;
  std::string confidence;
};

struct LoadedDrive {
  std::string id;  // as it was asked for
  std::string name;
  std::string description;
  std::string path;
  std::vector<DriveSource> sources;
  Chosen<DeviceModel> device;
};

// Loads a drive by id or path, with overrides ("bus.mode=udma2") on top. Nothing: problems were reported.
std::optional<LoadedDrive> load_drive(const std::string& id_or_path, const std::vector<Override>& overrides,
                                      const Registry& registry, Diagnostics& diagnostics);

// The same with overrides as they stand on the command line.
std::optional<LoadedDrive> load_drive(const Registry& registry, const std::string& id_or_path,
                                      const std::vector<std::string>& sets, Diagnostics& diagnostics);

// The tree of a drive file, checked to be one. `where` names it in the scenario.
std::optional<Document> read_drive(const std::string& id_or_path, const Position& where,
                                   Diagnostics& diagnostics);

// Drive files for the points of a sweep, which mostly name the same ones: each is read once.
class DriveFiles {
 public:
  // As read_drive(). What is wrong with a file is reported each time. Null: it could not be read.
  const Document* read(const std::string& id_or_path, const Position& where, Diagnostics& diagnostics);

 private:
  std::map<std::string, Document> documents_;
};

// Keys of a drive file that are not parameters of its model.
inline constexpr const char* drive_file_keys[] = {"model", "name", "description", "source"};

// The names of the models of a kind, for hints.
template <class Kind>
std::vector<std::string> names_of(const Kind& kind) {
  std::vector<std::string> names;
  for (const auto& model : kind.all()) {
    names.push_back(model.name);
  }
  return names;
}

}  // namespace seekahead
