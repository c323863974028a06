#include "cli/decide/story.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "cli/decide/page_picture.hpp"
#include "cli/decide/replay.hpp"
#include "cli/decide/state_table.hpp"

namespace seekahead::cli {

namespace {

constexpr std::size_t line_width = 100;
constexpr std::size_t indent = 9;
constexpr std::size_t most_events = 24;     // told of one operation
constexpr std::uint64_t most_pages = 4096;  // looked at for one picture
constexpr std::uint64_t margin_pages = 4;   // drawn at both sides of what happened

// Pages [first, past) that an operation names.
struct PageRange {
  PageIndex first = 0;
  PageIndex past = 0;
  bool empty() const { return first >= past; }
};

std::string count_of(std::uint64_t count, const std::string& thing) {
  return std::to_string(count) + " " + thing + (count == 1 ? "" : "s");
}

std::string pages_text(PageIndex first, std::uint64_t count) {
  return count == 1 ? "page " + std::to_string(first)
                    : "pages " + std::to_string(first) + "-" + std::to_string(first + count - 1);
}

// Everything that happens inside one operation, in order: rules that fire, runs of I/O, waits.
class Log final : public RuleListener {
 public:
  explicit Log(const ToyCache& cache)
      : cache_(cache), runs_(cache.runs().size()), waits_(cache.waits().size()) {}

  void rule(std::string_view name, std::string_view text) override {
    catch_up();
    if (!events_.empty() && events_.back().rule == name && events_.back().text == text) {
      ++events_.back().times;
    } else {
      events_.push_back({std::string(name), std::string(text)});
    }
  }

  // Lines to print; runs are described as they are now, at their full length.
  std::vector<std::string> lines() {
    catch_up();
    std::vector<std::string> lines;
    for (const Event& event : events_) {
      if (lines.size() == most_events) {
        lines.push_back("... and " + count_of(events_.size() - most_events, "event") + " more");
        break;
      }
      lines.push_back(text_of(event));
    }
    return lines;
  }

 private:
  struct Event {
    std::string rule;
    std::string text;
    std::size_t run = none;
    std::size_t wait = none;
    int times = 1;
  };
  static constexpr std::size_t none = ~std::size_t{0};

  std::string text_of(const Event& event) const {
    if (event.run != none) {
      const ToyCache::Run& run = cache_.runs()[event.run];
      return "I/O    read " + pages_text(run.start, run.count) + " (" + count_of(run.count, "page") +
             ", class " + std::string(window_class_name(run.window_class)) + ")";
    }
    if (event.wait != none) {
      return "wait   for page " + std::to_string(cache_.waits()[event.wait].page);
    }
    std::string rule = event.rule;
    rule.resize(std::max<std::size_t>(rule.size() + 1, 7), ' ');
    return rule + event.text + (event.times > 1 ? " (" + std::to_string(event.times) + " times)" : "");
  }

  void catch_up() {
    for (; runs_ < cache_.runs().size(); ++runs_) {
      events_.push_back({"", "", runs_, none});
    }
    for (; waits_ < cache_.waits().size(); ++waits_) {
      events_.push_back({"", "", none, waits_});
    }
  }

  const ToyCache& cache_;
  std::size_t runs_;  // told so far
  std::size_t waits_;
  std::vector<Event> events_;
};

class Story {
 public:
  Story(const Case& the_case, std::FILE* out) : case_(the_case), out_(out), replay_(the_case) {}
  void tell();

 private:
  void tell_operation(std::size_t index);
  void tell_sight(const Operation& op, const PageRange& asked);
  void tell_state(const StateTable& before, const StateTable& after);
  void draw(const PageRange& asked, const StateTable& state, std::size_t first_run);
  PageRange picture_range(const PageRange& asked, const std::vector<StateTable::Window>& windows,
                          std::size_t first_run) const;
  PageRange asked_pages(const Operation& op) const;
  StateTable state_of(const Operation& op);
  void line(const char* label, const std::string& text);
  void wrapped(const char* label, const std::vector<std::string>& words);

