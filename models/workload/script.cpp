// A list of single operations, for known access sequences: program starts, the cases of mailing-list posts.
//   read POSITION LENGTH | write POSITION LENGTH | fault PAGE | fadvise ADVICE [POSITION LENGTH] | madvise
//   HINT | fsync | close | compute NS | sleep NS
// each optionally led by the number of the file and a colon ("1: read 0 832"); without one it is file 0.
#include <charconv>
#include <map>
#include <memory>
#include <optional>
#include <sstream>

#include "models/workload/workloads.hpp"

namespace seekahead {

namespace {

struct Step {
  std::size_t file = 0;
  std::string verb;
  std::uint64_t first = 0;
  std::uint64_t second = 0;
  FileAdvice advice = FileAdvice::normal;
  MapHint hint = MapHint::normal;
};

struct VerbForm {
  int numbers;           // arguments that must follow
  int optional_numbers;  // and may follow
  bool word;             // an advice comes first
};

const std::map<std::string, VerbForm>& verbs() {
  static const std::map<std::string, VerbForm> forms = {
      {"read", {2, 0, false}},   {"write", {2, 0, false}},   {"fault", {1, 0, false}},
      {"fadvise", {0, 2, true}}, {"madvise", {0, 0, true}},  {"fsync", {0, 0, false}},
      {"close", {0, 0, false}},  {"compute", {1, 0, false}}, {"sleep", {1, 0, false}}};
  return forms;
}

const std::map<std::string, FileAdvice>& advices() {
  static const std::map<std::string, FileAdvice> names = {
      {"normal", FileAdvice::normal},         {"random", FileAdvice::random},
      {"sequential", FileAdvice::sequential}, {"willneed", FileAdvice::willneed},
      {"dontneed", FileAdvice::dontneed},     {"noreuse", FileAdvice::noreuse}};
  return names;
}

const std::map<std::string, MapHint>& hints() {
  static const std::map<std::string, MapHint> names = {
      {"normal", MapHint::normal}, {"random", MapHint::random}, {"sequential", MapHint::sequential}};
  return names;
}

std::optional<std::uint64_t> number(const std::string& word) {
  std::uint64_t value = 0;
  const auto [end, problem] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (problem != std::errc() || end != word.data() + word.size() || value > (std::uint64_t{1} << 52)) {
    return std::nullopt;
  }
  return value;
}

// Reads one line; `problem` says what is wrong with it.
Step parse_step(const std::string& line, std::string& problem) {
  std::istringstream words(line);
  Step step;
  std::string word;
  words >> word;
  if (!word.empty() && word.back() == ':') {
    const auto file = number(word.substr(0, word.size() - 1));
    if (!file) {
      problem = "expected the number of a file before ':'";
      return step;
    }
    step.file = static_cast<std::size_t>(*file);
    words >> word;
  }
  step.verb = word;
  const auto form = verbs().find(word);
  if (form == verbs().end()) {
    problem = "unknown operation '" + word + "'";
    return step;
  }
  if (form->second.word) {
    word.clear();
    words >> word;
    const bool file_advice = step.verb == "fadvise";
    if (file_advice ? !advices().contains(word) : !hints().contains(word)) {
      problem = "unknown advice '" + word + "'";
      return step;
    }
    (file_advice ? static_cast<void>(step.advice = advices().at(word))
                 : static_cast<void>(step.hint = hints().at(word)));
  }
  int count = 0;
  while (words >> word) {
    const auto value = number(word);
    if (!value || count == 2) {
      problem = "unexpected '" + word + "'";
      return step;
    }
    (count++ == 0 ? step.first : step.second) = *value;
  }
  if (count < form->second.numbers || count > form->second.numbers + form->second.optional_numbers ||
      (form->second.optional_numbers == 2 && count == 1)) {
    problem = "wrong number of arguments of " + step.verb;
  }
  return step;
}

struct ScriptParameters : Parameters {
  std::vector<std::string> steps;
  std::int64_t repeat = 1;

  void visit(ParameterVisitor& v) override {
    v.texts("steps", steps,
            "operations, one a line: read POSITION LENGTH, write POSITION LENGTH, fault PAGE, fadvise ADVICE "
            "[POSITION "
            "LENGTH], madvise HINT, fsync, close, compute NS, sleep NS; 'N: ' before it means file N");
    v.integer("repeat", repeat, {1, 1'000'000'000}, "how often to do them all");
  }
  void check(const ProblemSink& report) const override {
    for (std::size_t i = 0; i < steps.size(); ++i) {
      std::string problem;
      parse_step(steps[i], problem);
      if (!problem.empty()) {
        report("steps", "step " + std::to_string(i + 1) + " (" + steps[i] + "): " + problem);
      }
    }
  }
};

class Script final : public Workload {
 public:
  Script(const ScriptParameters& parameters, const WorkloadContext& context)
      : files_(context.files), open_(context.files.size()), repeat_(parameters.repeat) {
    for (const std::string& line : parameters.steps) {
      std::string problem;
      steps_.push_back(parse_step(line, problem));
      if (steps_.back().file >= files_.size()) {
        throw std::runtime_error("script step '" + line + "' names a file that the process does not have");
      }
    }
  }

  void run(ProcessApi& process) override {
    for (std::int64_t i = 0; i < repeat_; ++i) {
      for (const Step& step : steps_) {
        perform(process, step);
      }
    }
  }

 private:
  void perform(ProcessApi& process, const Step& step) {
    std::optional<Descriptor>& open = open_[step.file];
    if (step.verb == "close") {
      if (open) {
        process.close(*open);
        open.reset();
      }
      return;
    }
    if (step.verb == "compute") {
      process.compute(static_cast<TimeNs>(step.first));
      return;
    }
    if (step.verb == "sleep") {
      process.sleep(static_cast<TimeNs>(step.first));
      return;
    }
    if (!open) {
      open = process.open(files_[step.file]);
    }
    if (step.verb == "read") {
      process.read(*open, step.first, step.second);
    } else if (step.verb == "write") {
      process.write(*open, step.first, step.second);
    } else if (step.verb == "fault") {
      process.fault(*open, step.first);
    } else if (step.verb == "fadvise") {
      process.fadvise(*open, step.advice, step.first, step.second);
    } else if (step.verb == "madvise") {
      process.madvise(*open, step.hint);
    } else {
      process.fsync(*open);
    }
  }

  std::vector<std::string> files_;
  std::vector<std::optional<Descriptor>> open_;
  std::int64_t repeat_;
  std::vector<Step> steps_;
};

}  // namespace

void register_script(Registry& registry) {
  WorkloadModel model = model_of<ScriptParameters, WorkloadModel>(
      "script", "a list of single operations", "chosen",
      [](const ScriptParameters& parameters, const WorkloadContext& context) {
        return std::make_unique<Script>(parameters, context);
      });
  model.fewest_files = 1;
  registry.workloads.add(std::move(model));
}

}  // namespace seekahead
