// Problems of user input: collected first, all of them, then printed sorted by place:
//
//     scenarios/seq.toml:6:8: error: unknown bus "idee"
//        6 | kind = "idee"
//          |        ^^^^^^ did you mean "ide"? known: ide, scsi
//     2 errors; nothing was run.
#pragma once

#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace seekahead {

// A text that positions point into: a file, standard input, or one argument of the command line.
struct SourceText {
  std::string name;  // "dir/a.toml", "-" or "--set KEY=VALUE"
  std::vector<std::string> lines;
  bool is_argument = false;  // then line and column say nothing
  std::int64_t order = 0;    // in which the texts were opened; problems are sorted by it

  SourceText(std::string its_name, std::string_view text, bool argument = false);
};

// A stretch of one line. Lines and columns start at 1 and count characters, not bytes; line 0 is the text as
// a whole.
struct Position {
  std::shared_ptr<const SourceText> text;
  std::int64_t line = 0;
  std::int64_t column = 0;
  std::int64_t length = 1;
};

// "file:line:column", "file" or "--set KEY=VALUE".
std::string describe(const Position& position);

struct Note {
  Position where;
  std::string message;
};

struct Problem {
  Position where;
  std::string message;
  std::string hint;         // printed behind the caret
  std::vector<Note> notes;  // the other lines of a contradiction
};

class Diagnostics {
 public:
  // The same problem at the same place is kept once: the points of a sweep share most of their text.
  void error(Position where, std::string message, std::string hint = "", std::vector<Note> notes = {});

  std::size_t count() const { return problems_.size(); }
  bool ok() const { return problems_.empty(); }

  std::vector<Problem> sorted() const;

  // Everything as it is printed on stderr; `consequence` ends the last line ("nothing was run").
  std::string text(std::string_view consequence = "nothing was run") const;

 private:
  std::vector<Problem> problems_;
  std::set<std::string> seen_;  // place and message of each
};

// The candidate that a mistyped word most likely means: at most two edits away or an unfinished beginning;
// empty: none.
std::string nearest(std::string_view word, const std::vector<std::string>& candidates);

// `did you mean "x"? known <what>: x, y, z`. Long lists are cut.
std::string suggestion(std::string_view word, const std::vector<std::string>& candidates,
                       std::string_view what = "names");

// In double quotes, made safe for a terminal: control characters become '?', long texts are cut.
std::string in_quotes(std::string_view text);

}  // namespace seekahead
