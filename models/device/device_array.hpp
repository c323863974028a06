// What every device made of other devices has in common (raid0, linear, partition): requests are cut into
// pieces for the members, each member has a queue of pieces, and a request is complete when its last piece
// is. Between host and members stand a controller, which spends time on each request, and a link, which all
// members share.
//
//     request --> controller --> [link, writes] --> pieces wait for their member --> member
//                                     host <-- [link, reads] <-- member
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "sim/device/block_device.hpp"

namespace seekahead {

// Part of a request for one member.
struct ArrayPiece {
  std::size_t member = 0;
  SectorNumber lbn = 0;  // on the member
  std::int64_t sectors = 0;
};

// Cuts a request into pieces, appended in the order of the request's sectors.
using ArraySplitter = std::function<void(const DeviceRequest& request, std::vector<ArrayPiece>& pieces)>;

struct ArrayOptions {
  std::int64_t capacity_sectors = 0;
  std::int64_t queue_depth = 1;
  std::int64_t max_request_sectors = 0;
  TimeNs controller_overhead_ns = 0;  // of each request, one after the other
  std::int64_t link_rate = 0;         // bytes per second; 0: no link
  TimeNs link_overhead_ns = 0;        // of each request, not occupying the link
  bool staggered_spindles = false;    // member i starts i/n of a revolution later
};

// Pieces larger than a member's largest request are cut further.
// REQUIRES: members are fresh; the splitter stays inside their capacities.
std::unique_ptr<BlockDevice> make_device_array(std::vector<std::unique_ptr<BlockDevice>> members,
                                               ArraySplitter split, const ArrayOptions& options);

}  // namespace seekahead
