#include "models/builtin.hpp"
#include "models/device/fixed_latency.hpp"

namespace seekahead {

void register_device_models(Registry& registry) {
  registry.devices.add(model_of<FixedLatencyParameters, DeviceModel>(
      "fixed-latency", "every request costs one access time plus size / bandwidth, strictly in series",
      "Wu, linux-mm, 2010-02-02", make_fixed_latency));
}

}  // namespace seekahead
