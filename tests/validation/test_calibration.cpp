// Calibration is asked to find parameters that are known, because the "measurements" come from a drive with
// other parameters than the one it starts from.
#include <catch2/catch.hpp>
#include <cmath>
#include <optional>

#include "models/builtin.hpp"
#include "models/calibrate/seek_points.hpp"
#include "models/calibrate/service_times.hpp"
#include "models/device/disk.hpp"
#include "sim/engine/random.hpp"
#include "sim/scenario/drive_file.hpp"

using namespace seekahead;

namespace {

DiskParameters drive(const std::string& id) {
  static Registry registry;
  if (registry.devices.all().empty()) {
    register_builtin_models(registry);
  }
  Diagnostics diagnostics;
  const auto loaded = load_drive(registry, id, std::vector<std::string>(), diagnostics);
  REQUIRE(loaded);
  return dynamic_cast<const DiskParameters&>(*loaded->device.parameters);
}

// Random reads and writes of 2 to 16 KiB, a third of them behind the one before, with time to think.
std::vector<MeasuredService> workload(std::size_t count) {
  Random random(3, "calibration");
  std::vector<MeasuredService> rows(count);
  SectorNumber next = 0;
  for (MeasuredService& row : rows) {
    ReplayRequest& r = row.request;
    r.sectors = random.between(1, 8) * 4;
    r.lbn = random.below(3) == 0 ? next : random.between(0, 17'000'000);
    r.is_write = random.below(3) == 0;
    r.think_ns = random.between(1, 60) * ns_per_ms;
    next = r.lbn + r.sectors;
  }
  return rows;
}

struct Measurer : ReplayUser {
  std::vector<MeasuredService>& rows;
  std::size_t given = 0;
  explicit Measurer(std::vector<MeasuredService>& of) : rows(of) {}
  bool next(ReplayRequest& request) override {
    if (given == rows.size()) {
      return false;
    }
    request = rows[given++].request;
    return true;
  }
  void completed(std::uint64_t row, TimeNs arrival_ns, const Completion& c) override {
    rows[row].measured_ns = c.time_ns - arrival_ns;
  }
};

void measure(const DiskParameters& p, std::vector<MeasuredService>& rows) {
  const auto disk = make_disk(p, 0.37, nullptr, nullptr);  // another phase than the fit's
  Measurer measurer(rows);
  ReplayOptions options;
  options.outstanding = 1;
  replay(*disk, options, measurer);
}

const FittedParameter& find(const Fit& fit, const std::string& beginning) {
  for (const FittedParameter& p : fit.parameters) {
    if (p.parameter.name.rfind(beginning, 0) == 0) {
      return p;
    }
  }
  FAIL(beginning);
  throw std::logic_error("unreachable");
}

}  // namespace

TEST_CASE("calibration finds the overheads and seeks of a drive that answers slower") {
  const DiskParameters base = drive("cheetah9lp");
  DiskParameters truth = base;
  truth.overhead.read_hit_after_read_ns += 300'000;
  truth.overhead.write_hit_after_read_ns -= 200'000;
  for (SeekPointRow& point : truth.mechanics.seek_points) {
    point.time_ns = point.time_ns * 11 / 10;
  }
  std::vector<MeasuredService> rows = workload(6000);
  measure(truth, rows);

  DiskParameters fitted = base;
  const ServiceFit result = fit_service_times(fitted, rows);
  CHECK(result.demerit_before_percent > 4);
  CHECK(result.demerit_percent < 1);
  const auto overhead_ms = [&result](const char* name) { return find(result.fit, name).parameter.value; };
  CHECK(overhead_ms("overhead.read_hit_after_read") == Approx(0.366).margin(0.05));
  CHECK(overhead_ms("overhead.write_hit_after_read") == Approx(0.548).margin(0.05));
  CHECK(find(result.fit, "bus.sector_time").parameter.value == Approx(0.105).margin(0.005));
  // What counts is the curve: factor and addition can make up for each other a little.
  for (std::size_t i = 0; i < base.mechanics.seek_points.size(); i += 10) {
    const double want = static_cast<double>(truth.mechanics.seek_points[i].time_ns) / 1e6;
    const double got = static_cast<double>(fitted.mechanics.seek_points[i].time_ns) / 1e6;
    CHECK(got == Approx(want).margin(0.2));
  }
}

TEST_CASE("calibration says that reads alone do not tell the overheads of writes") {
  const DiskParameters base = drive("cheetah9lp");
  std::vector<MeasuredService> rows = workload(500);
  for (MeasuredService& row : rows) {
    row.request.is_write = false;
  }
  measure(base, rows);
  DiskParameters fitted = base;
  const ServiceFit result = fit_service_times(fitted, rows);
  CHECK(find(result.fit, "overhead.write_hit_after_read").undetermined);
  CHECK(find(result.fit, "overhead.write_hit_after_write").undetermined);
  CHECK_FALSE(find(result.fit, "overhead.read_hit_after_read").undetermined);
  CHECK(fitted.overhead.write_hit_after_read_ns == base.overhead.write_hit_after_read_ns);
}

TEST_CASE("a seek curve is found again from points on it") {
  DiskParameters p = drive("dtla307045");
  const double a = 0.083;
  const double b = -1.7e-5;
  const double c = 1.2;
  std::vector<MeasuredSeek> rows;
  for (const std::int64_t d : {1, 10, 100, 1000, 5000, 12000, 28000}) {
    const auto steps = static_cast<double>(d - 1);
    rows.push_back({d, a * std::sqrt(steps) + b * steps + c});
  }
  const Fit fit = fit_seek_curve(p, rows);
  CHECK(fit.rms < 1e-6);
  CHECK(p.mechanics.seek == "formula");
  CHECK(p.mechanics.read_seek.a_ms == Approx(a).epsilon(1e-6));
  CHECK(p.mechanics.read_seek.b_ms == Approx(b).epsilon(1e-4));
  CHECK(p.mechanics.read_seek.c_ms == Approx(c).epsilon(1e-6));
}
