// seekahead calibrate: fits the parameters of a drive to measurements of a real one.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string>

#include "cli/calibrate/drive_writer.hpp"
#include "cli/calibrate/measurements.hpp"
#include "cli/option_parser.hpp"
#include "cli/scenario_options.hpp"
#include "models/builtin.hpp"
#include "sim/scenario/drive_maker.hpp"

namespace seekahead::cli {

namespace {

// What came out of a fit, for the report.
struct Calibration {
  Fit fit;
  std::string residual_unit;
  std::vector<std::string> keys;    // of the drive file that changed
  std::vector<std::string> limits;  // what such measurements cannot tell at all
  std::optional<ServiceFit> service;
};

OptionParser calibrate_options() {
  OptionParser options(
      "calibrate", "MEASUREMENTS --drive ID|FILE [-o FILE] [OPTION]...",
      "Fits a drive to measurements and writes a drive file. MEASUREMENTS is CSV with columns\n"
      "lbn, blocks, is_read, measured_ms, gap_to_next_arrival_ms (service times of a disk), or\n"
      "io_size, mb_s (rate of sequential reading: flash or fixed-latency), or\n"
      "cylinders, seek_ms (seek times of a disk).");
  options.value("drive", "ID|FILE", "the drive to start from");
  options.list("set", "KEY=VALUE", "another value of a parameter of that drive");
  options.value("output,o", "FILE", "the drive file to write; default ID-calibrated.toml");
  options.flag("json", "print the outcome as JSON");
  options.positional(1, 1, "one file of measurements");
  options.example("seekahead calibrate measured_atlas10k.csv.gz --drive atlas10k -o mine.toml");
  return options;
}

Calibration calibrate_disk(DiskParameters& p, const Measurements& m) {
  Calibration c;
  c.residual_unit = "ms";
  if (m.kind == Measurements::Kind::seeks) {
    c.fit = fit_seek_curve(p, m.seeks);
    c.keys = {"mechanics.seek", "mechanics.read_seek"};
    c.limits = {"seek times of writes: taken to be those of reads", "everything but the seek curve"};
  } else if (m.kind == Measurements::Kind::service_times) {
    c.service = fit_service_times(p, m.services);
    c.fit = c.service->fit;
    c.keys = {"overhead", p.mechanics.seek == "points" ? "mechanics.seek_points" : "mechanics.read_seek"};
    if (p.bus.sector_time_ns > 0) {
      c.keys.emplace_back("bus.sector_time");
    }
    c.limits = {"the rotational phase of the real drive: distributions are compared, not single requests",
                "layout, rotation, cache segments: taken from the drive"};
  } else {
    throw std::runtime_error(
        "rates of sequential reading fit devices of model flash or fixed-latency; a disk needs service times "
        "(lbn, blocks, is_read, measured_ms) or seek times (cylinders, seek_ms)");
  }
  return c;
}

Calibration calibrate_by_rates(Parameters& parameters, const Measurements& m) {
  if (m.kind != Measurements::Kind::rates) {
    throw std::runtime_error(
        "service times and seek times fit disks; this device needs rates (io_size, mb_s)");
  }
  Calibration c;
  c.residual_unit = "of the time of a request";
  if (auto* flash = dynamic_cast<FlashParameters*>(&parameters)) {
    c.fit = fit_flash(*flash, m.rates);
    c.keys = {"command_overhead", "channel_start", "interface_rate"};
    c.limits = {"channels, page, page_read: one sequential stream does not show them",
                "everything about writes"};
  } else if (auto* fixed = dynamic_cast<FixedLatencyParameters*>(&parameters)) {
    c.fit = fit_fixed_latency(*fixed, m.rates);
    c.keys = {"access", "bandwidth"};
  } else {
    throw std::runtime_error("devices of this model cannot be calibrated; calibrate a member");
  }
  return c;
}

Calibration calibrate(Parameters& parameters, const Measurements& m) {
  if (auto* disk = dynamic_cast<DiskParameters*>(&parameters)) {
    return calibrate_disk(*disk, m);
  }
  return calibrate_by_rates(parameters, m);
}

std::string remark(const FittedParameter& p) {
  return p.undetermined ? "not determined by these data" : p.at_bound ? "at its bound" : "";
}

std::string interval(const FittedParameter& p) {
  char text[40];
  std::snprintf(text, sizeof text, "+-%.3g", p.half_width);
  return p.half_width < 0 ? "?" : text;
}

void print_report(const LoadedDrive& drive, const Calibration& c, std::size_t rows, const std::string& path) {
  std::printf("%s: fitted to %zu measurements in %d steps\n\n", drive.name.c_str(), rows, c.fit.iterations);
  std::printf("%-36s %12s %12s\n", "parameter", "fitted", "95 %");
  for (const FittedParameter& p : c.fit.parameters) {
    std::printf("%-36s %12.6g %12s  %s\n", p.parameter.name.c_str(), p.parameter.value + 0.0,
                interval(p).c_str(), remark(p).c_str());
  }
  std::printf("\nresiduals: rms %.4g %s before, %.4g after\n", c.fit.rms_before, c.residual_unit.c_str(),
              c.fit.rms);
  constexpr std::size_t most_listed = 40;
  if (!c.service && c.fit.residuals.size() <= most_listed) {
    std::printf("row by row:");
    for (const double residual : c.fit.residuals) {
      std::printf(" %.3g", residual);
    }
    std::printf("\n");
  }
  if (c.service) {
    std::printf("demerit: %.2f %% of the mean before, %.2f %% after (reads %.2f %%, writes %.2f %%)\n",
                c.service->demerit_before_percent, c.service->demerit_percent,
                c.service->reads_demerit_percent, c.service->writes_demerit_percent);
  }
  for (const std::string& limit : c.limits) {
    std::printf("not told by such data: %s\n", limit.c_str());
  }
  std::printf("\nwritten: %s\n", path.c_str());
}

void print_json(const LoadedDrive& drive, const Calibration& c, std::size_t rows, const std::string& path) {
  nlohmann::ordered_json json = {{"drive", drive.id}, {"measurements", rows}, {"output", path}};
  json["parameters"] = nlohmann::ordered_json::array();
  for (const FittedParameter& p : c.fit.parameters) {
    nlohmann::ordered_json one = {{"name", p.parameter.name}, {"value", p.parameter.value}};
    one["half_width_95"] = p.half_width < 0 ? nlohmann::ordered_json() : nlohmann::ordered_json(p.half_width);
    one["undetermined"] = p.undetermined;
    one["at_bound"] = p.at_bound;
    json["parameters"].push_back(std::move(one));
  }
  json["residual_unit"] = c.residual_unit;
  json["residual_rms_before"] = c.fit.rms_before;
  json["residual_rms"] = c.fit.rms;
  json["residuals"] = c.fit.residuals;
  if (c.service) {
    json["demerit_before_percent"] = c.service->demerit_before_percent;
    json["demerit_percent"] = c.service->demerit_percent;
    json["reads_demerit_percent"] = c.service->reads_demerit_percent;
    json["writes_demerit_percent"] = c.service->writes_demerit_percent;
  }
  json["not_told"] = c.limits;
  std::puts(json.dump(2).c_str());
}

std::vector<DriveSource> sources_of(const Calibration& c, std::size_t rows, const std::string& measurements) {
  std::vector<DriveSource> sources;
  char rms[40];
  std::snprintf(rms, sizeof rms, "%.3g", c.fit.rms);
  for (const std::string& key : c.keys) {
    sources.push_back({key, "calibrated with " + std::to_string(rows) + " measurements of " + measurements,
                       "residual rms " + std::string(rms) + " " + c.residual_unit});
  }
  return sources;
}

std::string output_of(const OptionParser& options, const LoadedDrive& drive) {
  return options.has("output") ? options.text("output")
                               : std::filesystem::path(drive.path).stem().string() + "-calibrated.toml";
}

// The file must be one that `replay` accepts.
bool is_accepted(const Registry& registry, const std::string& path, Diagnostics& diagnostics) {
  const std::string with_folder = path.find('/') == std::string::npos ? "./" + path : path;
  return load_drive(registry, with_folder, std::vector<std::string>(), diagnostics).has_value();
}

int run(const OptionParser& options, const Registry& registry, LoadedDrive& drive, Diagnostics& diagnostics) {
  const std::string measurements_path = options.arguments().front();
  DeviceContext context;
  context.make_drive = make_drive_maker(registry);
  const Measurements m = read_measurements(measurements_path, *drive.device.make(context));
  if (!m.problems.empty()) {
    for (const std::string& problem : m.problems) {
      std::fprintf(stderr, "%s\n", problem.c_str());
    }
    return 2;
  }
  const Calibration c = calibrate(*drive.device.parameters, m);
  const bool tells_nothing = std::all_of(c.fit.parameters.begin(), c.fit.parameters.end(),
                                         [](const FittedParameter& p) { return p.undetermined; });
  if (tells_nothing) {
    std::fprintf(stderr,
                 "seekahead calibrate: error: these %zu measurements determine no parameter of the drive; "
                 "nothing was written\n",
                 m.rows());
    return 1;
  }
  const std::string path = output_of(options, drive);
  const std::string file_name = std::filesystem::path(measurements_path).filename().string();
  write_drive(drive, drive.description + "; calibrated with " + file_name, sources_of(c, m.rows(), file_name),
              path);
  if (!is_accepted(registry, path, diagnostics)) {
    return refuse(diagnostics);
  }
  if (options.has("json")) {
    print_json(drive, c, m.rows(), path);
  } else {
    print_report(drive, c, m.rows(), path);
  }
  return 0;
}

}  // namespace

int run_calibrate(const Arguments& arguments) {
  OptionParser options = calibrate_options();
  if (const std::optional<int> status = options.parse(arguments)) {
    return *status;
  }
  if (!options.has("drive")) {
    return options.mistake("--drive ID or --drive FILE is needed; `seekahead drives` lists the ids");
  }
  if (options.arguments().front() == "-") {
    return options.mistake("measurements are read more than once: name a file");
  }
  Registry registry;
  register_builtin_models(registry);
  Diagnostics diagnostics;
  std::optional<LoadedDrive> drive =
      load_drive(registry, options.text("drive"), options.texts("set"), diagnostics);
  if (!drive || !diagnostics.ok()) {
    return refuse(diagnostics);
  }
  try {
    return run(options, registry, *drive, diagnostics);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "seekahead calibrate: error: %s\n", error.what());
    return 2;
  }
}

}  // namespace seekahead::cli
