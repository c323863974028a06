// Runs the operations of a case on a toy page cache.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>

#include "cli/decide/case.hpp"

namespace seekahead::cli {

class Replay {
 public:
  explicit Replay(const Case& the_case);

  // Performs operation number `index`; call it with 0, 1, 2, ... Returns what a read or fault returns.
  std::optional<std::uint64_t> step(std::size_t index);

  ToyCache& cache() { return cache_; }
  const ToyCache& cache() const { return cache_; }
  const ReadaheadDevice& device() const { return *device_; }
  // The policy of a descriptor, opened if it is not open.
  ReadaheadPolicy& policy_of(std::int64_t fd) { return *open_file(fd).policy; }

  // Variables after operation `index`: those of its descriptor, then the device's. Returns false when there
  // is no open descriptor and the device has none.
  bool visit_state(std::size_t index, StateVisitor& visitor) const;

 private:
  struct OpenFile {
    std::unique_ptr<ReadaheadPolicy> policy;
    std::uint64_t position = 0;  // end of the last read
  };
  OpenFile& open_file(std::int64_t fd);
  void close(std::int64_t fd);

  const Case& case_;
  ToyCache cache_;
  std::unique_ptr<ReadaheadDevice> device_;
  std::map<std::int64_t, OpenFile> files_;
};

}  // namespace seekahead::cli
