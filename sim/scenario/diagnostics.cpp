#include "sim/scenario/diagnostics.hpp"

#include <algorithm>
#include <atomic>
#include <tuple>
#include <utility>

namespace seekahead {

namespace {

constexpr std::size_t widest_quote = 80;    // characters of a quoted word
constexpr std::size_t widest_line = 160;    // characters of a source line
constexpr std::size_t longest_list = 24;    // names in a hint
constexpr std::size_t most_printed = 100;   // problems; more help nobody
constexpr std::size_t most_edits = 2;       // of a mistyped word
constexpr std::size_t shortest_prefix = 2;  // letters that say what was meant

bool starts_character(char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }

// The first `characters` characters of a UTF-8 text without control characters, which could move the cursor
// of a terminal; tabs stay if `keep_tabs`.
std::string printable(std::string_view text, std::size_t characters, bool keep_tabs) {
  std::string out;
  std::size_t count = 0;
  for (const char c : text) {
    if (starts_character(c) && ++count > characters) {
      return out + "...";
    }
    const auto byte = static_cast<unsigned char>(c);
    const bool control = byte < 0x20 || byte == 0x7F;
    out += control && !(keep_tabs && c == '\t') ? '?' : c;
  }
  return out;
}

// White space as wide as the first `characters` characters of `line`.
std::string blank(std::string_view line, std::int64_t characters) {
  std::string out;
  for (const char c : line) {
    if (!starts_character(c)) {
      continue;
    }
    if (static_cast<std::int64_t>(out.size()) == characters) {
      break;
    }
    out += c == '\t' ? '\t' : ' ';
  }
  out.resize(static_cast<std::size_t>(characters), ' ');
  return out;
}

std::int64_t characters_of(std::string_view text) {
  return static_cast<std::int64_t>(std::count_if(text.begin(), text.end(), starts_character));
}

// The line with a caret under the place. Places far to the right are named by their column only.
std::string snippet(const Position& where, const std::string& hint) {
  const bool has_line = where.text != nullptr && !where.text->is_argument && where.line >= 1 &&
                        where.line <= static_cast<std::int64_t>(where.text->lines.size());
  if (!has_line) {
    return hint.empty() ? "" : "     | " + hint + "\n";
  }
  const std::string& line = where.text->lines[static_cast<std::size_t>(where.line - 1)];
  std::string number = std::to_string(where.line);
  number = std::string(number.size() < 4 ? 4 - number.size() : 0, ' ') + number;
  std::string out = number + " | " + printable(line, widest_line, true) + "\n";
  const std::int64_t skip = std::max<std::int64_t>(0, where.column - 1);
  if (skip < static_cast<std::int64_t>(widest_line)) {
    const std::int64_t room = std::max<std::int64_t>(1, characters_of(line) - skip);
    const auto carets = static_cast<std::size_t>(std::clamp<std::int64_t>(where.length, 1, room));
    out += std::string(number.size(), ' ') + " | " + blank(line, skip) +
           std::string(std::min(carets, widest_line), '^') + (hint.empty() ? "" : " ") + hint + "\n";
  } else if (!hint.empty()) {
    out += std::string(number.size(), ' ') + " | " + hint + "\n";
  }
  return out;
}

auto place(const Position& p) {
  return std::make_tuple(p.text == nullptr ? std::int64_t{-1} : p.text->order, p.line, p.column);
}

// Levenshtein's distance.
std::size_t edits(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) {
    row[j] = j;
  }
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t substituted = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, substituted});
    }
  }
  return row[b.size()];
}

}  // namespace

SourceText::SourceText(std::string its_name, std::string_view text, bool argument)
    : name(std::move(its_name)), is_argument(argument) {
  static std::atomic<std::int64_t> opened{0};
  order = opened++;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    if (!line.empty() && line.back() == '\r') {
      line.remove_suffix(1);
    }
    lines.emplace_back(line);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
}

std::string describe(const Position& position) {
  if (position.text == nullptr) {
    return "seekahead";
  }
  std::string name = printable(position.text->name, widest_line, false);
  if (position.text->is_argument || position.line == 0) {
    return name;
  }
  return name + ":" + std::to_string(position.line) + ":" + std::to_string(position.column);
}

void Diagnostics::error(Position where, std::string message, std::string hint, std::vector<Note> notes) {
  if (seen_.insert(describe(where) + "\n" + message).second) {
    problems_.push_back({std::move(where), std::move(message), std::move(hint), std::move(notes)});
  }
}

std::vector<Problem> Diagnostics::sorted() const {
  std::vector<Problem> out = problems_;
  std::stable_sort(out.begin(), out.end(),
                   [](const Problem& a, const Problem& b) { return place(a.where) < place(b.where); });
  return out;
}

std::string Diagnostics::text(std::string_view consequence) const {
  std::string out;
  std::size_t printed = 0;
  for (const Problem& problem : sorted()) {
    if (++printed > most_printed) {
      out += "... and " + std::to_string(count() - most_printed) + " more\n";
      break;
    }
    out +=
        describe(problem.where) + ": error: " + problem.message + "\n" + snippet(problem.where, problem.hint);
    for (const Note& note : problem.notes) {
      out += describe(note.where) + ": note: " + note.message + "\n" + snippet(note.where, "");
    }
  }
  return out + std::to_string(count()) + (count() == 1 ? " error" : " errors") + "; " +
         std::string(consequence) + ".\n";
}

std::string nearest(std::string_view word, const std::vector<std::string>& candidates) {
  std::string best;
  std::size_t best_edits = most_edits + 1;
  for (const std::string& candidate : candidates) {
    const std::size_t length_difference =
        candidate.size() > word.size() ? candidate.size() - word.size() : word.size() - candidate.size();
    if (word.empty() || word.size() > widest_quote || length_difference > most_edits) {
      continue;
    }
    // Two edits of a word of two letters make any other word.
    const std::size_t distance = edits(word, candidate);
    const bool is_nearer = distance < best_edits || (distance == best_edits && candidate.starts_with(word));
    if (is_nearer && distance <= most_edits && distance < std::max(word.size(), candidate.size())) {
      best = candidate;
      best_edits = distance;
    }
  }
  if (best.empty() && word.size() >= shortest_prefix) {
    for (const std::string& candidate : candidates) {
      if (std::string_view(candidate).starts_with(word)) {
        return candidate;
      }
    }
  }
  return best;
}

std::string suggestion(std::string_view word, const std::vector<std::string>& candidates,
                       std::string_view what) {
  if (candidates.empty()) {
    return "there are no " + std::string(what);
  }
  const std::string best = nearest(word, candidates);
  std::string out = best.empty() ? "" : "did you mean \"" + best + "\"? ";
  out += "known " + std::string(what) + ":";
  for (std::size_t i = 0; i < candidates.size() && i < longest_list; ++i) {
    out += (i == 0 ? " " : ", ") + candidates[i];
  }
  return out + (candidates.size() > longest_list ? ", ..." : "");
}

std::string in_quotes(std::string_view text) {
  std::string out = "\"";
  out += printable(text, widest_quote, false);
  return out + "\"";
}

}  // namespace seekahead
