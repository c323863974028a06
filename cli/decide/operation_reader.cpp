#include "cli/decide/operation_reader.hpp"

#include <array>
#include <string_view>
#include <utility>

namespace seekahead::cli {

namespace {

constexpr std::uint64_t max_read_bytes = std::uint64_t{1} << 40;

constexpr std::array<std::pair<std::string_view, OperationKind>, 11> operation_words = {{
    {"read", OperationKind::read},
    {"fault", OperationKind::fault},
    {"fadvise", OperationKind::fadvise},
    {"madvise", OperationKind::madvise},
    {"close", OperationKind::close},
    {"evict", OperationKind::evict},
    {"populate", OperationKind::populate},
    {"cache", OperationKind::cache},
    {"congested", OperationKind::congested},
    {"age", OperationKind::age},
    {"complete", OperationKind::complete},
}};
constexpr std::array<std::pair<std::string_view, FileAdvice>, 6> advice_words = {{
    {"normal", FileAdvice::normal},
    {"random", FileAdvice::random},
    {"sequential", FileAdvice::sequential},
    {"willneed", FileAdvice::willneed},
    {"dontneed", FileAdvice::dontneed},
    {"noreuse", FileAdvice::noreuse},
}};
constexpr std::array<std::pair<std::string_view, MapHint>, 3> hint_words = {{
    {"normal", MapHint::normal},
    {"random", MapHint::random},
    {"sequential", MapHint::sequential},
}};

template <class Words, class Meaning>
const char* word_of(const Words& words, Meaning meaning) {
  for (const auto& [name, value] : words) {
    if (value == meaning) {
      return name.data();
    }
  }
  return "?";
}

void read_range(Keys& keys, Operation& op, bool optional) {
  op.position = optional && !keys.has("pos") ? 0 : keys.number("pos");
  op.length = optional && !keys.has("len") ? 0 : keys.number("len");
}

Operation read_operation(const Json& object, std::size_t index, std::vector<CaseProblem>& problems) {
  const std::string place = "operation " + std::to_string(index) + ": ";
  Operation op;
  if (!object.is_object()) {
    problems.push_back({0, place + "expected an object, got " + shown(object)});
    return op;
  }
  Keys keys(object, place, problems);
  op.kind = keys.word("op", operation_words);
  if (!problems.empty()) {
    return op;  // an unknown operation says nothing about its keys
  }
  if (op.has_fd()) {
    op.fd = static_cast<std::int64_t>(keys.number("fd"));
  }
  switch (op.kind) {
    case OperationKind::read:
      op.position = keys.number("pos");
      op.length = keys.number("len", 1, max_read_bytes);
      if (op.position > max_number - op.length) {
        keys.problem("the read ends past byte " + std::to_string(max_number));
      }
      break;
    case OperationKind::fault:
      op.start = keys.number("page");
      break;
    case OperationKind::fadvise:
      op.advice = keys.word("advice", advice_words);
      read_range(keys, op, op.advice != FileAdvice::willneed && op.advice != FileAdvice::dontneed);
      break;
    case OperationKind::madvise:
      op.hint = keys.word("advice", hint_words);
      break;
    case OperationKind::evict:
    case OperationKind::populate:
    case OperationKind::cache:
      op.start = keys.number("start");
      op.count = keys.number("count");
      break;
    case OperationKind::congested:
      if (const Json* value = keys.find("value"); value != nullptr && !value->is_boolean()) {
        keys.expected("value", "true or false");
      } else if (value != nullptr) {
        op.value = value->get<bool>();
      }
      break;
    case OperationKind::age:
      op.count = keys.number("count");
      break;
    case OperationKind::close:
    case OperationKind::complete:
      break;
  }
  keys.refuse_unknown();
  return op;
}

}  // namespace

const char* operation_name(OperationKind kind) { return word_of(operation_words, kind); }
const char* advice_name(FileAdvice advice) { return word_of(advice_words, advice); }
const char* hint_name(MapHint hint) { return word_of(hint_words, hint); }

std::vector<Operation> read_operations(Keys& keys, std::vector<CaseProblem>& problems) {
  std::vector<Operation> operations;
  const Json* list = keys.find("ops");
  if (list != nullptr && !list->is_array()) {
    keys.expected("ops", "a list of operations");
  } else if (list != nullptr) {
    for (std::size_t i = 0; i < list->size(); ++i) {
      std::vector<CaseProblem> found;
      operations.push_back(read_operation((*list)[i], i, found));
      problems.insert(problems.end(), found.begin(), found.end());
    }
  }
  return operations;
}

}  // namespace seekahead::cli
