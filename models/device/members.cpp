#include "models/device/members.hpp"

#include <stdexcept>

namespace seekahead {

std::unique_ptr<BlockDevice> take_member(const DeviceContext& context, const std::string& name) {
  std::unique_ptr<BlockDevice> device = context.take_member ? context.take_member(name) : nullptr;
  if (device == nullptr) {
    throw std::runtime_error("device \"" + context.name + "\": its member \"" + name +
                             "\" is no device of this scenario, or is part of another one already");
  }
  return device;
}

std::vector<std::unique_ptr<BlockDevice>> make_members(const DeviceContext& context, const std::string& drive,
                                                       std::int64_t count) {
  if (!context.make_drive) {
    throw std::runtime_error("device \"" + context.name + "\": no drive catalogue at hand for \"" + drive +
                             "\"");
  }
  std::vector<std::unique_ptr<BlockDevice>> members;
  for (std::int64_t i = 0; i < count; ++i) {
    DeviceContext of_member = context;
    of_member.name = context.name + "." + std::to_string(i);
    members.push_back(context.make_drive(drive, of_member));
  }
  return members;
}

}  // namespace seekahead
