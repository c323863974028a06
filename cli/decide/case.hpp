// One case of `decide`: a file, a policy and the operations to try on them.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "sim/file/advice.hpp"
#include "sim/file/toy_cache.hpp"
#include "sim/scenario/registry.hpp"

namespace seekahead::cli {

enum class OperationKind : std::uint8_t {
  read,       // fd, position, length
  fault,      // fd, start = page
  fadvise,    // fd, advice, position, length
  madvise,    // fd, hint
  close,      // fd
  evict,      // start, count
  populate,   // start, count; inside the file only
  cache,      // start, count; the same, beyond the end of the file too
  congested,  // value
  age,        // count
  complete,
};

struct Operation {
  OperationKind kind = OperationKind::complete;
  std::int64_t fd = 0;
  std::uint64_t position = 0;
  std::uint64_t length = 0;
  PageIndex start = 0;
  std::uint64_t count = 0;
  FileAdvice advice = FileAdvice::normal;
  MapHint hint = MapHint::normal;
  bool value = false;

  bool has_fd() const { return kind <= OperationKind::close; }
};

// As cases and stories write them.
const char* operation_name(OperationKind kind);
const char* advice_name(FileAdvice advice);
const char* hint_name(MapHint hint);

struct Case {
  std::string name;
  std::string policy;
  std::string kernel;
  std::uint64_t file_size = 0;
  std::uint64_t vm_pages = 0;
  ToyIo io = ToyIo::instant;
  ReadaheadLimits limits;
  const ReadaheadModel* model = nullptr;
  std::unique_ptr<Parameters> parameters;
  std::vector<Operation> operations;
  std::vector<std::string> unread_keys;  // neither inputs nor results: typing errors
};

}  // namespace seekahead::cli
