#include "sim/scenario/drive_catalogue.hpp"

#include <cstdlib>
#include <set>
#include <sstream>
#include <system_error>

namespace seekahead {

namespace fs = std::filesystem;

namespace {

constexpr const char* extension = ".toml";

bool is_path(const std::string& text) {
  return text.find('/') != std::string::npos || fs::path(text).extension() == extension;
}

// The directory of an installed catalogue, relative to the program that runs.
fs::path installed_directory() {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  return error ? fs::path() : program.parent_path().parent_path() / "share" / "seekahead" / "drives";
}

std::vector<fs::path>& added_directories() {
  static std::vector<fs::path> directories;
  return directories;
}

}  // namespace

void add_drive_directory(const fs::path& directory) { added_directories().push_back(directory); }

std::vector<fs::path> drive_directories() {
  std::vector<fs::path> candidates;
  if (const char* variable = std::getenv("SEEKAHEAD_DRIVES")) {
    std::istringstream list(variable);
    for (std::string directory; std::getline(list, directory, ':');) {
      candidates.emplace_back(directory);
    }
  }
  candidates.insert(candidates.end(), added_directories().begin(), added_directories().end());
  candidates.emplace_back(fs::path(SEEKAHEAD_SOURCE_TREE) / "scenarios" / "drives");
  candidates.push_back(installed_directory());
  std::vector<fs::path> existing;
  for (const fs::path& candidate : candidates) {
    std::error_code error;
    if (!candidate.empty() && fs::is_directory(candidate, error)) {
      existing.push_back(candidate);
    }
  }
  return existing;
}

std::vector<std::string> drive_ids() {
  std::set<std::string> ids;
  for (const fs::path& directory : drive_directories()) {
    std::error_code error;
    for (const fs::directory_entry& entry : fs::directory_iterator(directory, error)) {
      if (entry.path().extension() == extension) {
        ids.insert(entry.path().stem().string());
      }
    }
  }
  return {ids.begin(), ids.end()};
}

std::optional<fs::path> find_drive_file(const std::string& id_or_path) {
  std::error_code error;
  if (is_path(id_or_path)) {
    return fs::is_regular_file(id_or_path, error) ? std::optional<fs::path>(id_or_path) : std::nullopt;
  }
  for (const fs::path& directory : drive_directories()) {
    const fs::path candidate = directory / (id_or_path + extension);
    if (fs::is_regular_file(candidate, error)) {
      return candidate;
    }
  }
  return std::nullopt;
}

}  // namespace seekahead
