#include "models/calibrate/rate_table.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

namespace seekahead {

namespace {

// The three times that a sequential read is made of, in microseconds; linear in them.
double time_us(const FlashParameters& p, double io_bytes, double overhead_us, double start_us,
               double us_per_kb) {
  const double pages = std::ceil(io_bytes / static_cast<double>(p.page_bytes));
  return overhead_us + std::min(pages, static_cast<double>(p.channels)) * start_us +
         io_bytes / 1e3 * us_per_kb;
}

// What the largest and the smallest size say by themselves: where a fit starts.
struct Extremes {
  double us_per_kb = 0;
  double smallest_us = 0;
};

Extremes extremes_of(const std::vector<RateRow>& rows) {
  const auto by_size = [](const RateRow& a, const RateRow& b) { return a.io_bytes < b.io_bytes; };
  const RateRow largest = *std::max_element(rows.begin(), rows.end(), by_size);
  const RateRow smallest = *std::min_element(rows.begin(), rows.end(), by_size);
  return {1e3 / largest.mb_per_s, static_cast<double>(smallest.io_bytes) / smallest.mb_per_s};
}

// Fits the time of one request, with relative residuals.
Fit fit_times(const std::vector<FitParameter>& start, const std::vector<RateRow>& rows,
              const std::function<double(double bytes, const std::vector<double>& x)>& request_us) {
  return fit_least_squares(start, [&](const std::vector<double>& x) {
    std::vector<double> r;
    for (const RateRow& row : rows) {
      const auto bytes = static_cast<double>(row.io_bytes);
      r.push_back(request_us(bytes, x) * row.mb_per_s / bytes - 1);
    }
    return r;
  });
}

}  // namespace

double sequential_rate_mb_s(BlockDevice& device, std::int64_t io_bytes) {
  const std::int64_t sectors = io_bytes / sector_bytes;
  const std::int64_t fit = device.capacity_sectors() / sectors;
  const std::int64_t requests = std::min<std::int64_t>(fit, 64);
  TimeNs now = 0;
  TimeNs first_ns = 0;  // the first request has nothing read ahead
  std::vector<Completion> done;
  for (std::int64_t i = 0; i < requests; ++i) {
    device.submit(now, {0, i * sectors, sectors, false});
    for (done.clear(); done.empty();) {
      now = device.next_event_ns();
      device.advance(now, done);
    }
    first_ns = i == 0 ? now : first_ns;
  }
  const bool only_one = requests == 1;
  const auto bytes = static_cast<double>((only_one ? 1 : requests - 1) * sectors * sector_bytes);
  return bytes * 1e3 / static_cast<double>(only_one ? now : now - first_ns);
}

double flash_rate_mb_s(const FlashParameters& p, double io_bytes) {
  return io_bytes / time_us(p, io_bytes, static_cast<double>(p.command_overhead_ns) / 1e3,
                            static_cast<double>(p.channel_start_ns) / 1e3,
                            1e9 / static_cast<double>(p.interface_rate));
}

Fit fit_flash(FlashParameters& p, const std::vector<RateRow>& rows) {
  const Extremes seen = extremes_of(rows);
  const std::vector<FitParameter> start = {
      {"command_overhead (us)", seen.smallest_us / 2, 0, 1e9, 1e-3 * seen.smallest_us},
      {"channel_start (us)", seen.smallest_us / 20, 0, 1e9, 1e-3 * seen.smallest_us},
      {"interface_rate (us a kB)", seen.us_per_kb, seen.us_per_kb / 10, seen.us_per_kb * 10,
       1e-3 * seen.us_per_kb},
  };
  Fit fit = fit_times(start, rows, [&p](double bytes, const std::vector<double>& x) {
    return time_us(p, bytes, x[0], x[1], x[2]);
  });
  p.command_overhead_ns = std::llround(fit.parameters[0].parameter.value * 1e3);
  p.channel_start_ns = std::llround(fit.parameters[1].parameter.value * 1e3);
  p.interface_rate = std::llround(1e9 / fit.parameters[2].parameter.value);
  return fit;
}

Fit fit_fixed_latency(FixedLatencyParameters& p, const std::vector<RateRow>& rows) {
  const Extremes seen = extremes_of(rows);
  const std::vector<FitParameter> start = {
      {"access (us)", seen.smallest_us / 2, 0, 1e9, 1e-3 * seen.smallest_us},
      {"bandwidth (us a kB)", seen.us_per_kb, seen.us_per_kb / 100, seen.us_per_kb * 10,
       1e-3 * seen.us_per_kb},
  };
  Fit fit = fit_times(start, rows,
                      [](double bytes, const std::vector<double>& x) { return x[0] + bytes / 1e3 * x[1]; });
  p.access_ns = std::llround(fit.parameters[0].parameter.value * 1e3);
  p.bandwidth = std::llround(1e9 / fit.parameters[1].parameter.value);
  return fit;
}

}  // namespace seekahead
