// The variables of a policy as a story shows them, and the windows that they describe.
#pragma once

#include <string>
#include <vector>

#include "sim/file/readahead_policy.hpp"

namespace seekahead::cli {

class StateTable final : public StateVisitor {
 public:
  struct Field {
    std::string name;
    std::string text;
    std::uint64_t value;
  };
  // A stretch of pages in a window, drawn with `sign`: 'w' the window, 'a' its asynchronous part or the
  // window ahead of it.
  struct Window {
    char sign;
    PageIndex first;
    PageIndex past;
  };

  void field(std::string_view name, std::int64_t value) override {
    fields_.push_back({std::string(name), std::to_string(value), static_cast<std::uint64_t>(value)});
  }
  void unsigned_field(std::string_view name, std::uint64_t value) override {
    fields_.push_back({std::string(name), std::to_string(value), value});
  }
  void boolean_field(std::string_view name, bool value) override {
    fields_.push_back({std::string(name), value ? "1" : "0", value ? 1u : 0u});
  }

  const std::vector<Field>& fields() const { return fields_; }
  const Field* find(std::string_view name) const;

  // Empty windows, and those that a policy switched off or let wrap, are left out.
  std::vector<Window> windows() const;

 private:
  std::uint64_t value(std::string_view name) const;

  std::vector<Field> fields_;
};

}  // namespace seekahead::cli
