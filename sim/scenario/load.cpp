#include "sim/scenario/load.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <utility>

#include "sim/scenario/drive_maker.hpp"
#include "sim/scenario/loader.hpp"

namespace seekahead {

namespace {

constexpr std::size_t enough_problems = 50;  // no need to look at further points of a sweep

struct Heading : Parameters {
  std::int64_t seed = 1;
  TimeNs duration_ns = 0;
  void visit(ParameterVisitor& v) override {
    v.integer("seed", seed, {0, std::numeric_limits<std::int64_t>::max()},
              "of all random numbers; the same seed gives the same run");
    v.time("duration", duration_ns, {1, 1'000'000 * ns_per_s},
           "the run is cut after this; without: it runs out");
  }
};

// The seed that draws the random axes; problems with it are reported when the scenario is read.
std::uint64_t seed_of(const Node& root) {
  const Node* section = root.find("scenario");
  const Node* seed = section == nullptr ? nullptr : section->find("seed");
  return seed != nullptr && seed->kind == Node::Kind::integer ? static_cast<std::uint64_t>(seed->integer) : 1;
}

std::string default_elevator(const std::string& kernel) {
  return kernel.starts_with("2.4") ? "linus" : "deadline";
}

Node with_overrides(Node root, const std::vector<Override>& overrides, Diagnostics& diagnostics) {
  for (const Override& override_ : overrides) {
    apply(root, override_, diagnostics);
  }
  return root;
}

// Counts at how many points each key was given without effect.
class WithoutEffect {
 public:
  void add(const Diagnostics& of_point) {
    for (const Problem& problem : of_point.sorted()) {
      auto [entry, is_new] = seen_.try_emplace(describe(problem.where) + problem.message, problem, 0);
      ++entry->second.second;
    }
  }
  // Those that had none anywhere.
  void report(std::size_t points, Diagnostics& diagnostics) const {
    for (const auto& [key, problem_and_count] : seen_) {
      if (problem_and_count.second == points) {
        const Problem& problem = problem_and_count.first;
        diagnostics.error(problem.where, problem.message, problem.hint);
      }
    }
  }

