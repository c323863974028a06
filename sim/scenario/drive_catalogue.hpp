// Where drive files lie. A drive is named by its id ("dtla307045", the file dtla307045.toml of a catalogue
// directory) or by the path of a file (it contains a '/' or ends in ".toml").
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace seekahead {

// Searched in this order: the directories of the environment variable SEEKAHEAD_DRIVES (separated by colons),
// those that add_drive_directory() was given, scenarios/drives of the source tree this program was built
// from, share/seekahead/drives beside an installed program. Only directories that exist.
std::vector<std::filesystem::path> drive_directories();

// For a program that brings a catalogue of its own, like the Python package. Call it before any other
// function.
void add_drive_directory(const std::filesystem::path& directory);

// Every id that find_drive_file() knows, sorted, each once.
std::vector<std::string> drive_ids();

std::optional<std::filesystem::path> find_drive_file(const std::string& id_or_path);

}  // namespace seekahead
