#include "cli/decide/replay.hpp"

#include <algorithm>
#include <utility>

namespace seekahead::cli {

namespace {

// Passes fields on and notes that there was one.
class CountingVisitor final : public StateVisitor {
 public:
  explicit CountingVisitor(StateVisitor& target) : target_(target) {}
  bool any = false;

  void field(std::string_view name, std::int64_t value) override {
    any = true;
    target_.field(name, value);
  }
  void unsigned_field(std::string_view name, std::uint64_t value) override {
    any = true;
    target_.unsigned_field(name, value);
  }
  void boolean_field(std::string_view name, bool value) override {
    any = true;
    target_.boolean_field(name, value);
  }

 private:
  StateVisitor& target_;
};

}  // namespace

Replay::Replay(const Case& the_case)
    : case_(the_case),
      cache_(the_case.file_size, the_case.io, the_case.vm_pages),
      device_(the_case.model->make(*the_case.parameters, the_case.limits)) {}

Replay::OpenFile& Replay::open_file(std::int64_t fd) {
  OpenFile& file = files_[fd];
  if (!file.policy) {
    file.policy = device_->open();
  }
  return file;
}

void Replay::close(std::int64_t fd) {
  const auto found = files_.find(fd);
  if (found != files_.end()) {
    found->second.policy->close(cache_, found->second.position);
    files_.erase(found);
  }
}

std::optional<std::uint64_t> Replay::step(std::size_t index) {
  const Operation& op = case_.operations[index];
  cache_.begin_operation(index);
  std::optional<std::uint64_t> result;
  switch (op.kind) {
    case OperationKind::read: {
      OpenFile& file = open_file(op.fd);
      result = file.policy->read(cache_, op.position, op.length);
      file.position = op.position + *result;
      break;
    }
    case OperationKind::fault:
      result = open_file(op.fd).policy->fault(cache_, op.start) ? 1 : 0;
      break;
    case OperationKind::fadvise:
      open_file(op.fd).policy->fadvise(cache_, op.advice, op.position, op.length);
      break;
    case OperationKind::madvise:
      open_file(op.fd).policy->madvise(cache_, op.hint);
      break;
    case OperationKind::close:
      close(op.fd);
      break;
    case OperationKind::evict:
      cache_.evict(op.start, op.count);
      break;
    case OperationKind::populate:
      if (op.start < cache_.end_page()) {
        cache_.populate(op.start, std::min(op.count, cache_.end_page() - op.start));
      }
      break;
    case OperationKind::cache:
      cache_.populate(op.start, op.count);
      break;
    case OperationKind::congested:
      cache_.set_congested(op.value);
      break;
    case OperationKind::age:
      cache_.age(op.count);
      break;
    case OperationKind::complete:
      cache_.complete();
      break;
  }
  return result;
}

bool Replay::visit_state(std::size_t index, StateVisitor& visitor) const {
  CountingVisitor counting(visitor);
  const Operation& op = case_.operations[index];
  const auto file = op.has_fd() ? files_.find(op.fd) : files_.end();
  if (file != files_.end()) {
    file->second.policy->visit_state(counting);
  }
  device_->visit_state(cache_, counting);
  return file != files_.end() || counting.any;
}

}  // namespace seekahead::cli
