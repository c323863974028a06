#include "cli/sweep_table.hpp"

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "sim/scenario/evaluate.hpp"

namespace seekahead::cli {

namespace {

using Json = nlohmann::ordered_json;

struct Column {
  const char* title;
  const char* path;  // from the first device where it says "device"
};

constexpr Column columns[] = {
    {"throughput_mb_s", "total.throughput_mb_s"},
    {"elapsed_s", "total.elapsed_s"},
    {"latency_mean_ms", "total.latency_ms.mean"},
    {"latency_p99_ms", "total.latency_ms.p99"},
    {"requests", "requests"},
    {"mean_request_kib", "mean_request_kib"},
    {"utilisation", "utilisation"},
    {"ra_windows", "readahead.total.windows"},
    {"ra_pages_read", "readahead.total.pages_read"},
    {"ra_pages_wasted", "readahead.total.pages_wasted"},
    {"ra_pages_thrashed", "readahead.total.pages_thrashed"},
};

std::string number(double value) {
  char text[40];
  std::snprintf(text, sizeof text,
                value == static_cast<double>(static_cast<long long>(value)) ? "%.0f" : "%.6g", value);
  return text;
}

// Requests and the like: over all devices (sums; the mean size from sums; the busiest one's utilisation).
double over_devices(const Json& result, const std::string& key) {
  double requests = 0;
  double bytes = 0;
  double busiest = 0;
  for (const Json& device : result.at("devices")) {
    requests += device.at("requests").get<double>();
    bytes += device.at("bytes").get<double>();
    busiest = std::max(busiest, device.at("utilisation").get<double>());
  }
  if (key == "requests") {
    return requests;
  }
  return key == "utilisation" ? busiest : requests > 0 ? bytes / requests / 1024 : 0;
}

std::string figure(const Json& result, const std::string& path) {
  if (path.find('.') == std::string::npos) {
    return number(over_devices(result, path));
  }
  const std::optional<double> value = result_at(result, path);
  return value ? number(*value) : "";
}

std::string value_of(const Node& node) { return node.is_text() ? node.text : value_text(node); }

std::string quoted(const std::string& cell) {
  if (cell.find_first_of(",\"\n") == std::string::npos) {
    return cell;
  }
  std::string text = "\"";
  for (const char c : cell) {
    text += c == '"' ? "\"\"" : std::string(1, c);
  }
  return text + "\"";
}

}  // namespace

SweepTable::SweepTable(const Scenario& scenario, const std::vector<Outcome>& outcomes)
    : scenario_(scenario), outcomes_(outcomes) {
  std::vector<std::string> header;
  if (!scenario.sweep.empty()) {
    for (const SweepValue& value : scenario.sweep.front().values) {
      header.push_back(value.key);
    }
  }
  for (const Column& column : columns) {
    header.push_back(column.title);
  }
  header.push_back("error");
  cells_.push_back(header);
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    std::vector<std::string> row;
    if (!scenario.sweep.empty()) {
      for (const SweepValue& value : scenario.sweep[i].values) {
        row.push_back(value_of(value.value));
      }
    }
    const bool good = outcomes[i].error.empty();
    for (const Column& column : columns) {
      row.push_back(good ? figure(outcomes[i].result, column.path) : "");
    }
    row.push_back(outcomes[i].error);
    cells_.push_back(std::move(row));
  }
}

std::string SweepTable::text() const {
  const bool with_errors = failures() > 0;
  const std::size_t shown = cells_.front().size() - (with_errors ? 0 : 1);
  std::vector<std::size_t> widths(shown);
  for (const auto& row : cells_) {
    for (std::size_t c = 0; c < shown; ++c) {
      widths[c] = std::max(widths[c], row[c].size());
    }
  }
  std::string text;
  for (const auto& row : cells_) {
    std::string line;
    for (std::size_t c = 0; c < shown; ++c) {
      line += std::string(c == 0 ? 0 : 2, ' ') + std::string(widths[c] - row[c].size(), ' ') + row[c];
    }
    text += line + "\n";
  }
  return text;
}

std::string SweepTable::csv() const {
  std::string text;
  for (const auto& row : cells_) {
    for (std::size_t c = 0; c < row.size(); ++c) {
      text += (c == 0 ? "" : ",") + quoted(row[c]);
    }
    text += "\n";
  }
  return text;
}

std::string SweepTable::json() const {
  Json list = Json::array();
  for (std::size_t i = 0; i < outcomes_.size(); ++i) {
    Json point = Json::object();
    if (!scenario_.sweep.empty()) {
      for (const SweepValue& value : scenario_.sweep[i].values) {
        point[value.key] = value.value.is_number() ? Json(value.value.number()) : Json(value_of(value.value));
      }
    }
    Json entry = {{"point", point}};
    if (outcomes_[i].error.empty()) {
      entry["result"] = outcomes_[i].result;
    } else {
      entry["error"] = outcomes_[i].error;
    }
    list.push_back(std::move(entry));
  }
  return list.dump(2) + "\n";
}

std::size_t SweepTable::failures() const {
  return static_cast<std::size_t>(
      std::count_if(outcomes_.begin(), outcomes_.end(), [](const Outcome& o) { return !o.error.empty(); }));
}

}  // namespace seekahead::cli
