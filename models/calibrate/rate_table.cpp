#include "models/calibrate/rate_table.hpp"

#include <algorithm>
#include <cmath>

namespace seekahead {

namespace {

// The three times that a sequential read is made of, in microseconds; linear in them.
double time_us(const FlashParameters& p, double io_bytes, double overhead_us, double page_us,
               double us_per_kb) {
  const double pages = std::ceil(io_bytes / static_cast<double>(p.page_bytes));
  return overhead_us + std::min(pages, static_cast<double>(p.channels)) * page_us +
         io_bytes / 1e3 * us_per_kb;
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
  // Start from what the largest and the smallest size say by themselves.
  const auto by_size = [](const RateRow& a, const RateRow& b) { return a.io_bytes < b.io_bytes; };
  const RateRow largest = *std::max_element(rows.begin(), rows.end(), by_size);
  const RateRow smallest = *std::min_element(rows.begin(), rows.end(), by_size);
  const double us_per_kb = 1e3 / largest.mb_per_s;
  const double smallest_us = static_cast<double>(smallest.io_bytes) / smallest.mb_per_s;
  std::vector<FitParameter> start = {
      {"command_overhead_us", smallest_us / 2, 0, 1e6, 1e-3 * smallest_us},
      {"channel_start_us", smallest_us / 20, 0, 1e6, 1e-3 * smallest_us},
      {"us_per_kb", us_per_kb, us_per_kb / 10, us_per_kb * 10, 1e-3 * us_per_kb},
  };
  const Residuals residuals = [&](const std::vector<double>& x) {
    std::vector<double> r;
    for (const RateRow& row : rows) {
      const auto bytes = static_cast<double>(row.io_bytes);
      r.push_back(time_us(p, bytes, x[0], x[1], x[2]) * row.mb_per_s / bytes - 1);
    }
    return r;
  };
  Fit fit = fit_least_squares(start, residuals);
  p.command_overhead_ns = std::llround(fit.parameters[0].parameter.value * 1e3);
  p.channel_start_ns = std::llround(fit.parameters[1].parameter.value * 1e3);
  p.interface_rate = std::llround(1e9 / fit.parameters[2].parameter.value);
  return fit;
}

}  // namespace seekahead
