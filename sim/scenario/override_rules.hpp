// What an override (--set, an axis of a sweep, a change from Python) does to what the text says besides its
// own key. Somebody who sets read_ahead_kb does not want the max_readahead of the text as well, and somebody
// who chooses another policy does not want the parameters of the old one (docs/scenario.md).
#pragma once

#include <string>
#include <vector>

#include "sim/scenario/node.hpp"

namespace seekahead {

using KeyPath = std::vector<std::string>;

// Both keys say the same thing in another way: readahead.setra and readahead.read_ahead_kb, the position and
// the sector of a file.
bool are_alternatives(const KeyPath& a, const KeyPath& b);

// Takes away the axes of [sweep] whose key is `path`, or an alternative of it.
void remove_axes(Node& sweep, const KeyPath& path);

// An axis with these values no longer decides anything when `overridden` is set: it is the same key, an
// alternative of it, or the table around it if its values set that key as well.
bool is_replaced(const KeyPath& axis, const std::vector<Node>& values, const KeyPath& overridden);

// `path` is about to become `value` in the document `root`. If that chooses another model (policy, elevator,
// device model, workload), the keys of the text that belong to the old model are taken away.
void forget_replaced_model(Node& root, const KeyPath& path, const Node& value);

}  // namespace seekahead
