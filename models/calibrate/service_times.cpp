#include "models/calibrate/service_times.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

#include "models/device/disk.hpp"
#include "sim/device/response_comparison.hpp"

namespace seekahead {

namespace {

constexpr std::size_t most_quantiles = 200;  // of each direction
constexpr double ns_in_ms = 1e6;

// The parameters in the order of the fit; read_miss is added to both overheads of its kind.
enum Index : std::size_t {
  read_hit_after_read,
  read_hit_after_write,
  read_miss,
  write_hit_after_read,
  write_hit_after_write,
  seek_scale,
  seek_offset,
  sector_time,
  count
};

constexpr double in_ms(TimeNs time) { return static_cast<double>(time) / ns_in_ms; }

// Steps are large enough that requests which jump by a revolution average out.
std::vector<FitParameter> start_of(const DiskParameters& p) {
  const OverheadParameters& o = p.overhead;
  const auto overhead = [](const char* name, TimeNs value) {
    return FitParameter{name, in_ms(value), 0, 20, 0.02};
  };
  const double least_miss = std::min(in_ms(o.read_miss_after_read_ns), in_ms(o.read_miss_after_write_ns));
  std::vector<FitParameter> start(Index::count);
  start[read_hit_after_read] = overhead("overhead.read_hit_after_read (ms)", o.read_hit_after_read_ns);
  start[read_hit_after_write] = overhead("overhead.read_hit_after_write (ms)", o.read_hit_after_write_ns);
  start[read_miss] = {"overhead.read_miss_* (ms more)", 0, -least_miss, 20, 0.05};
  start[write_hit_after_read] = overhead("overhead.write_hit_after_read (ms)", o.write_hit_after_read_ns);
  start[write_hit_after_write] = overhead("overhead.write_hit_after_write (ms)", o.write_hit_after_write_ns);
  start[seek_scale] = {"seek curve (factor)", 1, 0.2, 5, 0.01};
  start[seek_offset] = {"seek curve (ms more)", 0, -5, 10, 0.05};
  start[sector_time] = {"bus.sector_time (ms)", in_ms(p.bus.sector_time_ns), 0, 2, 0.002};
  return start;
}

void add(TimeNs& time, double ms) { time = std::max<TimeNs>(0, time + std::llround(ms * ns_in_ms)); }

void change(SeekFigures& seek, double scale, double offset) {
  for (TimeNs* figure : {&seek.single_ns, &seek.average_ns, &seek.full_ns}) {
    if (*figure > 0) {
      add(*figure, in_ms(*figure) * (scale - 1) + offset);
    }
  }
  if (seek.a_ms != 0 || seek.b_ms != 0 || seek.c_ms != 0) {
    seek.a_ms *= scale;
    seek.b_ms *= scale;
    seek.c_ms = std::max(0.0, seek.c_ms * scale + offset);
  }
}

DiskParameters changed(const DiskParameters& base, const std::vector<double>& x) {
  DiskParameters p = base;
  OverheadParameters& o = p.overhead;
  const auto set = [](TimeNs& time, double ms) { time = std::llround(ms * ns_in_ms); };
  set(o.read_hit_after_read_ns, x[read_hit_after_read]);
  set(o.read_hit_after_write_ns, x[read_hit_after_write]);
  add(o.read_miss_after_read_ns, x[read_miss]);
  add(o.read_miss_after_write_ns, x[read_miss]);
  set(o.write_hit_after_read_ns, x[write_hit_after_read]);
  set(o.write_hit_after_write_ns, x[write_hit_after_write]);
  for (SeekPointRow& point : p.mechanics.seek_points) {
    add(point.time_ns, in_ms(point.time_ns) * (x[seek_scale] - 1) + x[seek_offset]);
  }
  change(p.mechanics.read_seek, x[seek_scale], x[seek_offset]);
  change(p.mechanics.write_seek, x[seek_scale], x[seek_offset]);
  if (base.bus.sector_time_ns > 0) {
    p.bus.sector_time_ns = std::max<TimeNs>(1, std::llround(x[sector_time] * ns_in_ms));
  }
  return p;
}

// Replays the measured requests and keeps the response times.
class Run final : public ReplayUser {
 public:
  explicit Run(const std::vector<MeasuredService>& rows) : rows_(rows), responses_ns_(rows.size()) {}

