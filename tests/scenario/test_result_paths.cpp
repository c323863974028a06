// The paths that expectations may name are those of a real result.
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "sim/scenario/result_paths.hpp"
#include "tests/in_child.hpp"
#include "tests/scenario/run_text.hpp"

using namespace seekahead;
using nlohmann::ordered_json;

namespace {

// Paths of all numbers below `json`.
void collect(const ordered_json& json, const std::string& path, std::vector<std::string>& out) {
  if (json.is_number()) {
    out.push_back(path);
  } else if (json.is_object()) {
    for (const auto& [key, value] : json.items()) {
      collect(value, path + "." + key, out);
    }
  }
}

}  // namespace

TEST_CASE("every number of a result has a path that expectations may name") {
  const std::string result = test::in_child([] {
    return test::run_text(test::fixed_latency_machine(1) + test::process("r", "stream", "\"a\"") +
                          test::process("c", "stream", "\"b\"", "count = 2"))
        .dump();
  });
  const ordered_json json = ordered_json::parse(result);
  std::vector<std::string> paths;
  for (const char* section : {"total", "memory", "block", "readahead", "simulated_s"}) {
    collect(json.at(section), section, paths);
  }
  const std::pair<const char*, const char*> lists[] = {
      {"processes", "process."}, {"process_groups", "process."}, {"devices", "device."}, {"files", "file."}};
  for (const auto& [key, prefix] : lists) {
    for (const ordered_json& item : json.at(key)) {
      collect(item, prefix + item.at("name").get<std::string>(), paths);
    }
  }
  CHECK(paths.size() > 100);
  const ResultNames names{{"r", "c.0", "c.1"}, {"c"}, {"disk"}, {"a", "b"}};
  for (const std::string& path : paths) {
    const PathProblem problem = problem_of_path(path, names);
    INFO(path);
    CHECK(problem.message == "");
  }
}
