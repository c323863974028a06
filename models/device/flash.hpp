// Parameters of the flash device, shared with calibration and tests.
#pragma once

#include "sim/scenario/registry.hpp"

namespace seekahead {

struct FlashParameters : Parameters {
  std::int64_t capacity_bytes = 80'000'000'000;
  std::int64_t channels = 10;
  std::int64_t page_bytes = 4096;
  TimeNs page_read_ns = 50 * ns_per_us;
  TimeNs page_program_ns = 250 * ns_per_us;
  bool prefetch = true;
  TimeNs command_overhead_ns = 20 * ns_per_us;
  TimeNs channel_start_ns = 7 * ns_per_us;
  std::int64_t interface_rate = 265'000'000;
  std::int64_t write_buffer_bytes = 0;
  std::int64_t queue_depth = 32;
  std::int64_t max_request_bytes = 32 << 20;
  void visit(ParameterVisitor& v) override;
  void check(const ProblemSink& problem) const override;
  void without_effect(const ProblemSink& unused) const override;
};

std::unique_ptr<BlockDevice> make_flash(const FlashParameters& parameters, const DeviceContext& context);

}  // namespace seekahead
