#include "sim/scenario/result_paths.hpp"

#include <algorithm>
#include <optional>

#include "sim/scenario/diagnostics.hpp"

namespace seekahead {

namespace {

using Names = std::vector<std::string>;

const Names first_parts = {"total",     "process", "device", "file",
                           "readahead", "memory",  "block",  "simulated_s"};
const Names latencies = {"count", "mean", "p50", "p90", "p99", "p999", "p9999", "max"};
const Names limits = {"max_readahead_pages", "read_ahead_kb", "setra"};

Names with_below(Names keys, const std::string& group, const Names& below) {
  for (const std::string& key : below) {
    keys.push_back(group + "." + key);
  }
  return keys;
}

// The numbers of each part of the result. A part whose numbers depend on the run has none here.
const Names& sum_keys() {
  static const Names keys = with_below(
      {"processes", "bytes_read", "bytes_written", "elapsed_s", "throughput_mb_s"}, "latency_ms", latencies);
  return keys;
}

const Names& process_keys() {
  static const Names keys = with_below({"bytes_read", "bytes_written", "elapsed_s", "throughput_mb_s",
                                        "reads", "writes", "faults", "submissions", "pages_read", "cpu_s"},
                                       "latency_ms", latencies);
  return keys;
}

const Names& device_keys() {
  static const Names keys =
      with_below({"requests", "reads", "bytes", "bytes_read", "mean_request_kib", "utilisation", "seek_s",
                  "rotation_s", "transfer_s", "bus_s", "overhead_s", "queue_s", "cache_hits", "merges",
                  "slot_waits", "mean_queue_depth", "max_queue_depth"},
                 "latency_ms", latencies);
  return keys;
}

const Names& file_keys() {
  static const Names keys =
      with_below({"size_bytes", "start_sector", "bytes", "cached_pages"}, "readahead_limit", limits);
  return keys;
}

const Names& total_of_readahead() {
  static const Names keys = {"windows",   "pages_asked",  "pages_read",
                             "pages_hit", "pages_wasted", "pages_thrashed"};
  return keys;
}

const Names& memory_keys() {
  static const Names keys = {"frames",
                             "cached_pages",
                             "dirty_pages_left",
                             "evictions",
                             "waits",
                             "pages_written_by_daemons",
                             "pages_written_by_writers"};
  return keys;
}

const Names& block_keys() {
  static const Names keys = {"max_request_kib", "request_slots"};
  return keys;
}

PathProblem unknown_key(const std::string& key, const Names& keys, const std::string& of) {
  return {"the result has no number " + in_quotes(key) + " of " + of, suggestion(key, keys, "numbers")};
}

PathProblem check_key(const std::string& key, const Names& keys, const std::string& of) {
  const bool known = std::find(keys.begin(), keys.end(), key) != keys.end();
  return known ? PathProblem{} : unknown_key(key, keys, of);
}

bool is_request_size(const std::string& key) {
  return key.starts_with("request_sizes.up_to_") && key.ends_with("_kib");
}

struct Element {
  std::string name;
  const Names* keys;
};

// Names may hold a dot (the third of `count` readers is "reader.2"): any that the path begins with may be
// meant.
PathProblem check_element(const std::string& rest, const std::vector<Element>& elements,
                          const std::string& what) {
  std::optional<PathProblem> nearest_problem;
  Names names;
  for (const Element& element : elements) {
    names.push_back(element.name);
    if (rest.size() <= element.name.size() + 1 || !rest.starts_with(element.name + ".")) {
      continue;
    }
    const std::string key = rest.substr(element.name.size() + 1);
    PathProblem problem = check_key(key, *element.keys, what + " " + in_quotes(element.name));
    if (problem.message.empty() || (what == "device" && is_request_size(key))) {
      return {};
    }
    nearest_problem = std::move(problem);
  }
  if (nearest_problem) {
    return *nearest_problem;
  }
  const std::string name = rest.substr(0, rest.rfind('.'));
  return {"there is no " + what + " " + in_quotes(name) + ", or nothing of it is named",
          suggestion(name, names, "names")};
}

void add(std::vector<Element>& elements, const Names& names, const Names& keys) {
  for (const std::string& name : names) {
    elements.push_back({name, &keys});
  }
}

PathProblem check_readahead(const std::string& rest, const ResultNames& names) {
  const Names parts = {"total", "limits", "classes", "events", "policy_events", "profile"};
  const std::size_t dot = rest.find('.');
  const std::string part = rest.substr(0, dot);
  if (std::find(parts.begin(), parts.end(), part) == parts.end() || dot == std::string::npos) {
    return unknown_key(rest, parts, "readahead");
  }
  if (part == "total") {
    return check_key(rest.substr(dot + 1), total_of_readahead(), "readahead.total");
  }
  if (part == "limits") {
    std::vector<Element> elements;
    add(elements, names.devices, limits);
    return check_element(rest.substr(dot + 1), elements, "device");
  }
  return {};
}

}  // namespace

PathProblem problem_of_path(const std::string& path, const ResultNames& names) {
  const std::size_t dot = path.find('.');
  const std::string first = path.substr(0, dot);
  if (std::find(first_parts.begin(), first_parts.end(), first) == first_parts.end()) {
    return {"no result begins with " + in_quotes(first), suggestion(first, first_parts, "beginnings")};
  }
  const std::string rest = dot == std::string::npos ? "" : path.substr(dot + 1);
  if (rest.empty() != (first == "simulated_s") || rest.find("..") != std::string::npos ||
      path.back() == '.') {
    return {in_quotes(path) + " is not a path in the result, as in process.NAME.throughput_mb_s", ""};
  }
  std::vector<Element> elements;
  if (first == "process") {
    add(elements, names.processes, process_keys());
    add(elements, names.process_groups, sum_keys());
  } else if (first == "device") {
    add(elements, names.devices, device_keys());
  } else if (first == "file") {
    add(elements, names.files, file_keys());
  } else if (first == "readahead") {
    return check_readahead(rest, names);
  } else if (first == "simulated_s") {
    return {};
  } else {
    return check_key(rest,
                     first == "total"    ? sum_keys()
                     : first == "memory" ? memory_keys()
                                         : block_keys(),
                     first);
  }
  return check_element(rest, elements, first);
}

}  // namespace seekahead
