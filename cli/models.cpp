// seekahead models: what a scenario can name, and the parameters of each, as the registry describes them.
#include <algorithm>
#include <cstdio>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/commands.hpp"
#include "cli/option_parser.hpp"
#include "cli/scenario_input.hpp"
#include "sim/scenario/echo.hpp"
#include "sim/scenario/scenario.hpp"

namespace seekahead::cli {

namespace {

struct Kind {
  std::string name;
  std::string where;  // the key of a scenario that names a model of this kind
  std::vector<ModelEntry> models;
};

template <class M>
Kind kind_of(const char* name, const char* where, const ModelKind<M>& models) {
  return {name, where, {models.all().begin(), models.all().end()}};
}

template <class P>
ModelEntry section(const char* name, const char* help) {
  return {.name = name, .help = help, .source = "", .plugin = "", .parameters = [] {
            return std::make_unique<P>();
          }};
}

std::vector<Kind> all_kinds(const Registry& registry) {
  return {kind_of("readahead", "[readahead] policy", registry.readahead),
          kind_of("elevator", "[block] elevator", registry.elevators),
          kind_of("device", "[[device]] model", registry.devices),
          kind_of("workload", "[[process]] workload", registry.workloads),
          {"section",
           "sections with parameters of their own",
           {section<MachineConfig>("machine", "memory, processors and what the kernel's work costs"),
            section<BlockConfig>("block", "request queues"),
            section<WritebackConfig>("writeback", "when dirty pages are written")}}};
}

void print_kind(const Kind& kind) {
  std::printf("%s (%s)\n", kind.name.c_str(), kind.where.c_str());
  for (const ModelEntry& model : kind.models) {
    std::printf("  %-24s %s\n", model.name.c_str(), model.help.c_str());
  }
}

void print_parameter(const Description& parameter) {
  std::printf("\n%s\n    %s\n", parameter.name.c_str(), parameter.help.c_str());
  std::printf("    type: %s\n", parameter.type.c_str());
  if (parameter.required) {
    std::printf("    required\n");
  } else {
    std::printf("    default: %s\n", parameter.value.c_str());
  }
  if (!parameter.range.empty()) {
    std::printf("    allowed: %s\n", parameter.range.c_str());
  }
  if (!parameter.source.empty()) {
    std::printf("    source: %s\n", parameter.source.c_str());
  }
}

void print_model(const Kind& kind, const ModelEntry& model) {
  std::printf("%s, %s: %s\n", model.name.c_str(), kind.where.c_str(), model.help.c_str());
  if (!model.source.empty()) {
    std::printf("source: %s\n", model.source.c_str());
  }
  if (!model.plugin.empty()) {
    std::printf("plug-in: %s\n", model.plugin.c_str());
  }
  const std::unique_ptr<Parameters> parameters = model.parameters();
  const std::vector<Description> descriptions = describe(*parameters);
  if (descriptions.empty()) {
    std::printf("no parameters\n");
  }
  for (const Description& description : descriptions) {
    print_parameter(description);
  }
}

template <class Entry>
const Entry* find_named(const std::vector<Entry>& entries, const std::string& name) {
  const auto found =
      std::find_if(entries.begin(), entries.end(), [&](const Entry& entry) { return entry.name == name; });
  return found == entries.end() ? nullptr : &*found;
}

template <class Entry>
int unknown(const OptionParser& options, const std::vector<Entry>& entries, const char* what,
            const std::string& name) {
  std::vector<std::string> names;
  for (const Entry& entry : entries) {
    names.push_back(entry.name);
  }
  return options.mistake("unknown " + std::string(what) + " " + in_quotes(name) + "; " +
                         suggestion(name, names));
}

}  // namespace

int run_models(const Arguments& arguments) {
  OptionParser options(
      "models", "[KIND [NAME]]",
      "Lists what a scenario can name; with KIND and NAME every parameter with its unit, default,\n"
      "range, meaning and source.");
  options.positional(0, 2, "KIND");
  options.example("seekahead models readahead linux-2.4");
  options.example("seekahead models section block");
  options.list("plugin", "FILE.so", "a shared library with more models");
  if (const std::optional<int> status = options.parse(arguments)) {
    return *status;
  }
  Registry registry;
  if (!fill_registry(registry, options)) {
    return 2;
  }
  const std::vector<Kind> kinds = all_kinds(registry);
  const std::vector<std::string>& wanted = options.arguments();
  if (wanted.empty()) {
    for (const Kind& kind : kinds) {
      print_kind(kind);
    }
    return 0;
  }
  const Kind* kind = find_named(kinds, wanted[0]);
  if (kind == nullptr) {
    return unknown(options, kinds, "kind", wanted[0]);
  }
  if (wanted.size() == 1) {
    print_kind(*kind);
    return 0;
  }
  const ModelEntry* model = find_named(kind->models, wanted[1]);
  if (model == nullptr) {
    return unknown(options, kind->models, kind->name.c_str(), wanted[1]);
  }
  print_model(*kind, *model);
  return 0;
}

}  // namespace seekahead::cli
