#include "cli/scenario_input.hpp"

#include <cstdio>
#include <stdexcept>
#include <thread>

#include "cli/scenario_options.hpp"
#include "models/builtin.hpp"
#include "sim/scenario/effective.hpp"
#include "sim/scenario/plugin.hpp"

namespace seekahead::cli {

namespace {

// Splits at commas outside quotes and brackets.
std::vector<std::string> split_values(const std::string& text) {
  std::vector<std::string> values(1);
  int depth = 0;
  bool in_quotes = false;
  for (const char c : text) {
    in_quotes = in_quotes != (c == '"');
    depth += c == '[' || c == '{' ? 1 : c == ']' || c == '}' ? -1 : 0;
    if (c == ',' && depth == 0 && !in_quotes) {
      values.emplace_back();
    } else {
      values.back() += c;
    }
  }
  return values;
}

// FNV-1a, 64 bits.
std::string hash_of(const std::string& text) {
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (const char c : text) {
    hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
  }
  char digits[17];
  std::snprintf(digits, sizeof digits, "%016llx", static_cast<unsigned long long>(hash));
  return digits;
}

}  // namespace

ScenarioInput::ScenarioInput(const std::string& path, const OptionParser& options, const Registry& registry,
                             Sets kind)
    : registry_(registry) {
  Diagnostics diagnostics;
  document_ = read_document(path, diagnostics);
  overrides_ = overrides_of(options, diagnostics, [&](const std::string& set) {
    const std::size_t equals = set.find('=');
    const bool is_axis = kind == Sets::with_axes && equals != std::string::npos &&
                         split_values(set.substr(equals + 1)).size() > 1;
    if (is_axis && document_) {
      add_axis(set, diagnostics);
    }
    return is_axis;
  });
  if (document_) {
    scenario_ = load_scenario(*document_, overrides_, registry_, diagnostics);
  }
  if (!diagnostics.ok()) {
    refuse(diagnostics);
    scenario_.reset();
  }
}

void ScenarioInput::add_axis(const std::string& set, Diagnostics& diagnostics) {
  const std::size_t equals = set.find('=');
  const std::string key = set.substr(0, equals);
  Node values = Node::make_array();
  for (const std::string& value : split_values(set.substr(equals + 1))) {
    if (const std::optional<Override> parsed = parse_override(key + "=" + value, diagnostics)) {
      values.children.push_back(parsed->value);
      values.where = values.key_where = parsed->value.where;
    }
  }
  values.key = key;
  Node* sweep = document_->root.find("sweep");
  if (sweep == nullptr) {
    sweep = &document_->root.set("sweep", Node{});
  }
  sweep->set(key, std::move(values));
}

std::size_t ScenarioInput::points() const { return scenario_->sweep.empty() ? 1 : scenario_->sweep.size(); }

Scenario ScenarioInput::point(std::size_t index) const {
  Diagnostics diagnostics;
  const SweepPoint whole;
  std::optional<Scenario> loaded =
      load_point(*document_, overrides_, scenario_->sweep.empty() ? whole : scenario_->sweep[index],
                 registry_, diagnostics);
  if (!loaded || !diagnostics.ok()) {
    throw std::logic_error("a point that was checked does not load:\n" + diagnostics.text());
  }
  return std::move(*loaded);
}

std::string ScenarioInput::identity(std::size_t index) const {
  return hash_of(std::string(SEEKAHEAD_VERSION) + "\n" + effective_configuration(point(index)));
}

std::vector<Outcome> ScenarioInput::run_all(
    std::size_t jobs, const std::function<void(std::size_t, const Outcome&)>& done) const {
  std::vector<Outcome> outcomes(points());
  for (Outcome& outcome : outcomes) {
    outcome.error = "not run: interrupted";
  }
  simulate_all(
      points(), jobs, [this](std::size_t index) { return point(index); },
      [&](std::size_t index, Outcome outcome) {
        outcomes[index] = std::move(outcome);
        done(index, outcomes[index]);
      });
  return outcomes;
}

bool fill_registry(Registry& registry, const OptionParser& options) {
  register_builtin_models(registry);
  try {
    load_plugins(registry, options.texts("plugin"));
  } catch (const PluginError& problem) {
    std::fprintf(stderr, "%s\n", problem.what());
    return false;
  }
  return true;
}

void add_run_options(OptionParser& options) {
  options.number("jobs,j", "N", 1, 1024, "runs at once (default: one a processor)");
  options.list("plugin", "FILE.so", "a shared library with more models");
}

std::size_t jobs_of(const OptionParser& options) {
  const std::int64_t processors = std::max(std::thread::hardware_concurrency(), 1U);
  return static_cast<std::size_t>(options.has("jobs") ? options.integer("jobs") : processors);
}

}  // namespace seekahead::cli