  const Case& case_;
  std::FILE* out_;
  Replay replay_;
};

void Story::line(const char* label, const std::string& text) {
  std::fprintf(out_, "  %-*s%s\n", static_cast<int>(indent - 2), label, text.c_str());
}

void Story::wrapped(const char* label, const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) {
    if (!text.empty() && indent + text.size() + 3 + word.size() > line_width) {
      line(label, text);
      label = "";
      text.clear();
    }
    text += (text.empty() ? "" : "   ") + word;
  }
  if (!text.empty()) {
    line(label, text);
  }
}

void Story::tell() {
  std::fprintf(out_, "\n=== case %s: policy %s, kernel %s\n", case_.name.c_str(), case_.policy.c_str(),
               case_.kernel.c_str());
  std::fprintf(
      out_, "    file of %s (%llu bytes), readahead limit %s, %s I/O\n",
      count_of(pages_for(case_.file_size), "page").c_str(), static_cast<unsigned long long>(case_.file_size),
      count_of(case_.limits.ra_pages, "page").c_str(), case_.io == ToyIo::instant ? "instant" : "lazy");
  for (std::size_t i = 0; i < case_.operations.size(); ++i) {
    tell_operation(i);
  }
}

std::string describe(const Operation& op) {
  std::string fd = " fd " + std::to_string(op.fd);
  const std::string range = "start " + std::to_string(op.start) + ", " + count_of(op.count, "page");
  switch (op.kind) {
    case OperationKind::read:
      return fd + ", " + count_of(op.length, "byte") + " at " + std::to_string(op.position);
    case OperationKind::fault:
      return fd + ", page " + std::to_string(op.start);
    case OperationKind::fadvise:
      return fd + ", " + advice_name(op.advice) + ", " + count_of(op.length, "byte") + " at " +
             std::to_string(op.position);
    case OperationKind::madvise:
      return fd + ", " + hint_name(op.hint);
    case OperationKind::close:
      return fd;
    case OperationKind::evict:
    case OperationKind::populate:
    case OperationKind::cache:
      return " " + range;
    case OperationKind::congested:
      return op.value ? " yes" : " no";
    case OperationKind::age:
      return " by " + count_of(op.count, "page");
    case OperationKind::complete:
      break;
  }
  return "";
}

void Story::tell_operation(std::size_t index) {
  const Operation& op = case_.operations[index];
  const PageRange asked = asked_pages(op);
  const StateTable before = state_of(op);
  std::fprintf(out_, "\n%zu: %s%s\n", index, operation_name(op.kind), describe(op).c_str());
  tell_sight(op, asked);
  const std::size_t first_run = replay_.cache().runs().size();
  Log log(replay_.cache());
  replay_.cache().rules = &log;
  const std::optional<std::uint64_t> result = replay_.step(index);
  replay_.cache().rules = nullptr;

  for (const std::string& text : log.lines()) {
    const std::size_t split = std::min(text.size(), std::size_t{7});
    line(text.substr(0, split).c_str(), text.substr(split));
  }
  if (result) {
    line("return", op.kind == OperationKind::read ? count_of(*result, "byte")
                   : *result != 0                 ? "mapped"
                                                  : "past the end of the file");
  }
  const StateTable after = op.kind == OperationKind::close ? StateTable() : state_of(op);
  tell_state(before, after);
  draw(asked, after, first_run);
}

// What the policy finds when it is called.
void Story::tell_sight(const Operation& op, const PageRange& asked) {
  if (op.kind != OperationKind::read && op.kind != OperationKind::fault) {
    return;
  }
  if (asked.empty()) {
    line("saw", "nothing: past the end of the file");
    return;
  }
  std::uint64_t cached = 0;
  std::uint64_t in_flight = 0;
  std::uint64_t marked = 0;
  for (PageIndex page = asked.first; page < std::min(asked.past, asked.first + most_pages); ++page) {
    const PageState state = replay_.cache().state(page);
    cached += state.uptodate();
    in_flight += state.in_flight();
    marked += state.marker();
  }
  const PageState first = replay_.cache().state(asked.first);
  std::vector<std::string> sight = {"page " + std::to_string(asked.first) + " " +
                                    (first.absent()     ? "absent"
                                     : first.uptodate() ? "cached"
                                                        : "in flight") +
                                    (first.marker() ? ", with the marker" : "")};
  if (asked.past - asked.first > 1) {
    sight.push_back("of " + count_of(asked.past - asked.first, "page") + " asked " + std::to_string(cached) +
                    " cached, " + std::to_string(in_flight) + " in flight, " + std::to_string(marked) +
                    " with the marker");
  }
  if (replay_.cache().congested()) {
    sight.push_back("the queue is congested");
  }
  wrapped("saw", sight);
}

void Story::tell_state(const StateTable& before, const StateTable& after) {
  std::vector<std::string> changed;
  std::vector<std::string> same;
  for (const StateTable::Field& field : after.fields()) {
    const StateTable::Field* old = before.find(field.name);
    if (old != nullptr && old->text != field.text) {
      changed.push_back(field.name + " " + old->text + " -> " + field.text);
    } else {
      same.push_back(field.name + " " + field.text);
    }
  }
  wrapped("change", changed);
  wrapped("same", same);
}

// Pages of the file that a read or fault wants.
PageRange Story::asked_pages(const Operation& op) const {
  const PageIndex end = replay_.cache().end_page();
  PageRange range;
  if (op.kind == OperationKind::read) {
    range = {op.position / page_bytes, pages_for(op.position + op.length)};
  } else if (op.kind == OperationKind::fault) {
    range = {op.start, op.start + 1};
  }
  range.past = std::min(range.past, end);
  return range;
}

StateTable Story::state_of(const Operation& op) {
  StateTable table;
  if (op.has_fd() && op.kind != OperationKind::close) {
    replay_.policy_of(op.fd).visit_state(table);
  }
  replay_.device().visit_state(replay_.cache(), table);
  return table;
}

// From the first to the last page that has to do with the operation; windows far from what was asked and read
// are left out.
PageRange Story::picture_range(const PageRange& asked, const std::vector<StateTable::Window>& windows,
                               std::size_t first_run) const {
  PageRange range = asked;
  const auto include = [&](PageIndex first, PageIndex past, bool far) {
    if (first >= past) {
      return;
    }
    if (range.empty()) {
      range = {first, past};
    } else if (far || (past + most_pages / 2 > range.first && first < range.past + most_pages / 2)) {
      range = {std::min(range.first, first), std::max(range.past, past)};
    }
  };
  for (std::size_t i = first_run; i < replay_.cache().runs().size(); ++i) {
    const ToyCache::Run& run = replay_.cache().runs()[i];
    include(run.start, run.start + run.count, true);
  }
  if (range.empty()) {
    return range;
  }
  for (const StateTable::Window& window : windows) {
    include(window.first, window.past, false);
  }
  range.first -= std::min(range.first, margin_pages);
  range.past = std::min(range.past + margin_pages, replay_.cache().end_page());
  range.past = std::min(range.past, range.first + most_pages);
  return range;
}

void Story::draw(const PageRange& asked, const StateTable& state, std::size_t first_run) {
  const std::vector<StateTable::Window> windows = state.windows();
  const PageRange range = picture_range(asked, windows, first_run);
  if (range.empty()) {
    return;
  }
  std::vector<PageColumn> columns(range.past - range.first);
  for (PageIndex page = range.first; page < range.past; ++page) {
    PageColumn& column = columns[page - range.first];
    const PageState cached = replay_.cache().state(page);
    column.asked = asked.first <= page && page < asked.past ? '^' : ' ';
    column.page = cached.absent() ? '.' : cached.marker() ? 'M' : cached.uptodate() ? 'o' : '~';
    for (const StateTable::Window& window : windows) {
      if (window.first <= page && page < window.past) {
        column.window = window.sign;
      }
    }
  }
  for (std::size_t i = first_run; i < replay_.cache().runs().size(); ++i) {
    const ToyCache::Run& run = replay_.cache().runs()[i];
    for (PageIndex page = std::max(run.start, range.first);
         page < std::min(run.start + run.count, range.past); ++page) {
      char& sign = columns[page - range.first].page;
      sign = sign == 'o' ? '#' : sign == '~' ? '+' : sign;
    }
  }
  const std::vector<std::string> rows = draw_pages(range.first, columns, line_width - indent);
  const char* const labels[] = {"page", "asked", "cache", "window"};
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (!rows[i].empty()) {
      line(labels[i], rows[i]);
    }
  }
}

}  // namespace

void print_legend(std::FILE* out) {
  std::fputs(
      "Pages are drawn one a column, as they are after the operation; <+N> leaves out N equal ones.\n"
      "  asked   ^  wanted by the read or fault\n"
      "  cache   .  absent             o  cached            ~  in flight since an earlier operation\n"
      "          #  read by this one   +  the same, still in flight    M  carries the marker (PG_readahead)\n"
      "  window  w  the window         a  its asynchronous part, or the window ahead of it\n"
      "Names such as A7 are rules of the policy; \"change\" shows its variables before -> after.\n",
      out);
}

void tell_story(const Case& the_case, std::FILE* out) { Story(the_case, out).tell(); }

}  // namespace seekahead::cli
