// A readahead policy on one file of a toy page cache, for tests that state what is read in which order.
#pragma once

#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "cli/decide/case_reader.hpp"
#include "models/builtin.hpp"
#include "sim/file/toy_cache.hpp"

namespace seekahead::testing {

inline const Registry& builtin_registry() {
  static const Registry registry = [] {
    Registry made;
    register_builtin_models(made);
    return made;
  }();
  return registry;
}

struct Io {
  PageIndex start;
  std::uint64_t pages;
  std::string window_class;

  bool operator==(const Io&) const = default;
};

inline std::ostream& operator<<(std::ostream& out, const Io& io) {
  return out << io.start << "+" << io.pages << " " << io.window_class;
}

class PolicyOnToy {
 public:
  // `parameters` are further keys of a case: R"(,"quick_start":true)".
  PolicyOnToy(const std::string& policy, const std::string& kernel, std::uint64_t file_pages,
              std::uint64_t ra_pages, const std::string& parameters = "", ToyIo io = ToyIo::lazy)
      : cache(file_pages * page_bytes, io, 262144) {
    const std::string line = R"({"case":"test","policy":")" + policy + R"(","kernel":")" + kernel +
                             R"(","file_pages":)" + std::to_string(file_pages) + R"(,"file_size":)" +
                             std::to_string(file_pages * page_bytes) + R"(,"ra_pages":)" +
                             std::to_string(ra_pages) + R"(,"vm_pages":262144,"io":"lazy","ops":[])" +
                             parameters + "}";
    std::vector<cli::CaseProblem> problems;
    const std::optional<cli::Case> made = cli::read_case(builtin_registry(), {}, line, problems);
    if (!made) {
      throw std::runtime_error(problems.front().message);
    }
    device = made->model->make(*made->parameters, made->limits);
    policy_ = device->open();
  }

  void read(std::uint64_t position, std::uint64_t length) {
    next();
    policy_->read(cache, position, length);
  }
  void read_pages(PageIndex first, std::uint64_t count = 1) { read(first * page_bytes, count * page_bytes); }
  void fault(PageIndex page) {
    next();
    policy_->fault(cache, page);
  }
  void fadvise(FileAdvice advice, std::uint64_t position = 0, std::uint64_t length = 0) {
    next();
    policy_->fadvise(cache, advice, position, length);
  }
  void madvise(MapHint hint) { policy_->madvise(cache, hint); }
  // The same file through a fresh descriptor.
  void reopen(std::uint64_t position = 0) {
    policy_->close(cache, position);
    policy_ = device->open();
  }

  std::vector<Io> ios() const {
    std::vector<Io> all;
    for (const ToyCache::Run& run : cache.runs()) {
      all.push_back({run.start, run.count, std::string(window_class_name(run.window_class))});
    }
    return all;
  }
  const ReadaheadPolicy& policy() const { return *policy_; }

  ToyCache cache;
  std::unique_ptr<ReadaheadDevice> device;

 private:
  void next() { cache.begin_operation(operation_++); }

  std::unique_ptr<ReadaheadPolicy> policy_;
  std::uint64_t operation_ = 0;
};

}  // namespace seekahead::testing
