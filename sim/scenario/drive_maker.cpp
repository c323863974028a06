#include "sim/scenario/drive_maker.hpp"

#include <map>
#include <stdexcept>
#include <vector>

#include "sim/scenario/drive_file.hpp"

namespace seekahead {

namespace {

using Drives = std::map<std::string, LoadedDrive>;

// Counts how deep arrays are nested, errors included.
class Level {
 public:
  explicit Level(int& depth) : depth_(depth) { ++depth_; }
  ~Level() { --depth_; }
  Level(const Level&) = delete;
  Level& operator=(const Level&) = delete;

 private:
  int& depth_;
};

const LoadedDrive& load_once(const Registry& registry, const std::string& id, Drives& drives) {
  const auto known = drives.find(id);
  if (known != drives.end()) {
    return known->second;
  }
  Diagnostics diagnostics;
  std::optional<LoadedDrive> drive = load_drive(registry, id, std::vector<std::string>(), diagnostics);
  if (!drive) {
    throw std::runtime_error("drive \"" + id + "\":\n" + diagnostics.text());
  }
  return drives.emplace(id, *std::move(drive)).first->second;
}

}  // namespace

DriveMaker make_drive_maker(const Registry& registry) {
  // A drive file may be an array itself, so the maker hands itself on; `depth` ends one that is its own
  // member.
  const auto drives = std::make_shared<Drives>();
  const auto depth = std::make_shared<int>(0);
  const auto maker = std::make_shared<DriveMaker>();
  const std::weak_ptr<DriveMaker> itself = maker;
  *maker = [&registry, drives, depth, itself](const std::string& id, const DeviceContext& context) {
    constexpr int deepest = 8;
    if (*depth == deepest) {
      throw std::runtime_error("drive \"" + id + "\" is made of itself");
    }
    DeviceContext of_drive = context;
    if (const std::shared_ptr<DriveMaker> held = itself.lock()) {
      of_drive.make_drive = *held;
    }
    const Level level(*depth);
    return load_once(registry, id, *drives).device.make(of_drive);
  };
  return [maker](const std::string& id, const DeviceContext& context) { return (*maker)(id, context); };
}

}  // namespace seekahead
