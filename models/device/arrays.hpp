// Parameters of the devices made of other devices, shared with their tests.
#pragma once

#include <string>
#include <vector>

#include "sim/scenario/registry.hpp"

namespace seekahead {

// Striping without redundancy, in software or by an array controller.
struct Raid0Parameters : Parameters {
  std::vector<std::string> devices;  // names of other [[device]]s ...
  std::string member_drive;          // ... or one drive of the catalogue, `members` times
  std::int64_t members = 2;
  std::int64_t chunk_bytes = 64 << 10;
  bool gather = true;
  bool inherit_max_request = false;
  std::int64_t max_request_bytes = 1 << 20;
  std::int64_t queue_depth = 128;
  TimeNs controller_overhead_ns = 0;
  std::int64_t link_rate = 0;
  TimeNs link_overhead_ns = 0;
  bool synchronised_spindles = false;
  void visit(ParameterVisitor& v) override;
  void check(const ProblemSink& problem) const override;
  void without_effect(const ProblemSink& unused) const override;
};

// One device behind the other.
struct LinearParameters : Parameters {
  std::vector<std::string> devices;
  void visit(ParameterVisitor& v) override;
  void check(const ProblemSink& problem) const override;
};

// A part of one device.
struct PartitionParameters : Parameters {
  std::string device;
  std::int64_t start_sector = 0;
  std::int64_t size_bytes = 0;
  void visit(ParameterVisitor& v) override;
  void check(const ProblemSink& problem) const override;
};

// They throw std::runtime_error with a message for the user when the members do not suit.
std::unique_ptr<BlockDevice> make_raid0(const Raid0Parameters& parameters, const DeviceContext& context);
std::unique_ptr<BlockDevice> make_linear(const LinearParameters& parameters, const DeviceContext& context);
std::unique_ptr<BlockDevice> make_partition(const PartitionParameters& parameters,
                                            const DeviceContext& context);

}  // namespace seekahead
