#include "cli/decide/answer.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <string_view>

#include "cli/decide/replay.hpp"

namespace seekahead::cli {

namespace {

// What a line holds besides "ios" and "state".
struct Answer {
  bool waits_and_returns;
  bool classes;
  bool events;
};

// Which outputs were recorded for which policy (the model each kernel was observed under).
constexpr std::array<std::pair<std::string_view, Answer>, 2> answers = {{
    {"adaptive", {false, true, true}},
    {"ondemand", {false, true, false}},
}};

Answer answer_of(const std::string& policy) {
  for (const auto& [name, answer] : answers) {
    if (name == policy) {
      return answer;
    }
  }
  return {true, false, false};
}

// Numbers are written as text: they use all 64 bits.
class JsonFields final : public StateVisitor {
 public:
  std::string text = "{";

  void field(std::string_view name, std::int64_t value) override { add(name, std::to_string(value)); }
  void unsigned_field(std::string_view name, std::uint64_t value) override {
    add(name, std::to_string(value));
  }
  void boolean_field(std::string_view name, bool value) override { add(name, value ? "1" : "0"); }

 private:
  void add(std::string_view name, const std::string& value) {
    text += text.size() == 1 ? "\"" : ",\"";
    text.append(name).append("\":").append(value);
  }
};

// {"class":{"event":[requests,pages],...},...} of everything that happened.
class JsonEvents final : public EventVisitor {
 public:
  void event(std::string_view window_class, std::string_view event, std::int64_t requests,
             std::int64_t pages) override {
    if (requests != 0 || pages != 0) {
      table_[std::string(window_class)][std::string(event)] = {requests, pages};
    }
  }
  std::string text() const { return table_.is_null() ? "{}" : table_.dump(); }

 private:
  nlohmann::ordered_json table_;
};

template <class Items, class Text>
std::string json_list(const Items& items, Text text) {
  std::string list = "[";
  for (const auto& item : items) {
    list += list.size() == 1 ? "" : ",";
    list += text(item);
  }
  return list + "]";
}

std::string quoted_json(const std::string& text) { return nlohmann::json(text).dump(); }

}  // namespace

std::string answer_line(const Case& the_case, AnswerFields fields) {
  Replay replay(the_case);
  std::vector<std::string> states;
  std::vector<std::string> returns;
  for (std::size_t i = 0; i < the_case.operations.size(); ++i) {
    const std::optional<std::uint64_t> returned = replay.step(i);
    returns.push_back(returned ? std::to_string(*returned) : "null");
    JsonFields state;
    const bool any = replay.visit_state(i, state);
    states.push_back(any ? state.text + "}" : "null");
  }

  const auto as_is = [](const std::string& text) { return text; };
  std::string line = "{\"case\":" + quoted_json(the_case.name) +
                     ",\"policy\":" + quoted_json(the_case.policy) +
                     ",\"kernel\":" + quoted_json(the_case.kernel);
  line += ",\"ios\":" + json_list(replay.cache().runs(), [](const ToyCache::Run& run) {
            return "[" + std::to_string(run.operation) + "," + std::to_string(run.start) + "," +
                   std::to_string(run.count) + "]";
          });
  const Answer answer = fields == AnswerFields::all ? Answer{true, true, true} : answer_of(the_case.policy);
  if (answer.waits_and_returns) {
    line += ",\"waits\":" + json_list(replay.cache().waits(), [](const ToyCache::Wait& wait) {
              return "[" + std::to_string(wait.operation) + "," + std::to_string(wait.page) + "]";
            });
    line += ",\"ret\":" + json_list(returns, as_is);
  }
  if (answer.classes) {
    line += ",\"class\":" + json_list(replay.cache().runs(), [](const ToyCache::Run& run) {
              return "\"" + std::string(window_class_name(run.window_class)) + "\"";
            });
  }
  if (answer.events) {
    JsonEvents events;
    replay.device().visit_events(events);
    line += ",\"events\":" + events.text();
  }
  return line + ",\"state\":" + json_list(states, as_is) + "}";
}

}  // namespace seekahead::cli
