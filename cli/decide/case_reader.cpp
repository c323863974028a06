#include "cli/decide/case_reader.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <set>
#include <string_view>
#include <utility>

#include "cli/decide/json_keys.hpp"
#include "cli/decide/operation_reader.hpp"
#include "sim/scenario/diagnostics.hpp"

namespace seekahead::cli {

namespace {

constexpr std::uint64_t default_vm_pages = 262144;

// Case keys that are a parameter of the policy under another name. Every other parameter of a policy is a
// case key of its own name.
constexpr std::array<std::pair<std::string_view, std::string_view>, 1> renamed_parameters = {{
    {"min_readahead", "min_ra_pages"},
}};

std::string case_key(std::string_view parameter) {
  for (const auto& [name, key] : renamed_parameters) {
    if (name == parameter) {
      return std::string(key);
    }
  }
  return std::string(parameter);
}

constexpr std::array<std::string_view, 9> machine_keys = {
    "case", "policy", "kernel", "ra_pages", "file_pages", "file_size", "io", "vm_pages", "ops"};

// What golden files carry besides: results.
constexpr std::array<std::string_view, 6> result_keys = {"ios", "waits", "ret", "class", "events", "state"};

// Shows parameters under their case keys, without groups and rows: a case is flat.
class FlatVisitor : public ParameterVisitor {
 public:
  void enter(std::string_view) override { ++depth_; }
  void leave() override { --depth_; }

 protected:
  virtual void show(const std::string& key, const Parameter& parameter) = 0;

 private:
  void visit(const Parameter& parameter) override {
    if (depth_ == 0) {
      show(case_key(parameter.name), parameter);
    }
  }
  std::size_t begin_rows(std::string_view, std::size_t, std::string_view, std::string_view) override {
    ++depth_;
    return describe_rows;
  }
  void begin_row(std::size_t) override {}
  void end_row() override {}
  void end_rows() override { --depth_; }

  int depth_ = 0;
};

class KeyCollector final : public FlatVisitor {
 public:
  std::set<std::string> keys;

 private:
  void show(const std::string& key, const Parameter&) override { keys.insert(key); }
};

template <class Names>
std::string joined(const Names& names) {
  std::string text;
  for (const auto& name : names) {
    text += text.empty() ? "" : ", ";
    text += name;
  }
  return text;
}

// Fills a policy's parameters from the case.
class ParameterFiller final : public FlatVisitor {
 public:
  ParameterFiller(const Json& object, Keys& keys) : object_(object), keys_(keys) {}
  bool kernel_seen = false;

 private:
  void show(const std::string& key, const Parameter& p) override {
    kernel_seen = kernel_seen || key == "kernel";
    if (!object_.contains(key)) {
      if (p.required) {
        keys_.problem("key \"" + key + "\" is missing");
      }
      return;
    }
    const Json& value = object_[key];
    if (p.integer_value != nullptr) {
      fill_integer(key, p, value);
    } else if (p.real_value != nullptr) {
      if (!value.is_number() || value.get<double>() < p.real_range.low ||
          value.get<double>() > p.real_range.high) {
        keys_.expected(
            key, "a number from " + Json(p.real_range.low).dump() + " to " + Json(p.real_range.high).dump());
      } else {
        *p.real_value = value.get<double>();
      }
    } else if (p.boolean_value != nullptr) {
      if (!value.is_boolean()) {
        keys_.expected(key, "true or false");
      } else {
        *p.boolean_value = value.get<bool>();
      }
    } else if (p.text_value != nullptr) {
      fill_text(key, p, value);
    } else {
      keys_.problem("key \"" + key + "\": lists cannot be given in a case");
    }
  }

  void fill_integer(const std::string& key, const Parameter& p, const Json& value) {
    const bool fits = value.is_number_integer() &&
                      !(value.is_number_unsigned() && value.get<std::uint64_t>() > max_number) &&
                      value.get<std::int64_t>() >= p.integer_range.low &&
                      value.get<std::int64_t>() <= p.integer_range.high;
    if (!fits) {
      keys_.expected(key, "a whole number from " + std::to_string(p.integer_range.low) + " to " +
                              std::to_string(p.integer_range.high));
      return;
    }
    *p.integer_value = value.get<std::int64_t>();
  }

