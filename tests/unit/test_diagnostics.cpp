#include <catch2/catch.hpp>

#include "sim/scenario/diagnostics.hpp"
#include "sim/scenario/utf8.hpp"

using namespace seekahead;

TEST_CASE("a problem is printed with its line and a caret") {
  const auto text = std::make_shared<const SourceText>("seq.toml", "[[device]]\nkind = \"idee\"\n");
  Diagnostics diagnostics;
  diagnostics.error({text, 2, 8, 6}, "unknown bus \"idee\"", suggestion("idee", {"ide", "scsi"}, "kinds"));
  CHECK(diagnostics.text() ==
        "seq.toml:2:8: error: unknown bus \"idee\"\n"
        "   2 | kind = \"idee\"\n"
        "     |        ^^^^^^ did you mean \"ide\"? known kinds: ide, scsi\n"
        "1 error; nothing was run.\n");
}

TEST_CASE("problems are sorted by line and told once") {
  const auto text = std::make_shared<const SourceText>("t.toml", "a\nb\nc\n");
  Diagnostics diagnostics;
  diagnostics.error({text, 3, 1, 1}, "third");
  diagnostics.error({text, 1, 2, 1}, "first", "", {{{text, 2, 1, 1}, "the other line"}});
  diagnostics.error({text, 3, 1, 1}, "third");
  CHECK(diagnostics.text() ==
        "t.toml:1:2: error: first\n   1 | a\n     |  ^\n"
        "t.toml:2:1: note: the other line\n   2 | b\n     | ^\n"
        "t.toml:3:1: error: third\n   3 | c\n     | ^\n"
        "2 errors; nothing was run.\n");
}

TEST_CASE("carets stand under characters not bytes and tabs stay tabs") {
  const auto text = std::make_shared<const SourceText>("t.toml", "\t\u00b5 = x\n");
  Diagnostics diagnostics;
  diagnostics.error({text, 1, 6, 1}, "here");
  CHECK_THAT(diagnostics.text(), Catch::Contains("   1 | \t\u00b5 = x\n     | \t    ^\n"));
}

TEST_CASE("control characters of the input do not reach the terminal") {
  const auto text = std::make_shared<const SourceText>("t.toml", "x = \"\x1b[31m\"\n");
  Diagnostics diagnostics;
  diagnostics.error({text, 1, 5, 1}, "bad " + in_quotes("\x1b[2J"));
  CHECK(diagnostics.text().find('\x1b') == std::string::npos);
}

TEST_CASE("the nearest name is at most two edits away or an unfinished beginning") {
  const std::vector<std::string> names = {"read_ahead_kb", "setra", "rpm", "max_readahead"};
  CHECK(nearest("rmp", names) == "rpm");
  CHECK(nearest("setre", names) == "setra");
  CHECK(nearest("read_ahead", names) == "read_ahead_kb");
  CHECK(nearest("max_raedahead", names) == "max_readahead");
  CHECK(nearest("elevator", names).empty());
  CHECK(nearest("", names).empty());
  CHECK(nearest("xy", {"ab"}).empty());
}

TEST_CASE("UTF-8 is checked to the letter") {
  CHECK_FALSE(first_invalid_utf8("plain \u00b5 \u20ac \U0001F4BE").has_value());
  CHECK(first_invalid_utf8("ab\xff") == 2U);
  CHECK(first_invalid_utf8("\xc0\x80") == 0U);          // overlong
  CHECK(first_invalid_utf8("\xed\xa0\x80") == 0U);      // surrogate
  CHECK(first_invalid_utf8("\xf4\x90\x80\x80") == 0U);  // above U+10FFFF
  CHECK(first_invalid_utf8("a\xe2\x82") == 1U);         // cut off
  CHECK(count_characters("\u00b5\u20ac") == 2);
}
