// What an override (--set, an axis of a sweep, a change from Python) means for the keys around its own.
// Somebody who sets read_ahead_kb does not want the max_readahead of the text as well, and somebody who
// chooses another policy does not want the parameters of the old one (docs/scenario.md).
#pragma once

#include <string>
#include <vector>

#include "sim/scenario/document.hpp"

namespace seekahead {

using KeyPath = std::vector<std::string>;

// Where a value comes from; of two that contradict each other the later of these wins.
enum class Standing { text, axis_of_text, argument };
Standing standing_of(const Node& node);

// The path with elements of arrays by index: device.hda.model and device.0.model are the same key.
KeyPath canonical(const Node& root, KeyPath path);

// Both keys say the same thing in another way: readahead.setra and readahead.read_ahead_kb, the position and
// the sector of a file.
bool are_alternatives(const KeyPath& a, const KeyPath& b);

// The key names a model: readahead.policy, block.elevator, device.NAME.model, process.NAME.workload.
bool chooses_model(const KeyPath& path);

// The keys that `value` sets when it is put at `path`: that key, or those of a table.
std::vector<KeyPath> leaves(const KeyPath& path, const Node& value);

// Reports keys that are given more than once.
void refuse_repeated(const Node& root, const std::vector<Override>& overrides, Diagnostics& diagnostics);

}  // namespace seekahead
