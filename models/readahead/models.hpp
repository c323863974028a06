// The readahead policies that ship with seekahead, one function a policy file.
#pragma once

#include "sim/scenario/registry.hpp"

namespace seekahead {

ReadaheadModel none_policy();
ReadaheadModel fixed_policy();
ReadaheadModel skeleton_policy();
ReadaheadModel linux_2_4_policy();
ReadaheadModel linux_2_6_window_policy();
ReadaheadModel linux_2_6_request_size_policy();
ReadaheadModel adaptive_policy();
ReadaheadModel ondemand_policy();

}  // namespace seekahead
