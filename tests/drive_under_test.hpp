// Drives of the catalogue for tests: loaded as `seekahead replay` loads them, asked without an engine.
#pragma once

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "models/builtin.hpp"
#include "models/device/disk.hpp"
#include "models/device/disk_parameters.hpp"
#include "sim/device/replay.hpp"
#include "sim/device/request_trace.hpp"
#include "sim/device/response_comparison.hpp"
#include "sim/scenario/drive_file.hpp"

namespace seekahead {

// Parameters of a drive of the catalogue with overrides as on the command line ("queue.depth=8").
inline DiskParameters catalogue_disk(const std::string& id, const std::vector<std::string>& sets = {}) {
  Registry registry;
  register_builtin_models(registry);
  Diagnostics diagnostics;
  const auto drive = load_drive(registry, id, sets, diagnostics);
  REQUIRE(diagnostics.ok());
  REQUIRE(drive.has_value());
  const auto* parameters = dynamic_cast<const DiskParameters*>(drive->device.parameters.get());
  REQUIRE(parameters != nullptr);
  return *parameters;
}

inline std::unique_ptr<BlockDevice> disk_of(const DiskParameters& parameters) {
  return make_disk(parameters, parameters.mechanics.start_angle, nullptr, nullptr);
}

inline TimeNs rotation_of(const DiskParameters& parameters) {
  return static_cast<TimeNs>(std::llround(60e9 / parameters.mechanics.rpm));
}

inline std::string diskref(const std::string& name) {
  return std::string(SEEKAHEAD_SOURCE_DIR) + "/tests/data/diskref/" + name;
}

// Replays a trace file and compares it with the reference in it.
class TraceComparison : public ReplayUser {
 public:
  TraceComparison(const std::string& path, const DiskParameters& parameters)
      : trace_(path), comparison_(rotation_of(parameters)), device_(disk_of(parameters)) {
    REQUIRE(trace_.read_header());
    trace_.limit(device_->capacity_sectors(), device_->max_request_sectors());
  }

  ComparisonResult run(const ReplayOptions& options) {
    replay(*device_, options, *this);
    REQUIRE(trace_.problems().empty());
    return comparison_.result();
  }

  bool next(ReplayRequest& request) override {
    TraceRow row;
    if (!trace_.next(row)) {
      return false;
    }
    request = row.request;
    reference_ns_.push_back(row.reference_ns);
    is_write_.push_back(request.is_write);
    return true;
  }

  void completed(std::uint64_t row, TimeNs arrival_ns, const Completion& completion) override {
    const auto i = static_cast<std::size_t>(row);
    comparison_.add(is_write_[i], completion.time_ns - arrival_ns, reference_ns_[i]);
    const ServiceTime& s = completion.service;
    const TimeNs sum = s.overhead_ns + s.seek_ns + s.rotation_ns + s.transfer_ns + s.bus_ns + s.queue_ns;
    shares_add_up_ = shares_add_up_ && sum <= completion.time_ns - arrival_ns && sum > 0;
  }

  bool shares_add_up() const { return shares_add_up_; }

 private:
  RequestTrace trace_;
  ResponseComparison comparison_;
  std::unique_ptr<BlockDevice> device_;
  std::vector<TimeNs> reference_ns_;
  std::vector<bool> is_write_;
  bool shares_add_up_ = true;
};

}  // namespace seekahead
