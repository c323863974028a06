#include "sim/scenario/parameter_value.hpp"

#include <cmath>
#include <optional>

#include "sim/scenario/quantities.hpp"

namespace seekahead {

namespace {

std::optional<Dimension> dimension_of(ParameterType type) {
  switch (type) {
    case ParameterType::bytes:
      return Dimension::bytes;
    case ParameterType::time:
      return Dimension::time;
    case ParameterType::rate:
      return Dimension::rate;
    case ParameterType::percent:
      return Dimension::percent;
    default:
      return std::nullopt;
  }
}

std::string integer_text(const Parameter& parameter, std::int64_t value) {
  const std::optional<Dimension> dimension = dimension_of(parameter.type);
  return dimension ? format_quantity(*dimension, value) : std::to_string(value);
}

std::string real_text(const Parameter& parameter, double value) {
  return parameter.type == ParameterType::percent ? format_percent(value) : format_real(value);
}

std::vector<std::string> words(const std::vector<std::string_view>& views) {
  return {views.begin(), views.end()};
}

std::string written(const Node& node) { return node.is_text() ? in_quotes(node.text) : value_text(node); }

std::string wrong_kind(const Parameter& parameter, const Node& node) {
  return "must be " + type_text(parameter) + ", not " + kind_name(node);
}

std::string out_of_range(const Parameter& parameter, const Node& node) {
  return "is " + written(node) + ", but must be " + range_text(parameter);
}

std::string assign_integer(const Parameter& parameter, const Node& node) {
  std::int64_t value = 0;
  if (const std::optional<Dimension> dimension = dimension_of(parameter.type)) {
    if (!node.is_text() && !node.is_number()) {
      return wrong_kind(parameter, node);
    }
    const Quantity<std::int64_t> quantity =
        parse_quantity(*dimension, node.is_text() ? node.text : value_text(node));
    if (!quantity.value) {
      return written(node) + " " + quantity.problem;
    }
    value = *quantity.value;
  } else if (node.kind == Node::Kind::integer) {
    value = node.integer;
  } else {
    return wrong_kind(parameter, node);
  }
  if (value < parameter.integer_range.low || value > parameter.integer_range.high) {
    return out_of_range(parameter, node);
  }
  *parameter.integer_value = value;
  return "";
}

std::string assign_real(const Parameter& parameter, const Node& node) {
  double value = 0;
  if (parameter.type == ParameterType::percent) {
    if (!node.is_text() && !node.is_number()) {
      return wrong_kind(parameter, node);
    }
    const Quantity<double> quantity = parse_percent(node.is_text() ? node.text : value_text(node));
    if (!quantity.value) {
      return written(node) + " " + quantity.problem;
    }
    value = *quantity.value;
  } else if (node.is_number()) {
    value = node.number();
  } else {
    return wrong_kind(parameter, node);
  }
  // The negated form refuses NaN as well.
  if (!(value >= parameter.real_range.low && value <= parameter.real_range.high) || !std::isfinite(value)) {
    return out_of_range(parameter, node);
  }
  *parameter.real_value = value;
  return "";
}

std::string assign_text(const Parameter& parameter, const Node& node, std::string& hint) {
  // `--set block.kernel=2.4` reads as a number; what was written is what is meant.
  if (!node.is_text() && !(node.is_override && !node.is_table() && !node.is_array())) {
    return wrong_kind(parameter, node);
  }
  if (parameter.type == ParameterType::choice) {
    const std::vector<std::string> choices = words(parameter.choices);
    bool known = false;
    for (const std::string& choice : choices) {
      known = known || choice == node.text;
    }
    if (!known) {
      hint = suggestion(node.text, choices, "values");
      return "has the unknown value " + in_quotes(node.text);
    }
  }
  if (parameter.required && node.text.empty()) {
    return "must not be empty";
  }
  *parameter.text_value = node.text;
  return "";
}

std::string assign_list(const Parameter& parameter, const Node& node) {
  if (!node.is_array()) {
    return wrong_kind(parameter, node);
  }
  std::vector<double> numbers;
  std::vector<std::string> texts;
  for (const Node& item : node.children) {
    if (parameter.text_list != nullptr ? !item.is_text() : !item.is_number()) {
      return wrong_kind(parameter, node) + " with " + kind_name(item) + " in it";
    }
    const RealRange& range = parameter.real_range;
    if (parameter.number_list != nullptr && !(item.number() >= range.low && item.number() <= range.high)) {
      return "holds " + value_text(item) + ", but each must be " + range_text(parameter);
    }
    numbers.push_back(item.number());
    texts.push_back(item.text);
  }
  if (parameter.text_list != nullptr) {
    *parameter.text_list = std::move(texts);
  } else {
    *parameter.number_list = std::move(numbers);
  }
  return "";
}

}  // namespace

std::string assign(const Parameter& parameter, const Node& node, std::string& hint) {
  if (parameter.integer_value != nullptr) {
    return assign_integer(parameter, node);
  }
  if (parameter.real_value != nullptr) {
    return assign_real(parameter, node);
  }
  if (parameter.text_value != nullptr) {
    return assign_text(parameter, node, hint);
  }
  if (parameter.boolean_value == nullptr) {
    return assign_list(parameter, node);
  }
  if (node.kind != Node::Kind::boolean) {
    return wrong_kind(parameter, node);
  }
  *parameter.boolean_value = node.boolean;
  return "";
}

Node value_of(const Parameter& parameter) {
  if (parameter.integer_value != nullptr) {
    return dimension_of(parameter.type) ? Node::make_text(integer_text(parameter, *parameter.integer_value))
                                        : Node::make_integer(*parameter.integer_value);
  }
  if (parameter.real_value != nullptr) {
    return parameter.type == ParameterType::percent ? Node::make_text(format_percent(*parameter.real_value))
                                                    : Node::make_real(*parameter.real_value);
  }
  if (parameter.boolean_value != nullptr) {
    return Node::make_boolean(*parameter.boolean_value);
  }
  if (parameter.text_value != nullptr) {
    return Node::make_text(*parameter.text_value);
  }
  Node list = Node::make_array();
  if (parameter.number_list != nullptr) {
    for (const double number : *parameter.number_list) {
      list.children.push_back(Node::make_real(number));
    }
  } else {
    for (const std::string& text : *parameter.text_list) {
      list.children.push_back(Node::make_text(text));
    }
  }
  return list;
}

std::string type_text(const Parameter& parameter) {
  switch (parameter.type) {
    case ParameterType::integer:
      return "a whole number";
    case ParameterType::real:
      return "a number";
    case ParameterType::boolean:
      return "true or false";
    case ParameterType::text:
      return "text";
    case ParameterType::choice:
      return "one of a few words";
    case ParameterType::bytes:
      return "a size as in \"128 KiB\"";
    case ParameterType::time:
      return "a time as in \"8.5 ms\"";
    case ParameterType::rate:
      return "a rate as in \"100 MB/s\"";
    case ParameterType::pages:
      return "a bare number of pages (4 KiB each)";
    case ParameterType::sectors:
      return "a bare number of sectors (512 bytes each)";
    case ParameterType::percent:
      return "a share as in \"40 %\"";
    case ParameterType::rows:
      return "a list of tables";
    case ParameterType::list:
      return parameter.text_list != nullptr ? "a list of words" : "a list of numbers";
  }
  return "a value";
}

std::string range_text(const Parameter& parameter) {
  if (parameter.type == ParameterType::choice) {
    std::string out;
    for (const std::string_view choice : parameter.choices) {
      out += (out.empty() ? "" : ", ") + std::string(choice);
    }
    return out;
  }
  if (parameter.integer_value != nullptr) {
    return integer_text(parameter, parameter.integer_range.low) + " to " +
           integer_text(parameter, parameter.integer_range.high);
  }
  if (parameter.real_value != nullptr || parameter.number_list != nullptr) {
    return real_text(parameter, parameter.real_range.low) + " to " +
           real_text(parameter, parameter.real_range.high);
  }
  return "";
}

}  // namespace seekahead
