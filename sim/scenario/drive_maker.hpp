// Makes drives of the catalogue for arrays (DeviceContext::make_drive).
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "sim/scenario/registry.hpp"

namespace seekahead {

using DriveMaker =
    std::function<std::unique_ptr<BlockDevice>(const std::string& id_or_file, const DeviceContext& context)>;

// A maker that reads each drive file once. It throws std::runtime_error, with all that is wrong with the file
// as its message. REQUIRES: the registry outlives it.
DriveMaker make_drive_maker(const Registry& registry);

}  // namespace seekahead