  void fill_text(const std::string& key, const Parameter& p, const Json& value) {
    const bool known =
        value.is_string() && (p.choices.empty() || std::find(p.choices.begin(), p.choices.end(),
                                                             value.get<std::string>()) != p.choices.end());
    if (!known) {
      keys_.expected(key, p.choices.empty() ? "a text" : "one of " + joined(p.choices));
      return;
    }
    *p.text_value = value.get<std::string>();
  }

  const Json& object_;
  Keys& keys_;
};

// A value of the command line: JSON where it is JSON and the key takes no text, else the text itself.
Json override_value(const std::string& key, const std::string& text) {
  static const std::set<std::string> texts = {"case", "policy", "kernel", "io"};
  if (texts.count(key) != 0) {
    return text;
  }
  Json value = Json::parse(text, nullptr, false);
  return value.is_discarded() ? Json(text) : value;
}

void apply_overrides(Json& object, const Overrides& overrides, const Registry& registry) {
  const auto& values = overrides.values;
  const Json own_policy = object.value("policy", Json());
  for (const auto& [key, text] : values) {
    object[key] = override_value(key, text);
  }
  // The two ways of giving the size: the one that was replaced counts.
  if (values.count("file_pages") != 0 && values.count("file_size") == 0) {
    object.erase("file_size");
  } else if (values.count("file_size") != 0 && values.count("file_pages") == 0) {
    object.erase("file_pages");
  }
  // A kernel belongs to the policy it was written for; another policy starts with its own default.
  if (values.count("policy") != 0 && values.count("kernel") == 0 && own_policy != object["policy"]) {
    object["kernel"] = "any";
    if (const ReadaheadModel* model = registry.readahead.find(values.at("policy"))) {
      class DefaultKernel final : public FlatVisitor {
       public:
        explicit DefaultKernel(Json& target) : target_(target) {}

       private:
        void show(const std::string& key, const Parameter& p) override {
          if (key == "kernel" && p.text_value != nullptr) {
            target_["kernel"] = *p.text_value;
          }
        }
        Json& target_;
      } visitor(object);
      model->parameters()->visit(visitor);
    }
  }
}

std::vector<std::string> unread_keys(const Json& object, const Registry& registry) {
  std::vector<std::string> known = input_keys(registry);
  known.insert(known.end(), result_keys.begin(), result_keys.end());
  std::vector<std::string> unread;
  for (const auto& [key, value] : object.items()) {
    if (std::find(known.begin(), known.end(), key) == known.end()) {
      unread.push_back(key);
    }
  }
  return unread;
}

void read_file_size(Keys& keys, Case& result) {
  if (!keys.has("file_size")) {
    const std::uint64_t pages = keys.number("file_pages", 0, max_number / page_bytes);
    result.file_size = pages * page_bytes;
    return;
  }
  result.file_size = keys.number("file_size");
  if (keys.has("file_pages") && keys.number("file_pages") != pages_for(result.file_size)) {
    keys.problem("file_pages and file_size contradict each other: " + std::to_string(result.file_size) +
                 " bytes are " + std::to_string(pages_for(result.file_size)) + " pages");
  }
}

void read_policy(const Registry& registry, const Json& object, Keys& keys, Case& result) {
  const Json* kernel = keys.find("kernel");
  result.kernel = kernel != nullptr && kernel->is_string() ? kernel->get<std::string>() : "";
  const std::optional<std::string> policy = keys.text("policy");
  if (!policy) {
    return;
  }
  result.policy = *policy;
  result.model = registry.readahead.find(result.policy);
  if (result.model == nullptr) {
    std::vector<std::string> names;
    for (const ReadaheadModel& model : registry.readahead.all()) {
      names.push_back(model.name);
    }
    keys.problem("unknown policy " + in_quotes(result.policy) + "; " +
                 suggestion(result.policy, names, "policies"));
    return;
  }
  result.parameters = result.model->parameters();
  ParameterFiller filler(object, keys);
  result.parameters->visit(filler);
  if (!filler.kernel_seen && kernel != nullptr && result.kernel != "any") {
    keys.problem("policy \"" + result.policy + "\" has no versions: its kernel is \"any\", not " +
                 shown(*kernel));
  }
  result.parameters->check([&](std::string_view name, const std::string& message) {
    keys.problem("key \"" + case_key(name) + "\": " + message);
  });
}

}  // namespace

std::vector<std::string> input_keys(const Registry& registry) {
  KeyCollector collector;
  collector.keys.insert(machine_keys.begin(), machine_keys.end());
  for (const ReadaheadModel& model : registry.readahead.all()) {
    model.parameters()->visit(collector);
  }
  return {collector.keys.begin(), collector.keys.end()};
}

// Deepest nesting of brackets outside texts: the parser's values take themselves down by recursion.
std::size_t nesting_of(const std::string& line) {
  std::size_t depth = 0;
  std::size_t deepest = 0;
  bool in_text = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (in_text) {
      i += c == '\\' ? 1 : 0;
      in_text = c != '"';
    } else if (c == '"') {
      in_text = true;
    } else if (c == '[' || c == '{') {
      deepest = std::max(deepest, ++depth);
    } else if ((c == ']' || c == '}') && depth > 0) {
      --depth;
    }
  }
  return deepest;
}

