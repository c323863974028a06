// Reads a scenario text into a tree of nodes: TOML, `include = [...]`, and overrides `KEY=VALUE`.
//
// Includes are relative to the file that includes; the keys of the including file win over included ones,
// later includes over earlier ones; arrays of tables ([[device]]) are joined, included ones first. A file
// that was included already is not read again.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/scenario/node.hpp"

namespace seekahead {

struct Document {
  std::string path;  // "-" for standard input
  Node root;
  // Parts are missing because of a reported problem: what refers to something unknown may refer to those.
  bool incomplete = false;
};

// "-" reads standard input. Nothing is returned only if there is nothing to check at all (no such file).
std::optional<Document> read_document(const std::string& path, Diagnostics& diagnostics);

// `name` stands for the file in messages; includes are relative to its directory.
Document parse_document(std::string_view text, const std::string& name, Diagnostics& diagnostics);

// A value to put in place of, or beside, what the files say.
struct Override {
  std::vector<std::string> path;  // {"device", "hda", "bus", "mode"}
  Node value;
};

// "device.hda.bus.mode=udma5": the value is TOML if it can be read as such, else text as it stands. Elements
// of arrays go by name or index. `option` is how messages call it.
std::optional<Override> parse_override(const std::string& key_and_value, Diagnostics& diagnostics,
                                       std::string_view option = "--set");

// A key of [sweep] with one of its values.
std::optional<std::vector<std::string>> parse_key_path(std::string_view dotted);

// A table sets the keys it has and leaves the others of the scenario's table alone, so that a value of
// [sweep] may name several keys that go together: readahead = [{ policy = "adaptive", kernel = "v15" }, ...].
void apply(Node& root, const Override& override_, Diagnostics& diagnostics);

}  // namespace seekahead
