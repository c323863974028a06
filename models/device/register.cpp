#include "models/builtin.hpp"
#include "models/device/arrays.hpp"
#include "models/device/fixed_latency.hpp"

namespace seekahead {

void register_device_models(Registry& registry) {
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
}

}  // namespace seekahead
