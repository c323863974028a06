#include "cli/report.hpp"

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <vector>

namespace seekahead::cli {

namespace {

using Json = nlohmann::ordered_json;

std::string format(const char* pattern, ...) __attribute__((format(printf, 1, 2)));
std::string format(const char* pattern, ...) {
  char line[512];
  va_list arguments;
  va_start(arguments, pattern);
  std::vsnprintf(line, sizeof line, pattern, arguments);
  va_end(arguments);
  return line;
}

double number(const Json& object, const char* key) { return object.at(key).get<double>(); }

std::string shortened(const std::string& text, std::size_t most) {
  return text.size() <= most ? text : text.substr(0, most - 3) + "...";
}

std::string row(const std::string& name, const Json& process) {
  const Json& latency = process.at("latency_ms");
  return format("  %-14s %8.2f MB/s %8.1f MB read %8.1f MB written %9.3f s\n", shortened(name, 14).c_str(),
                number(process, "throughput_mb_s"), number(process, "bytes_read") / 1e6,
                number(process, "bytes_written") / 1e6, number(process, "elapsed_s")) +
         format("  %-14s latency ms: mean %.3f  p50 %.3f  p90 %.3f  p99 %.3f  p99.9 %.3f  max %.3f\n", "",
                number(latency, "mean"), number(latency, "p50"), number(latency, "p90"),
                number(latency, "p99"), number(latency, "p999"), number(latency, "max"));
}

// Few processes are listed; many by group, then only as a sum.
std::string process_part(const Json& result) {
  std::string text = "processes\n";
  const Json& processes = result.at("processes");
  constexpr std::size_t most = 3;
  for (std::size_t i = 0; i < processes.size() && processes.size() <= most; ++i) {
    text += row(processes[i].at("name"), processes[i]);
  }
  if (processes.size() > 1) {
    text += row(format("all %zu", processes.size()), result.at("total"));
  }
  return text;
}

std::string device_part(const Json& device) {
  const double seek = number(device, "seek_s");
  const double rotation = number(device, "rotation_s");
  const double transfer = number(device, "transfer_s");
  const double bus = number(device, "bus_s");
  const double overhead = number(device, "overhead_s");
  const double queue = number(device, "queue_s");
  const double all = std::max(seek + rotation + transfer + bus + overhead + queue, 1e-12) / 100;
  const double requests = number(device, "requests");
  return format(
             "  %-14s %.0f requests of %.1f KiB, %.1f %% busy, queue %.1f (max %.0f), cache hits %.1f %%\n",
             shortened(device.at("name"), 14).c_str(), requests, number(device, "mean_request_kib"),
             100 * number(device, "utilisation"), number(device, "mean_queue_depth"),
             number(device, "max_queue_depth"),
             requests > 0 ? 100 * number(device, "cache_hits") / requests : 0) +
         format(
             "  %-14s time: seek %.1f %%  rotation %.1f %%  transfer %.1f %%  bus %.1f %%  overhead %.1f %%  "
             "queue "
             "%.1f %%\n",
             "", seek / all, rotation / all, transfer / all, bus / all, overhead / all, queue / all);
}

// One limit for all devices, or each device's.
std::string limit_text(const Json& limits) {
  std::vector<std::string> texts;
  std::string by_device;
  for (const auto& [device, limit] : limits.items()) {
    texts.push_back(format("%.0f pages = %.0f KiB = setra %.0f", number(limit, "max_readahead_pages"),
                           number(limit, "read_ahead_kb"), number(limit, "setra")));
    by_device += "\n  " + shortened(device, 14) + ": " + texts.back();
  }
  std::sort(texts.begin(), texts.end());
  texts.erase(std::unique(texts.begin(), texts.end()), texts.end());
  constexpr std::size_t most = 4;
  return texts.size() == 1       ? texts.front()
         : limits.size() <= most ? by_device
                                 : format("%zu different limits", texts.size());
}

std::string class_row(const std::string& name, const Json& counters) {
  const double read = number(counters, "pages_read");
  const double windows = number(counters, "windows");
  return format(
      "  %-14s %8.0f windows %10.0f pages read (%.1f each), %5.1f %% used, %.0f wasted, %.0f thrashed\n",
      name.c_str(), windows, read, windows > 0 ? read / windows : 0,
      read > 0 ? 100 * number(counters, "pages_hit") / read : 0, number(counters, "pages_wasted"),
      number(counters, "pages_thrashed"));
}

// The profile lines of linux-2.4.
std::string profile_part(const Json& profile) {
  const Json& average = profile.at("average");
  const Json& last = profile.at("snapshot");
  return format("  Readahead average:  max=%.0f, len=%.0f, win=%.0f, async=%.0f%%\n", number(average, "max"),
                number(average, "len"), number(average, "win"), number(profile, "async_percent")) +
         format("  Readahead snapshot: max=%.0f, len=%.0f, win=%.0f, raend=%.0f\n", number(last, "max"),
                number(last, "len"), number(last, "win"), number(last, "raend"));
}

std::string readahead_part(const Json& readahead) {
  std::string text = format("readahead: %s, %s\n", readahead.at("policy").get<std::string>().c_str(),
                            limit_text(readahead.at("limits")).c_str());
  std::vector<std::pair<std::string, const Json*>> classes;
  for (const auto& [name, counters] : readahead.at("classes").items()) {
    classes.emplace_back(name, &counters);
  }
  std::stable_sort(classes.begin(), classes.end(), [](const auto& a, const auto& b) {
    return number(*a.second, "pages_read") > number(*b.second, "pages_read");
  });
  constexpr std::size_t most = 4;
  for (std::size_t i = 0; i < std::min(classes.size(), most); ++i) {
    text += class_row(classes[i].first, *classes[i].second);
  }
  if (classes.size() > 1) {
    text += class_row("all", readahead.at("total"));
  }
  if (readahead.contains("profile")) {
    text += profile_part(readahead.at("profile"));
  }
  return text;
}

}  // namespace

std::string report(const nlohmann::ordered_json& result) {
  std::string text = format("%s\n", shortened(result.at("scenario"), 100).c_str());
  text += format("seed %llu, %.3f s simulated%s\n",
                 static_cast<unsigned long long>(result.at("seed").get<std::uint64_t>()),
                 number(result, "simulated_s"), result.contains("interrupted") ? ", INTERRUPTED" : "");
  if (!result.at("point").empty()) {
    text += shortened("point: " + result.at("point").dump(), 100) + "\n";
  }
  text += process_part(result);
  text += "devices\n";
  const Json& devices = result.at("devices");
  constexpr std::size_t most = 2;
  for (std::size_t i = 0; i < std::min(devices.size(), most); ++i) {
    text += device_part(devices[i]);
  }
  if (devices.size() > most) {
    text += format("  and %zu more: see --json\n", devices.size() - most);
  }
  text += readahead_part(result.at("readahead"));
  const Json& memory = result.at("memory");
  text +=
      format("memory: %.0f MiB for the page cache, %.0f evictions, %.0f dirty pages left\n",
             number(memory, "frames") / 256, number(memory, "evictions"), number(memory, "dirty_pages_left"));
  text += "next: --json for every figure, --set KEY=VALUE to change one thing, --trace for each decision\n";
  return text;
}

}  // namespace seekahead::cli