// Of a key that stands twice in an object one value would be dropped without a word.
Json parse_once(const std::string& line, std::vector<CaseProblem>& problems) {
  std::vector<std::set<std::string>> open;
  return Json::parse(line, [&](int, Json::parse_event_t event, Json& parsed) {
    if (event == Json::parse_event_t::object_start) {
      open.emplace_back();
    } else if (event == Json::parse_event_t::object_end) {
      open.pop_back();
    } else if (event == Json::parse_event_t::key && !open.back().insert(parsed.get<std::string>()).second) {
      problems.push_back({0, "key \"" + parsed.get<std::string>() + "\" is given twice in one object"});
    }
    return true;
  });
}

std::optional<Case> read_case(const Registry& registry, const Overrides& overrides, const std::string& line,
                              std::vector<CaseProblem>& problems) {
  constexpr std::size_t most_nesting = 64;
  if (nesting_of(line) > most_nesting) {
    problems.push_back({0, "brackets are nested more than " + std::to_string(most_nesting) + " deep"});
    return std::nullopt;
  }
  Json object;
  try {
    object = parse_once(line, problems);
  } catch (const Json::exception& error) {  // also a number that no double holds
    const auto* syntax = dynamic_cast<const Json::parse_error*>(&error);
    std::string text = error.what();
    // It quotes bytes of the line that are no text.
    std::replace_if(
        text.begin(), text.end(), [](char c) { return c < ' ' || c > '~'; }, '?');
    const std::size_t detail = text.find(syntax != nullptr ? ": " : "] ");
    problems.push_back({syntax != nullptr ? syntax->byte : 0,
                        "not JSON: " + (detail == std::string::npos ? text : text.substr(detail + 2))});
    return std::nullopt;
  }
  if (!object.is_object()) {
    problems.push_back({0, "expected a JSON object, got " + shown(object)});
    return std::nullopt;
  }
  apply_overrides(object, overrides, registry);
  Keys keys(object, "", problems);
  Case result;
  result.name = keys.text("case").value_or("");
  read_policy(registry, object, keys, result);
  result.limits.ra_pages = keys.number("ra_pages");
  read_file_size(keys, result);
  result.vm_pages = keys.has("vm_pages") ? keys.number("vm_pages") : default_vm_pages;
  result.io = keys.word("io", std::array<std::pair<std::string_view, ToyIo>, 2>{
                                  {{"instant", ToyIo::instant}, {"lazy", ToyIo::lazy}}});
  result.operations = read_operations(keys, problems);
  result.unread_keys = unread_keys(object, registry);
  if (!problems.empty()) {
    return std::nullopt;
  }
  return result;
}

}  // namespace seekahead::cli
