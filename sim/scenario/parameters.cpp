#include "sim/scenario/parameters.hpp"

#include <utility>

namespace seekahead {

namespace {
Parameter basic(std::string_view name, ParameterType type, std::string_view help, std::string_view source) {
  Parameter p;
  p.name = name;
  p.type = type;
  p.help = help;
  p.source = source;
  return p;
}
}  // namespace

void ParameterVisitor::number(std::string_view name, ParameterType type, std::int64_t& value,
                              IntegerRange range, std::string_view help, std::string_view source) {
  Parameter p = basic(name, type, help, source);
  p.integer_range = range;
  p.integer_value = &value;
  visit(p);
}

void ParameterVisitor::real(std::string_view name, double& value, RealRange range, std::string_view help,
                            std::string_view source) {
  Parameter p = basic(name, ParameterType::real, help, source);
  p.real_range = range;
  p.real_value = &value;
  visit(p);
}

void ParameterVisitor::percent(std::string_view name, double& value, RealRange range, std::string_view help,
                               std::string_view source) {
  Parameter p = basic(name, ParameterType::percent, help, source);
  p.real_range = range;
  p.real_value = &value;
  visit(p);
}

void ParameterVisitor::boolean(std::string_view name, bool& value, std::string_view help,
                               std::string_view source) {
  Parameter p = basic(name, ParameterType::boolean, help, source);
  p.boolean_value = &value;
  visit(p);
}

void ParameterVisitor::text(std::string_view name, std::string& value, std::string_view help,
                            std::string_view source, bool required) {
  Parameter p = basic(name, ParameterType::text, help, source);
  p.required = required;
  p.text_value = &value;
  visit(p);
}

void ParameterVisitor::choice(std::string_view name, std::string& value,
                              std::vector<std::string_view> choices, std::string_view help,
                              std::string_view source) {
  Parameter p = basic(name, ParameterType::choice, help, source);
  p.choices = std::move(choices);
  p.text_value = &value;
  visit(p);
}

void ParameterVisitor::numbers(std::string_view name, std::vector<double>& value, RealRange range_of_each,
                               std::string_view help, std::string_view source) {
  Parameter p = basic(name, ParameterType::list, help, source);
  p.real_range = range_of_each;
  p.number_list = &value;
  visit(p);
}

void ParameterVisitor::texts(std::string_view name, std::vector<std::string>& value, std::string_view help,
                             std::string_view source) {
  Parameter p = basic(name, ParameterType::list, help, source);
  p.text_list = &value;
  visit(p);
}

}  // namespace seekahead
