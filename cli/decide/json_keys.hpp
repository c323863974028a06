// Reading the keys of a JSON object with type and range, collecting what is wrong.
#pragma once

#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "cli/decide/case_reader.hpp"
#include "sim/scenario/diagnostics.hpp"

namespace seekahead::cli {

using Json = nlohmann::json;

constexpr std::uint64_t max_number = std::numeric_limits<std::int64_t>::max();

// A value as messages show it.
inline std::string shown(const Json& value) {
  std::string text = value.dump(-1, ' ', true);  // in ASCII, so that it can be cut anywhere
  if (text.size() > 60) {
    text = text.substr(0, 57) + "...";
  }
  return text;
}

// The keys of one JSON object, read with type and range; what is wrong goes to `problems` with `place` in
// front.
class Keys {
 public:
  Keys(const Json& object, std::string place, std::vector<CaseProblem>& problems)
      : object_(object), place_(std::move(place)), problems_(problems) {}

  bool has(const std::string& key) {
    asked_.insert(key);
    return object_.contains(key);
  }
  void problem(const std::string& message) { problems_.push_back({0, place_ + message}); }
  void expected(const std::string& key, const std::string& what) {
    problem("key \"" + key + "\": expected " + what + ", got " + shown(object_[key]));
  }

  // Keys of the object that nobody asked for.
  void refuse_unknown() {
    const std::vector<std::string> known(asked_.begin(), asked_.end());
    for (const auto& [key, value] : object_.items()) {
      if (asked_.count(key) == 0) {
        problem("unknown key " + in_quotes(key) + ": " + suggestion(key, known, "keys"));
      }
    }
  }

  const Json* find(const std::string& key) {
    if (!has(key)) {
      problem("key \"" + key + "\" is missing");
      return nullptr;
    }
    return &object_[key];
  }

  std::uint64_t number(const std::string& key, std::uint64_t low = 0, std::uint64_t high = max_number) {
    const Json* value = find(key);
    if (value == nullptr) {
      return low;
    }
    if (!value->is_number_unsigned() || value->get<std::uint64_t>() < low ||
        value->get<std::uint64_t>() > high) {
      expected(key, "a whole number from " + std::to_string(low) + " to " + std::to_string(high));
      return low;
    }
    return value->get<std::uint64_t>();
  }

  std::optional<std::string> text(const std::string& key) {
    const Json* value = find(key);
    if (value == nullptr) {
      return std::nullopt;
    }
    if (!value->is_string()) {
      expected(key, "a text");
      return std::nullopt;
    }
    return value->get<std::string>();
  }

  // One of `words` (pairs of word and meaning).
  template <class Words>
  auto word(const std::string& key, const Words& words) {
    const std::optional<std::string> given = text(key);
    std::string known;
    for (const auto& [name, meaning] : words) {
      if (given == name) {
        return meaning;
      }
      known += (known.empty() ? "" : ", ") + std::string(name);
    }
    if (given) {
      expected(key, "one of " + known);
    }
    return words.begin()->second;
  }

 private:
  const Json& object_;
  std::string place_;
  std::vector<CaseProblem>& problems_;
  std::set<std::string> asked_;
};

}  // namespace seekahead::cli
