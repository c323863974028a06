// Parameters of the `fixed-latency` device, shared with the tests that check its arithmetic.
#pragma once

#include "sim/scenario/registry.hpp"

namespace seekahead {

struct FixedLatencyParameters : Parameters {
  TimeNs access_ns = 8 * ns_per_ms;
  std::int64_t bandwidth = 100 << 20;  // bytes per second
  std::int64_t capacity_bytes = std::int64_t{1} << 40;
  std::int64_t max_request_bytes = 1 << 30;  // no limit of its own
  std::int64_t queue_depth = 1;
  void visit(ParameterVisitor& v) override;
  void check(const ProblemSink& problem) const override;
};

std::unique_ptr<BlockDevice> make_fixed_latency(const FixedLatencyParameters& parameters,
                                                const DeviceContext& context);

}  // namespace seekahead
