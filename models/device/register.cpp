#include "models/builtin.hpp"
#include "models/device/arrays.hpp"
#include "models/device/disk.hpp"
#include "models/device/fixed_latency.hpp"
#include "models/device/flash.hpp"

namespace seekahead {

namespace {

// The two directions of a bus. All but Fibre Channel, which has a link each way, have one for both.
struct BusDirections {
  std::shared_ptr<SharedBus> in;
  std::shared_ptr<SharedBus> out;
};

std::shared_ptr<BusDirections> shared_bus(const BusParameters& bus, const DeviceContext& context) {
  if (bus.name.empty() || context.buses == nullptr) {
    return std::make_shared<BusDirections>();
  }
  std::shared_ptr<void>& slot = (*context.buses)["bus." + bus.name];
  if (!slot) {
    auto made = std::make_shared<BusDirections>();
    made->in = std::make_shared<SharedBus>();
    made->out = bus.kind == "fc" ? std::make_shared<SharedBus>() : made->in;
    slot = made;
  }
  return std::static_pointer_cast<BusDirections>(slot);
}

std::unique_ptr<BlockDevice> make_registered_disk(const DiskParameters& p, const DeviceContext& context) {
  const bool random = p.mechanics.random_start_angle && context.random != nullptr;
  const double angle = random ? context.random->unit() : p.mechanics.start_angle;
  const auto bus = shared_bus(p.bus, context);
  return make_disk(p, angle, bus->in, bus->out);
}

}  // namespace

void register_device_models(Registry& registry) {
  registry.devices.add(model_of<DiskParameters, DeviceModel>(
      "disk", "a hard disk with its mechanics, cache, bus and queue: IDE, SCSI or Fibre Channel",
      "DIXtrac / DiskSim 4.0; data sheets", make_registered_disk));
  registry.devices.add(model_of<FixedLatencyParameters, DeviceModel>(
      "fixed-latency", "every request costs one access time plus size / bandwidth, strictly in series",
      "Wu, linux-mm, 2010-02-02", make_fixed_latency));
  registry.devices.add(model_of<Raid0Parameters, DeviceModel>(
      "raid0", "stripes over other devices or over equal drives, behind a controller and a link", "chosen",
      make_raid0));
  registry.devices.add(model_of<LinearParameters, DeviceModel>("linear", "devices one behind the other",
                                                               "chosen", make_linear));
  registry.devices.add(model_of<PartitionParameters, DeviceModel>("partition", "a part of one device",
                                                                  "chosen", make_partition));
  registry.devices.add(model_of<FlashParameters, DeviceModel>(
      "flash", "a flash drive or stick: channels, pages, command overhead, interface",
      "Wu, linux-mm, 2010-02-04", make_flash));
}

}  // namespace seekahead
