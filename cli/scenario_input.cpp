#include "cli/scenario_input.hpp"

#include <cstdio>
#include <thread>

#include "cli/scenario_options.hpp"
#include "models/builtin.hpp"
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

}  // namespace

ScenarioInput::ScenarioInput(const std::string& path, const OptionParser& options, const Registry& registry,
                             Sets kind) {
  Diagnostics diagnostics;
  std::optional<Document> document = read_document(path, diagnostics);
  std::vector<Override> overrides = overrides_of(options, diagnostics, [&](const std::string& set) {
    const std::size_t equals = set.find('=');
    if (kind != Sets::with_axes || equals == std::string::npos) {
      return false;
    }
    const std::vector<std::string> values = split_values(set.substr(equals + 1));
    if (values.size() > 1 && document) {
      add_axis(*document, set.substr(0, equals), values, diagnostics);
    }
    return values.size() > 1;
  });
  if (document) {
    plan_ = Plan::make(*std::move(document), std::move(overrides), registry, diagnostics);
  }
  if (!diagnostics.ok()) {
    refuse(diagnostics);
    plan_.reset();
  }
}

std::vector<Outcome> ScenarioInput::run_all(
    std::size_t jobs, const std::function<void(std::size_t, const Outcome&)>& done) const {
  std::vector<Outcome> outcomes(plan_->points());
  for (Outcome& outcome : outcomes) {
    outcome.error = "not run: interrupted";
  }
  simulate_all(
      plan_->points(), jobs, [this](std::size_t index) { return plan_->point(index); },
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