  bool next(ReplayRequest& request) override {
    if (given_ == rows_.size()) {
      return false;
    }
    request = rows_[given_++].request;
    return true;
  }
  void completed(std::uint64_t row, TimeNs arrival_ns, const Completion& completion) override {
    responses_ns_[row] = completion.time_ns - arrival_ns;
  }
  const std::vector<TimeNs>& responses_ns() const { return responses_ns_; }

 private:
  const std::vector<MeasuredService>& rows_;
  std::size_t given_ = 0;
  std::vector<TimeNs> responses_ns_;
};

std::vector<TimeNs> simulate_rows(const DiskParameters& p, const std::vector<MeasuredService>& rows) {
  const std::unique_ptr<BlockDevice> disk = make_disk(p, p.mechanics.start_angle, nullptr, nullptr);
  Run run(rows);
  ReplayOptions options;
  options.outstanding = 1;
  replay(*disk, options, run);
  return run.responses_ns();
}

// Response times of one direction, sorted, in ms.
std::vector<double> sorted_ms(const std::vector<MeasuredService>& rows, bool writes,
                              const std::vector<TimeNs>* responses_ns) {
  std::vector<double> times;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].request.is_write == writes) {
      times.push_back(
          static_cast<double>(responses_ns == nullptr ? rows[i].measured_ns : (*responses_ns)[i]) / ns_in_ms);
    }
  }
  std::sort(times.begin(), times.end());
  return times;
}

// Mean differences of equal parts of two sorted lists, weighted so that their squares count requests.
void compare_quantiles(const std::vector<double>& ours, const std::vector<double>& measured,
                       std::vector<double>& residuals) {
  const std::size_t parts = std::min(most_quantiles, ours.size());
  for (std::size_t q = 0; q < parts; ++q) {
    const std::size_t from = q * ours.size() / parts;
    const std::size_t to = (q + 1) * ours.size() / parts;
    double sum = 0;
    for (std::size_t i = from; i < to; ++i) {
      sum += ours[i] - measured[i];
    }
    const auto n = static_cast<double>(to - from);
    residuals.push_back(sum / n *
                        std::sqrt(n * static_cast<double>(parts) / static_cast<double>(ours.size())));
  }
}

ComparisonResult compare(const std::vector<MeasuredService>& rows, const std::vector<TimeNs>& responses_ns) {
  ResponseComparison comparison(0);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    comparison.add(rows[i].request.is_write, responses_ns[i], rows[i].measured_ns);
  }
  return comparison.result();
}

}  // namespace

ServiceFit fit_service_times(DiskParameters& parameters, const std::vector<MeasuredService>& rows) {
  const DiskParameters base = parameters;
  const std::vector<double> measured_reads = sorted_ms(rows, false, nullptr);
  const std::vector<double> measured_writes = sorted_ms(rows, true, nullptr);
  const Residuals residuals = [&](const std::vector<double>& x) {
    const std::vector<TimeNs> responses_ns = simulate_rows(changed(base, x), rows);
    std::vector<double> r;
    compare_quantiles(sorted_ms(rows, false, &responses_ns), measured_reads, r);
    compare_quantiles(sorted_ms(rows, true, &responses_ns), measured_writes, r);
    return r;
  };
  ServiceFit result;
  result.demerit_before_percent = compare(rows, simulate_rows(base, rows)).all.demerit_percent;
  constexpr int most_iterations = 20;
  result.fit = fit_least_squares(start_of(base), residuals, most_iterations);
  std::vector<double> x;
  for (const FittedParameter& p : result.fit.parameters) {
    x.push_back(p.parameter.value);
  }
  parameters = changed(base, x);
  const ComparisonResult after = compare(rows, simulate_rows(parameters, rows));
  result.demerit_percent = after.all.demerit_percent;
  result.reads_demerit_percent = after.reads.demerit_percent;
  result.writes_demerit_percent = after.writes.demerit_percent;
  return result;
}

}  // namespace seekahead
