// Writes a calibrated drive as a drive file.
#pragma once

#include <string>
#include <vector>

#include "sim/scenario/drive_file.hpp"

namespace seekahead::cli {

// The effective parameters of `drive` with their sources; those of `fitted` replace older ones on the same
// keys or inside them. Throws std::runtime_error when the file cannot be written.
void write_drive(const LoadedDrive& drive, const std::string& description,
                 const std::vector<DriveSource>& fitted, const std::string& path);

}  // namespace seekahead::cli
