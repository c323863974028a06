// Devices one behind the other, and parts of one device. Both only shift sector numbers; queue depth and
// largest request are those of the (most limited) member.
#include <algorithm>
#include <stdexcept>
#include <utility>

#include "models/device/arrays.hpp"
#include "models/device/device_array.hpp"
#include "models/device/members.hpp"

namespace seekahead {

void LinearParameters::visit(ParameterVisitor& v) {
  v.texts("devices", devices, "names of the devices, in order", "chosen");
}

void LinearParameters::check(const ProblemSink& problem) const {
  if (devices.empty()) {
    problem("devices", "at least one device is needed");
  }
}

void PartitionParameters::visit(ParameterVisitor& v) {
  v.text("device", device, "name of the device it is a part of; a device has one such part", "chosen", true);
  v.sectors("start", start_sector, {0, std::int64_t{1} << 50}, "first sector on that device", "chosen");
  v.bytes("size", size_bytes, {0, std::int64_t{1} << 60}, "\"0 B\": all that is left of the device",
          "chosen");
}

void PartitionParameters::check(const ProblemSink& problem) const {
  if (size_bytes % sector_bytes != 0) {
    problem("size", "is not a multiple of the sector, 512 bytes");
  }
}

namespace {

// Sectors [start of a member, start of the next) belong to that member.
struct Concatenation {
  std::vector<SectorNumber> starts;  // one more than members
  SectorNumber offset = 0;           // of the first sector on its member

  void operator()(const DeviceRequest& request, std::vector<ArrayPiece>& pieces) const {
    const SectorNumber end = request.lbn + request.sectors;
    auto next = std::upper_bound(starts.begin(), starts.end(), request.lbn);
    for (SectorNumber lbn = request.lbn; lbn < end; ++next) {
      const std::int64_t sectors = std::min(end, *next) - lbn;
      pieces.push_back(
          {static_cast<std::size_t>(next - starts.begin()) - 1, lbn - *(next - 1) + offset, sectors});
      lbn += sectors;
    }
  }
};

ArrayOptions limits_of(const std::vector<std::unique_ptr<BlockDevice>>& devices) {
  ArrayOptions options;
  options.queue_depth = devices.front()->queue_depth();
  options.max_request_sectors = devices.front()->max_request_sectors();
  for (const auto& device : devices) {
    options.queue_depth = std::min(options.queue_depth, device->queue_depth());
    options.max_request_sectors = std::min(options.max_request_sectors, device->max_request_sectors());
  }
  return options;
}

}  // namespace

std::unique_ptr<BlockDevice> make_linear(const LinearParameters& p, const DeviceContext& context) {
  std::vector<std::unique_ptr<BlockDevice>> devices;
  Concatenation layout{{0}, 0};
  for (const std::string& name : p.devices) {
    devices.push_back(take_member(context, name));
    layout.starts.push_back(layout.starts.back() + devices.back()->capacity_sectors());
  }
  ArrayOptions options = limits_of(devices);
  options.capacity_sectors = layout.starts.back();
  return make_device_array(std::move(devices), layout, options);
}

std::unique_ptr<BlockDevice> make_partition(const PartitionParameters& p, const DeviceContext& context) {
  std::vector<std::unique_ptr<BlockDevice>> devices;
  devices.push_back(take_member(context, p.device));
  const std::int64_t whole = devices.front()->capacity_sectors();
  const std::int64_t sectors = p.size_bytes > 0 ? p.size_bytes / sector_bytes : whole - p.start_sector;
  if (p.start_sector >= whole || sectors > whole - p.start_sector) {
    throw std::runtime_error("device \"" + context.name + "\": sectors " + std::to_string(p.start_sector) +
                             " + " + std::to_string(sectors) + " do not lie on \"" + p.device +
                             "\", which has " + std::to_string(whole));
  }
  ArrayOptions options = limits_of(devices);
  options.capacity_sectors = sectors;
  return make_device_array(std::move(devices), Concatenation{{0, sectors}, p.start_sector}, options);
}

}  // namespace seekahead
