// Where drive files lie. A drive is named by its id ("dtla307045", the file dtla307045.toml of a catalogue
// directory) or by the path of a file (it contains a '/' or ends in ".toml").
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace seekahead {

// Searched in this order: the directories of the environment variable SEEKAHEAD_DRIVES (separated by colons),
// scenarios/drives of the source tree this program was built from, share/seekahead/drives beside an installed
// program. Only directories that exist.
std::vector<std::filesystem::path> drive_directories();

// Every id that find_drive_file() knows, sorted, each once.
std::vector<std::string> drive_ids();

std::optional<std::filesystem::path> find_drive_file(const std::string& id_or_path);

}  // namespace seekahead