 private:
  std::map<std::string, std::pair<Problem, std::size_t>> seen_;
};

std::optional<Scenario> load_tree(const Node& root, const Document& document, const Registry& registry,
                                  DriveFiles& drive_files, Diagnostics& diagnostics, bool has_overrides,
                                  WithoutEffect* without_effect) {
  const std::size_t before = diagnostics.count();
  Loader loader(root, document.incomplete, has_overrides, registry, drive_files, diagnostics);
  Scenario scenario = loader.load();
  scenario.path = document.path;
  if (without_effect != nullptr) {
    without_effect->add(loader.without_effect());
  }
  return loader.ok() && diagnostics.count() == before ? std::optional(std::move(scenario)) : std::nullopt;
}

ResultNames names_in(const Scenario& scenario) {
  ResultNames names;
  for (const ProcessConfig& process : scenario.processes) {
    names.processes.push_back(process.name);
    if (process.count > 0 && (names.process_groups.empty() || names.process_groups.back() != process.group)) {
      names.process_groups.push_back(process.group);
    }
  }
  for (const DeviceConfig& device : scenario.devices) {
    names.devices.push_back(device.name);
  }
  for (const FileConfig& file : scenario.files) {
    names.files.push_back(file.name);
  }
  return names;
}

// The points that an expectation speaks of are among those of the text's own [sweep].
void check_points(const Expectation& expectation, const std::vector<SweepPoint>& points,
                  Diagnostics& diagnostics) {
  if (points.empty() && (expectation.claim == Claim::list || expectation.claim == Claim::order)) {
    diagnostics.error(expectation.where_written,
                      "list and order compare the points of a [sweep], which this scenario has not");
  }
  std::vector<std::vector<SweepValue>> selections = {expectation.where};
  for (const Measure& measure : expectation.measures) {
    selections.push_back(measure.where);
    selections.back().insert(selections.back().end(), expectation.where.begin(), expectation.where.end());
  }
  for (const std::vector<SweepValue>& selection : selections) {
    const bool met =
        selection.empty() || std::any_of(points.begin(), points.end(),
                                         [&](const SweepPoint& point) { return matches(point, selection); });
    if (!met) {
      diagnostics.error(expectation.where_written, "no point of [sweep] has the values of `where`",
                        SweepPoint{selection}.label());
    }
  }
}

// `points_are_own`: nothing from outside has changed the points, and there was no problem with them.
void read_expectations(const Node& root, bool points_are_own, Scenario& scenario, Diagnostics& diagnostics) {
  const Node* section = root.find("expect");
  if (section == nullptr) {
    return;
  }
  if (!is_array_of_tables(*section)) {
    diagnostics.error(section->where, "expectations are written as [[expect]]");
    return;
  }
  const ResultNames names = names_in(scenario);
  for (const Node& table : section->children) {
    std::optional<Expectation> expectation = read_expectation(table, names, diagnostics);
    if (expectation && points_are_own) {
      check_points(*expectation, scenario.sweep, diagnostics);
    }
    if (expectation) {
      scenario.expectations.push_back(*std::move(expectation));
    }
  }
}

bool has_argument(const std::vector<SweepPoint>& points) {
  return !points.empty() &&
         std::any_of(points.front().values.begin(), points.front().values.end(),
                     [](const SweepValue& value) { return standing_of(value.value) == Standing::argument; });
}

}  // namespace

std::optional<Scenario> load_scenario(const Document& document, const std::vector<Override>& overrides,
                                      const Registry& registry, Diagnostics& diagnostics) {
  const std::size_t before = diagnostics.count();
  refuse_repeated(document.root, overrides, diagnostics);
  const Node root = with_overrides(document.root, overrides, diagnostics);
  const std::size_t before_sweep = diagnostics.count();
  const std::vector<SweepPoint> points = read_sweep(root, overrides, seed_of(root), diagnostics);
  const bool sweep_is_good = diagnostics.count() == before_sweep;
  WithoutEffect without_effect;
  DriveFiles drive_files;
  std::optional<Scenario> first;
  for (std::size_t i = 0; i < points.size() && diagnostics.count() < before + enough_problems; ++i) {
    const Node tree = with_overrides(root, points[i].overrides(), diagnostics);
    std::optional<Scenario> scenario =
        load_tree(tree, document, registry, drive_files, diagnostics, !overrides.empty(), &without_effect);
    if (i == 0) {
      first = std::move(scenario);
    }
  }
  if (points.empty()) {
    first =
        load_tree(root, document, registry, drive_files, diagnostics, !overrides.empty(), &without_effect);
  }
  without_effect.report(std::max<std::size_t>(1, points.size()), diagnostics);
  if (first) {
    first->sweep = points;
    first->point = points.empty() ? SweepPoint{} : points.front();
    for (const Override& override_ : overrides) {
      first->overrides.push_back(override_.value.key_where.text->name);
    }
    if (!document.incomplete) {
      read_expectations(root, sweep_is_good && overrides.empty() && !has_argument(points), *first,
                        diagnostics);
    }
  }
  return diagnostics.count() == before && !document.incomplete ? std::move(first) : std::nullopt;
}

std::optional<Scenario> load_scenario(const std::string& path, const std::vector<Override>& overrides,
                                      const Registry& registry, Diagnostics& diagnostics) {
  const std::optional<Document> document = read_document(path, diagnostics);
  return document ? load_scenario(*document, overrides, registry, diagnostics) : std::nullopt;
}

std::optional<Scenario> load_point(const Document& document, const std::vector<Override>& overrides,
                                   const SweepPoint& point, const Registry& registry,
                                   Diagnostics& diagnostics) {
  std::vector<Override> all = overrides;
  const std::vector<Override> of_point = point.overrides();
  all.insert(all.end(), of_point.begin(), of_point.end());
  const Node root = with_overrides(document.root, all, diagnostics);
  DriveFiles drive_files;
  std::optional<Scenario> scenario =
      load_tree(root, document, registry, drive_files, diagnostics, true, nullptr);
  if (scenario) {
    scenario->point = point;
    for (const Override& override_ : overrides) {
      scenario->overrides.push_back(override_.value.key_where.text->name);
    }
  }
  return scenario;
}

Scenario Loader::load() {
  scenario_.make_drive = make_drive_maker(registry_);
  check_sections();
  read_scenario();
  read_machine();
  read_readahead();
  read_block();
  read_writeback();
  read_devices();
  read_files();
  read_processes();
  return std::move(scenario_);
}

void Loader::check_sections() {
  static const std::vector<std::string> known = {"scenario", "machine",   "device",  "file",  "readahead",
                                                 "block",    "writeback", "process", "sweep", "expect"};
  for (const Node& section : root_.children) {
    if (std::find(known.begin(), known.end(), section.key) == known.end()) {
      const std::string best = nearest(section.key, known);
      error(section.key_where,
            "unknown section " + in_quotes(section.key) +
                (best.empty() ? "" : "; did you mean \"" + best + "\"?"),
            suggestion("", known, "sections"));
    }
  }
}

void Loader::read_scenario() {
  TableReader reader = reader_of("scenario");
  if (const Node* title = reader.take_text("title")) {
    scenario_.title = title->text;
  }
  if (const Node* source = reader.take_text("source")) {
    scenario_.source = source->text;
  }
  Heading heading;
  reader.read(heading);
  scenario_.seed = static_cast<std::uint64_t>(heading.seed);
  if (heading.duration_ns > 0) {
    scenario_.duration_ns = heading.duration_ns;
  }
  reader.finish();
}

void Loader::read_machine() {
  TableReader reader = reader_of("machine");
  reader.read(scenario_.machine);
  reader.finish();
}

void Loader::read_writeback() {
  TableReader reader = reader_of("writeback");
  reader.read(scenario_.writeback);
  reader.finish();
}

void Loader::read_readahead() {
  TableReader reader = reader_of("readahead");
  limit_ = read_limit(reader);
  const Node* policy = reader.take_text("policy");
  if (policy == nullptr) {
    const Node* section = root_.find("readahead");
    if (section == nullptr || section->find("policy") == nullptr) {
      reader.missing("policy", suggestion("", names_of(registry_.readahead), "policies"));
    }
    return;
  }
  if (!choose(registry_.readahead, *policy, "readahead policy", scenario_.readahead.policy)) {
    return;
  }
  // Both are MAX_READAHEAD of their kernels, 31 pages and 128 KiB.
  default_ra_pages_ = policy->text == "linux-2.4" ? 31 : 32;
  leave_old(registry_.readahead, *policy, reader);
  // A policy that is chosen from outside may well ignore the limit of the text.
  reader.report_without_effect(&without_effect_, has_overrides_ || policy->is_override);
  reader.read(*scenario_.readahead.policy.parameters);
  reader.finish();
}

void Loader::read_block() {
  TableReader reader = reader_of("block");
  reader.read(scenario_.block);
  const Node* elevator = reader.take_text("elevator");
  Node standard = Node::make_text(default_elevator(scenario_.block.kernel));
  if (elevator == nullptr) {
    const Node* section = root_.find("block");
    standard.where = section == nullptr ? root_.where : section->key_where;
    elevator = &standard;
  } else if (elevator->is_override && elevator->replaced.empty()) {
    standard = *elevator;
    standard.replaced = default_elevator(scenario_.block.kernel);
    elevator = &standard;
  }
  if (choose(registry_.elevators, *elevator, "elevator", scenario_.elevator)) {
    leave_old(registry_.elevators, *elevator, reader);
    reader.read(*scenario_.elevator.parameters);
    reader.finish();
  }
}

std::vector<const Node*> Loader::tables(const char* section) {
  std::vector<const Node*> out;
  const Node* node = root_.find(section);
  if (node == nullptr) {
    return out;
  }
  if (!node->is_array()) {
    error(node->key_where, std::string("write [[") + section + "]], there may be several");
    nameless_.insert(section);
    return out;
  }
  for (const Node& table : node->children) {
    if (table.is_table()) {
      out.push_back(&table);
    } else {
      nameless_.insert(section);
      error(table.where, std::string("[[") + section + "]] must be a table, not " + kind_name(table));
    }
  }
  return out;
}

TableReader Loader::reader_of(const char* section) {
  const Node* node = root_.find(section);
  TableReader reader(node, std::string("[") + section + "]", node == nullptr ? root_.where : node->key_where,
                     diagnostics_);
  reader.report_without_effect(&without_effect_, has_overrides_);
  if (incomplete_) {
    reader.tolerate_missing();
  }
  return reader;
}

TableReader Loader::reader_of(const Node& table, const std::string& title) {
  TableReader reader(&table, title, table.key_where, diagnostics_);
  reader.report_without_effect(&without_effect_, has_overrides_);
  if (incomplete_) {
    reader.tolerate_missing();
  }
  return reader;
}

std::string Loader::read_name(TableReader& reader, const Node& table, const char* section,
                              const std::string& fallback) {
  const Node* node = reader.take_text("name");
  if (node == nullptr && (fallback.empty() || table.find("name") != nullptr)) {
    if (table.find("name") == nullptr) {
      reader.missing("name", "by which other sections refer to it");
    }
    nameless_.insert(section);
    return "";
  }
  const std::string name = node == nullptr ? fallback : node->text;
  const Position where = node == nullptr ? table.key_where : node->where;
  const bool plain = std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  });
  if (!plain) {
    error(where, "the name " + in_quotes(name) + " may hold letters, digits, _ and - only");
    nameless_.insert(section);
    return "";
  }
  const auto [known, is_new] = names_[section].try_emplace(name, where);
  if (!is_new) {
    error(where, std::string("there is another ") + section + " " + in_quotes(name), "",
          {{known->second, "here"}});
    return "";
  }
  return name;
}

const Node* Loader::only_one(std::vector<const Node*> alternatives) {
  std::erase(alternatives, nullptr);
  // In the order of the text: the later one contradicts.
  std::sort(alternatives.begin(), alternatives.end(), [](const Node* a, const Node* b) {
    return std::pair(a->key_where.line, a->key_where.column) <
           std::pair(b->key_where.line, b->key_where.column);
  });
  const Node* chosen = nullptr;
  for (const Node* node : alternatives) {
    if (chosen == nullptr || (node->is_override && !chosen->is_override)) {
      chosen = node;
    } else if (node->is_override == chosen->is_override) {
      error(node->key_where, node->key + " contradicts " + chosen->key + ": give one of them", "",
            {{chosen->key_where, "the other one"}});
      return nullptr;
    }
  }
  return chosen;
}

void Loader::error(const Position& where, const std::string& message, const std::string& hint,
                   std::vector<Note> notes) {
  ok_ = false;
  diagnostics_.error(where, message, hint, std::move(notes));
}

void Loader::unknown(const char* section, const Position& where, const std::string& message,
                     const std::string& hint) {
  ok_ = false;
  if (!incomplete_ && !nameless_.contains(section)) {
    error(where, message, hint);
  }
}

}  // namespace seekahead
