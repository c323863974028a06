// [[process]]: what runs. `count = N` makes copies NAME.0 ... NAME.(N-1).
#include <algorithm>
#include <exception>
#include <utility>

#include "sim/scenario/loader.hpp"

namespace seekahead {

namespace {

constexpr std::int64_t most_processes = 30'000;  // stacks of that many fit
constexpr std::int64_t most_pid = 1 << 30;

struct ProcessCommon : Parameters {
  std::int64_t count = 0;
  TimeNs start_ns = 0;
  std::string command;
  std::int64_t pid = 0;
  void visit(ParameterVisitor& v) override {
    v.integer("count", count, {1, most_processes}, "copies of the process, named NAME.0, NAME.1, ...");
    v.time("start", start_ns, {0, 1'000'000 * ns_per_s}, "when it starts");
    v.text("command", command, "command name in the kernel's log; without: the name");
    v.integer("pid", pid, {0, most_pid},
              "process id in the kernel's log; 0: counted from 1; copies count on");
  }
};

}  // namespace

void Loader::read_processes() {
  const std::vector<const Node*> written = tables("process");
  for (const Node* table : written) {
    read_process(*table);
  }
  const Node* section = root_.find("process");
  if (section == nullptr || (section->is_array() && section->children.empty())) {
    unknown("process", root_.where, "there is no [[process]]: nothing would run",
            "a scenario needs at least one");
  }
  if (scenario_.processes.size() > static_cast<std::size_t>(most_processes)) {
    error(written.front()->key_where, "more than " + std::to_string(most_processes) + " processes");
  }
}

std::optional<std::vector<std::string>> Loader::files_of(TableReader& reader) {
  std::vector<std::string> files;
  const Node* list = reader.take("files");
  if (list == nullptr) {
    return files;
  }
  if (!list->is_array()) {
    error(list->where, "files must be a list of names, not " + kind_name(*list));
    return std::nullopt;
  }
  std::vector<std::string> known;
  for (const FileConfig& file : scenario_.files) {
    known.push_back(file.name);
  }
  bool good = true;
  for (const Node& item : list->children) {
    if (!item.is_text()) {
      error(item.where, "files must be a list of names; this is " + kind_name(item));
      good = false;
    } else if (std::find(known.begin(), known.end(), item.text) == known.end()) {
      unknown("file", item.where, "unknown file " + in_quotes(item.text),
              suggestion(item.text, known, "files"));
      good = false;
    }
    files.push_back(item.text);
  }
  return good ? std::optional(std::move(files)) : std::nullopt;
}

// A file more than the workload opens would be ignored without a word.
bool Loader::check_file_count(const WorkloadModel& model, const std::vector<std::string>& files,
                              const Node& table, const Node& workload) {
  const std::size_t fewest = model.fewest_files;
  const std::size_t most = model.most_files;
  if (files.size() >= fewest && files.size() <= most) {
    return true;
  }
  const Node* list = table.find("files");
  const std::string wanted = fewest == most          ? std::to_string(fewest)
                             : files.size() < fewest ? "at least " + std::to_string(fewest)
                                                     : "at most " + std::to_string(most);
  error(list == nullptr ? workload.where : list->where, "workload " + in_quotes(model.name) + " needs " +
                                                            wanted + (wanted == "1" ? " file" : " files") +
                                                            ", not " + std::to_string(files.size()));
  return false;
}

void Loader::read_process(const Node& table) {
  TableReader reader = reader_of(table, "[[process]]");
  const Node* workload = reader.take_text("workload");
  const std::string name = read_name(reader, table, "process", workload == nullptr ? "" : workload->text);
  const std::optional<std::vector<std::string>> files = files_of(reader);
  ProcessCommon common;
  reader.read(common);
  if (workload == nullptr) {
    if (table.find("workload") == nullptr) {
      reader.missing("workload", suggestion("", names_of(registry_.workloads), "workloads"));
    }
    return;
  }
  Chosen<WorkloadModel> chosen;
  if (!choose(registry_.workloads, *workload, "workload", chosen)) {
    return;
  }
  leave_old(registry_.workloads, *workload, reader);
  reader.read(*chosen.parameters);
  reader.finish();
  if (!files || !check_file_count(*chosen.model, *files, table, *workload) || !reader.ok() || name.empty()) {
    return;
  }
  const std::size_t fewest = chosen.model->fewest_files;
  if (files->size() < fewest) {
    const Node* list = table.find("files");
    error(list == nullptr ? workload->where : list->where,
          "workload " + in_quotes(workload->text) + " needs " + std::to_string(fewest) +
              (fewest == 1 ? " file" : " files") + ", not " + std::to_string(files->size()));
    return;
  }
  if (scenario_.processes.size() > static_cast<std::size_t>(most_processes)) {
    return;  // too many already: told when all are read
  }
  for (std::int64_t i = 0; i < std::max<std::int64_t>(1, common.count); ++i) {
    ProcessConfig process;
    process.name = common.count == 0 ? name : name + "." + std::to_string(i);
    process.group = name;
    process.count = common.count;
    process.files = *files;
    process.start_ns = common.start_ns;
    process.command = common.command.empty() ? process.name : common.command;
    const auto next = static_cast<std::int64_t>(scenario_.processes.size()) + 1;
    process.pid = static_cast<std::int32_t>(common.pid == 0 ? next : common.pid + i);
    process.workload.model = chosen.model;
    process.workload.parameters = chosen.model->parameters();
    reader.read(*process.workload.parameters);
    scenario_.processes.push_back(std::move(process));
  }
  // Made once to learn whether it is content with its files.
  const ProcessConfig& first = scenario_.processes.back();
  Random random(scenario_.seed, "process." + first.name);
  try {
    first.workload.make(WorkloadContext{first.files, &random});
  } catch (const std::exception& problem) {
    const Node* list = table.find("files");
    error(list == nullptr ? workload->where : list->where,
          "workload " + in_quotes(workload->text) + ": " + problem.what());
  }
}

}  // namespace seekahead
