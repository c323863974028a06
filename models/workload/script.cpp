// A list of single operations, for known access sequences: program starts, the cases of mailing-list posts.
//   read POSITION LENGTH | write POSITION LENGTH | fault PAGE | fault FIRST..LAST | fadvise ADVICE [POSITION
//   LENGTH] | madvise HINT | fsync | close | compute NS | sleep NS | exec COMMAND
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
  std::string command;
  FileAdvice advice = FileAdvice::normal;
  MapHint hint = MapHint::normal;
};

enum class Word { none, advice, hint, command };

struct VerbForm {
  int numbers;           // arguments that must follow
  int optional_numbers;  // and may follow
  Word word;             // what comes before them
};

const std::map<std::string, VerbForm>& verbs() {
  static const std::map<std::string, VerbForm> forms = {
      {"read", {2, 0, Word::none}},      {"write", {2, 0, Word::none}},   {"fault", {1, 0, Word::none}},
      {"fadvise", {0, 2, Word::advice}}, {"madvise", {0, 0, Word::hint}}, {"fsync", {0, 0, Word::none}},
      {"close", {0, 0, Word::none}},     {"compute", {1, 0, Word::none}}, {"sleep", {1, 0, Word::none}},
      {"exec", {0, 0, Word::command}}};
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

// Takes the advice or name that follows the verb; false if it is not one.
bool take_word(Word kind, std::istringstream& words, Step& step, std::string& problem) {
  std::string word;
  if (kind == Word::none) {
    return true;
  }
  words >> word;
  if (kind == Word::command) {
    step.command = word;
    problem = word.empty() ? "expected the name of a command" : "";
  } else if (kind == Word::advice && advices().contains(word)) {
    step.advice = advices().at(word);
  } else if (kind == Word::hint && hints().contains(word)) {
    step.hint = hints().at(word);
  } else {
    problem = "unknown advice '" + word + "'";
  }
  return problem.empty();
}

// FIRST..LAST of fault; descending if LAST is the smaller one.
bool take_range(const std::string& word, Step& step) {
  const std::size_t dots = word.find("..");
  const auto first = number(word.substr(0, dots));
  const auto last = dots == std::string::npos ? first : number(word.substr(dots + 2));
  if (first && last) {
    step.first = *first;
    step.second = *last;
  }
  return first && last;
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
  if (!take_word(form->second.word, words, step, problem)) {
    return step;
  }
  int count = 0;
  while (words >> word) {
    const auto value = number(word);
    const bool is_range = step.verb == "fault" && count == 0 && take_range(word, step);
    if ((!value && !is_range) || count == 2) {
      problem = "unexpected '" + word + "'";
      return step;
    }
    if (!is_range) {
      (count == 0 ? step.first : step.second) = *value;
    }
    ++count;
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
    v.texts(
        "steps", steps,
        "operations, one a line: read POSITION LENGTH, write POSITION LENGTH, fault PAGE, fault "
        "FIRST..LAST, fadvise ADVICE [POSITION LENGTH], madvise HINT, fsync, close, compute NS, sleep NS, "
        "exec COMMAND; 'N: ' before it means file N");
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
    if (step.verb == "exec") {
      process.exec(step.command);
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
      fault_range(process, *open, step.first, step.second);
    } else if (step.verb == "fadvise") {
      process.fadvise(*open, step.advice, step.first, step.second);
    } else if (step.verb == "madvise") {
      process.madvise(*open, step.hint);
    } else {
      process.fsync(*open);
    }
  }

  static void fault_range(ProcessApi& process, Descriptor fd, PageIndex first, PageIndex last) {
    for (PageIndex page = first;; page += first <= last ? PageIndex{1} : ~PageIndex{0}) {
      process.fault(fd, page);
      if (page == last) {
        return;
      }
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
