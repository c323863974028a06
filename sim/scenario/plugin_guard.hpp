// Gives a model of a plug-in a shell that turns its exceptions into PluginErrors, so that whoever runs the
// model need not know where it came from.
#pragma once

#include <string>

#include "sim/scenario/registry.hpp"

namespace seekahead {

ReadaheadModel guarded(ReadaheadModel model, const std::string& plugin);
ElevatorModel guarded(ElevatorModel model, const std::string& plugin);
DeviceModel guarded(DeviceModel model, const std::string& plugin);
WorkloadModel guarded(WorkloadModel model, const std::string& plugin);

}  // namespace seekahead
