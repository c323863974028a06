// RAID0: chunks go round the members. A request that covers less than a stripe leaves members idle, whatever
// their number: why a small readahead window makes a wide array slow.
#include <algorithm>
#include <stdexcept>
#include <utility>

#include "models/device/arrays.hpp"
#include "models/device/device_array.hpp"
#include "models/device/members.hpp"

namespace seekahead {

void Raid0Parameters::visit(ParameterVisitor& v) {
  v.texts("devices", devices, "names of the member devices", "chosen");
  v.text("member_drive", member_drive, "drive of the catalogue (or file) of which all members are made",
         "chosen");
  v.integer("members", members, {1, 1024}, "number of members made of member_drive", "chosen");
  v.bytes("chunk", chunk_bytes, {sector_bytes, 1 << 30},
          "consecutive bytes on one member before the next one's turn", "md: 64 KiB was usual");
  v.boolean(
      "gather", gather,
      "neighbouring chunks that one request has on a member are one command; off: a command each, as md "
      "submits them",
      "array controllers, estimate");
  v.boolean("inherit_max_request", inherit_max_request,
            "the array takes no larger requests than the most limited member (md does so); off: max_request",
            "chosen");
  v.bytes("max_request", max_request_bytes, {sector_bytes, 1 << 30},
          "largest request of one command to the array", "chosen");
  v.integer("queue_depth", queue_depth, {1, 65536}, "requests the array holds at once", "chosen");
  v.time("controller_overhead", controller_overhead_ns, {0, ns_per_s},
         "controller time of each request, one after the other", "estimate");
  v.rate("link_rate", link_rate, {0, 1'000'000'000'000},
         "link between host and array, shared by all members; \"0 MB/s\": none", "estimate");
  v.time("link_overhead", link_overhead_ns, {0, ns_per_s}, "of each request on the link", "estimate");
  v.boolean("synchronised_spindles", synchronised_spindles,
            "all members turn in step; off: they are spread over one revolution", "chosen");
}

void Raid0Parameters::check(const ProblemSink& problem) const {
  if (devices.empty() == member_drive.empty()) {
    problem("devices", "an array needs either devices or member_drive, and not both");
  }
  if (chunk_bytes % sector_bytes != 0) {
    problem("chunk", "is not a multiple of the sector, 512 bytes");
  }
  if (max_request_bytes % sector_bytes != 0) {
    problem("max_request", "is not a multiple of the sector, 512 bytes");
  }
}

void Raid0Parameters::without_effect(const ProblemSink& unused) const {
  if (member_drive.empty()) {
    unused("members", "the members are named in devices");
  }
  if (inherit_max_request) {
    unused("max_request", "inherit_max_request takes that of the members");
  }
}

namespace {

struct Stripes {
  std::int64_t chunk_sectors;
  std::int64_t members;
  bool gather;

  void operator()(const DeviceRequest& request, std::vector<ArrayPiece>& pieces) const {
    const std::size_t first = pieces.size();
    const SectorNumber end = request.lbn + request.sectors;
    SectorNumber lbn = request.lbn;
    for (std::int64_t nth = 0; lbn < end; ++nth) {
      const std::int64_t chunk = lbn / chunk_sectors;
      const std::int64_t inside = lbn % chunk_sectors;
      const std::int64_t sectors = std::min(chunk_sectors - inside, end - lbn);
      if (gather && nth >= members) {
        // The member has its part before this one already, and the two lie behind each other there.
        pieces[first + static_cast<std::size_t>(nth % members)].sectors += sectors;
      } else {
        pieces.push_back(
            {static_cast<std::size_t>(chunk % members), chunk / members * chunk_sectors + inside, sectors});
      }
      lbn += sectors;
    }
  }
};

}  // namespace

std::unique_ptr<BlockDevice> make_raid0(const Raid0Parameters& p, const DeviceContext& context) {
  std::vector<std::unique_ptr<BlockDevice>> devices;
  if (p.member_drive.empty()) {
    for (const std::string& name : p.devices) {
      devices.push_back(take_member(context, name));
    }
  } else {
    devices = make_members(context, p.member_drive, p.members);
  }
  const auto count = static_cast<std::int64_t>(devices.size());
  const std::int64_t chunk_sectors = p.chunk_bytes / sector_bytes;
  std::int64_t smallest = devices.front()->capacity_sectors();
  std::int64_t most_limited = devices.front()->max_request_sectors();
  for (const auto& device : devices) {
    smallest = std::min(smallest, device->capacity_sectors());
    most_limited = std::min(most_limited, device->max_request_sectors());
  }
  if (smallest < chunk_sectors) {
    throw std::runtime_error("device \"" + context.name + "\": its smallest member holds less than a chunk");
  }
  ArrayOptions options;
  options.capacity_sectors = smallest / chunk_sectors * chunk_sectors * count;
  options.queue_depth = p.queue_depth;
  options.max_request_sectors = p.inherit_max_request ? most_limited : p.max_request_bytes / sector_bytes;
  options.controller_overhead_ns = p.controller_overhead_ns;
  options.link_rate = p.link_rate;
  options.link_overhead_ns = p.link_overhead_ns;
  options.staggered_spindles = !p.synchronised_spindles;
  return make_device_array(std::move(devices), Stripes{chunk_sectors, count, p.gather}, options);
}

}  // namespace seekahead
