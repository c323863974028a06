// The mechanical disk: IDE, parallel SCSI or Fibre Channel, by its parameters.
//
// A command is worked out in closed form when the drive turns to it, because nothing interrupts it any more;
// what goes on in the background (read-ahead, written data on its way to the media) is wound forward when the
// next command needs to know. So a request costs a handful of tracks, never a sector.
#pragma once

#include <memory>

#include "models/device/disk_parameters.hpp"
#include "models/device/transfer_bus.hpp"
#include "sim/device/block_device.hpp"

namespace seekahead {

// `start_angle`: under the heads at time 0, in revolutions. `shared` buses of the same name; null: the drive
// has the bus to itself.
// REQUIRES: the parameters passed DiskParameters::check().
std::unique_ptr<BlockDevice> make_disk(const DiskParameters& parameters, double start_angle,
                                       std::shared_ptr<SharedBus> shared_in,
                                       std::shared_ptr<SharedBus> shared_out);

}  // namespace seekahead
