// How an array comes by the devices it is made of.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "sim/scenario/registry.hpp"

namespace seekahead {

// Takes a device that the scenario defines. Throws std::runtime_error if there is none (or it is taken).
std::unique_ptr<BlockDevice> take_member(const DeviceContext& context, const std::string& name);

// Makes `count` equal drives of the catalogue. Throws std::runtime_error if there is no such drive.
std::vector<std::unique_ptr<BlockDevice>> make_members(const DeviceContext& context, const std::string& drive,
                                                       std::int64_t count);

}  // namespace seekahead
