#include <sys/stat.h>

#include <catch2/catch.hpp>

#include "sim/scenario/document.hpp"
#include "tests/cli/program.hpp"

using namespace seekahead;
using test::Directory;

namespace {

std::string problems(const Diagnostics& diagnostics) { return diagnostics.ok() ? "" : diagnostics.text(); }

Node parse(const std::string& text) {
  Diagnostics diagnostics;
  Document document = parse_document(text, "t.toml", diagnostics);
  INFO(problems(diagnostics));
  REQUIRE(diagnostics.ok());
  return document.root;
}

}  // namespace

TEST_CASE("keys and values know where they stand") {
  const Node root = parse("# comment\n[a]\n  b = \"text\"\n[[c]]\nd = [1, 2.5]\n");
  const Node* b = root.find("a")->find("b");
  CHECK(describe(b->key_where) == "t.toml:3:3");
  CHECK(describe(b->where) == "t.toml:3:7");
  CHECK(b->where.length == 6);
  CHECK(describe(root.find("c")->children[0].find("d")->children[1].where) == "t.toml:5:9");
  CHECK(describe(root.find("c")->children[0].key_where) == "t.toml:4:1");
}

TEST_CASE("several broken lines are all reported") {
  Diagnostics diagnostics;
  const Document document =
      parse_document("a = 1\nb = = 2\nc = 3\nd = \"open\ne = 5\n", "t.toml", diagnostics);
  CHECK(document.incomplete);
  REQUIRE(diagnostics.count() == 2);
  CHECK(diagnostics.sorted()[0].where.line == 2);
  CHECK(diagnostics.sorted()[1].where.line == 4);
  CHECK(document.root.find("c") != nullptr);
  CHECK(document.root.find("e") != nullptr);
}

TEST_CASE("an unfinished list is one mistake not one a line") {
  Diagnostics diagnostics;
  parse_document("a = 1\nb = [1, 2\nc = 3\nd = 4\n[e]\nf = 5\n", "t.toml", diagnostics);
  CHECK(diagnostics.count() == 1);
}

TEST_CASE("absurdly deep keys and lists are refused") {
  Diagnostics diagnostics;
  std::string key = "a";
  for (int i = 0; i < 200'000; ++i) {
    key += ".a";
  }
  parse_document(key + " = 1\n", "t.toml", diagnostics);
  CHECK_THAT(diagnostics.text(), Catch::Contains("t.toml:1:1: error: this key has more than 64 parts"));
  Diagnostics lists;
  parse_document("a = " + std::string(100'000, '['), "t.toml", lists);
  CHECK(lists.count() == 1);
}

TEST_CASE("text that is not UTF-8 is refused with its place") {
  Diagnostics diagnostics;
  parse_document("a = 1\nb = \"\u00b5\xff\"\n", "t.toml", diagnostics);
  CHECK(describe(diagnostics.sorted().at(0).where) == "t.toml:2:7");
}

TEST_CASE("including keys win and included arrays of tables come first") {
  const Directory directory;
  directory.file("base.toml", "[m]\nx = 1\ny = 2\n[[f]]\nname = \"base\"\n");
  directory.file("second.toml", "[m]\ny = 3\nz = 3\n");
  const std::string top = directory.file(
      "top.toml", "include = [\"base.toml\", \"second.toml\"]\n[m]\nx = 10\n[[f]]\nname = \"top\"\n");
  Diagnostics diagnostics;
  const std::optional<Document> document = read_document(top, diagnostics);
  INFO(problems(diagnostics));
  REQUIRE(diagnostics.ok());
  const Node& m = *document->root.find("m");
  CHECK(m.find("x")->integer == 10);
  CHECK(m.find("y")->integer == 3);  // the later include wins
  CHECK(m.find("z")->integer == 3);
  REQUIRE(document->root.find("f")->children.size() == 2);
  CHECK(document->root.find("f")->children[0].find("name")->text == "base");
  CHECK(document->root.find("f")->children[1].find("name")->text == "top");
  CHECK(document->root.find("include") == nullptr);
}

TEST_CASE("a file reached by two includes is read once") {
  const Directory directory;
  directory.file("base.toml", "[[f]]\nname = \"base\"\n");
  directory.file("x.toml", "include = \"base.toml\"\n");
  directory.file("y.toml", "include = \"base.toml\"\n");
  Diagnostics diagnostics;
  const auto document =
      read_document(directory.file("top.toml", "include = [\"x.toml\", \"y.toml\"]\n"), diagnostics);
  REQUIRE(diagnostics.ok());
  CHECK(document->root.find("f")->children.size() == 1);
}

TEST_CASE("bad includes are reported where they are written") {
  const Directory directory;
  directory.file("a.toml", "x = 1\ninclude = [\"b.toml\"]\n");
  directory.file("b.toml", "include = [\"./a.toml\"]\n");
  const std::string top =
      directory.file("top.toml",
                     "include = [\n  \"a.toml\",\n  \"none.toml\",\n  \".\",\n  3,\n  \"\",\n"
                     "  \"latin.toml\",\n  \"secret.toml\",\n]\n");
  directory.file("latin.toml", "x = \"\xe9\"\n");
  ::chmod(directory.file("secret.toml", "x = 1\n").c_str(), 0);
  Diagnostics diagnostics;
  const auto document = read_document(top, diagnostics);
  REQUIRE(document.has_value());
  CHECK(document->incomplete);
  const std::string text = diagnostics.text();
  CHECK_THAT(text, Catch::Contains("b.toml:1:12: error: cycle of includes"));
  CHECK_THAT(text,
             Catch::Contains("top.toml:3:3: error: file") && Catch::Contains("none.toml\" does not exist"));
  CHECK_THAT(text, Catch::Contains("top.toml:4:3: error: file") && Catch::Contains("is a directory"));
  CHECK_THAT(text, Catch::Contains("top.toml:5:3: error: include must name files, not a whole number"));
  CHECK_THAT(text, Catch::Contains("top.toml:6:3: error: \"\" is not the name of a file"));
  CHECK_THAT(text, Catch::Contains("latin.toml:1:6: error: this byte is not UTF-8 text"));
  if (::geteuid() != 0) {  // root may read anything
    CHECK_THAT(text, Catch::Contains("top.toml:8:3: error: file") && Catch::Contains("cannot be opened"));
  }
}

TEST_CASE("a file that includes itself is a cycle and a long chain is cut") {
  const Directory directory;
  Diagnostics self;
  read_document(directory.file("self.toml", "include = \"self.toml\"\n"), self);
  CHECK_THAT(self.text(), Catch::Contains("self.toml:1:11: error: cycle of includes"));
  for (int i = 0; i < 40; ++i) {
    directory.file("f" + std::to_string(i) + ".toml", "include = \"f" + std::to_string(i + 1) + ".toml\"\n");
  }
  Diagnostics chain;
  read_document(directory.path("f0.toml"), chain);
  CHECK_THAT(chain.text(), Catch::Contains("nested more than 16 deep"));
}

TEST_CASE("endless and missing files are refused") {
  Diagnostics endless;
  CHECK_FALSE(read_document("/dev/zero", endless).has_value());
  CHECK_THAT(endless.text(), Catch::Contains("larger than 16 MiB"));
  Diagnostics missing;
  CHECK_FALSE(read_document("no/such.toml", missing).has_value());
  CHECK_THAT(missing.text(), Catch::Contains("\"no/such.toml\" does not exist"));
}

TEST_CASE("overrides reach tables and elements by name or index") {
  Node root = parse("[a]\nx = 1\n[[d]]\nname = \"one\"\n[[d]]\nname = \"two\"\nlist = [1, 2]\n");
  Diagnostics diagnostics;
  for (const char* set :
       {"a.x=7", "d.two.y = 128 KiB", "d.0.y=[3, 4]", "d.two.list.1=9", "b.new.key=true", "a.t=2.4"}) {
    apply(root, parse_override(set, diagnostics).value(), diagnostics);
  }
  INFO(problems(diagnostics));
  REQUIRE(diagnostics.ok());
  CHECK(root.find("a")->find("x")->integer == 7);
  CHECK(root.find("d")->children[1].find("y")->text == "128 KiB");
  CHECK(root.find("d")->children[0].find("y")->children.size() == 2);
  CHECK(root.find("d")->children[1].find("list")->children[1].integer == 9);
  CHECK(root.find("b")->find("new")->find("key")->boolean);
  CHECK(root.find("a")->find("t")->text == "2.4");  // as written, beside its value as a number
  CHECK(root.find("a")->find("x")->is_override);
}

TEST_CASE("bad overrides point at the argument") {
  Node root = parse("[a]\nx = 1\n[[d]]\nname = \"one\"\n");
  Diagnostics diagnostics;
  CHECK_FALSE(parse_override("no value", diagnostics).has_value());
  CHECK_FALSE(parse_override("=5", diagnostics).has_value());
  CHECK_FALSE(parse_override("a..b=5", diagnostics).has_value());
  apply(root, parse_override("d.oen.x=1", diagnostics).value(), diagnostics);
  apply(root, parse_override("a.x.y=1", diagnostics).value(), diagnostics);
  const std::string text = diagnostics.text();
  CHECK_THAT(text, Catch::Contains("--set no value: error: expected KEY=VALUE"));
  CHECK_THAT(text, Catch::Contains("--set d.oen.x=1: error: there is no \"oen\" in \"d\"") &&
                       Catch::Contains("did you mean \"one\"?"));
  CHECK_THAT(text, Catch::Contains("--set a.x.y=1: error: \"y\" is not inside a table"));
}

TEST_CASE("what is written reads back as the same tree") {
  const std::string text =
      "x = 1\ntext = \"a \\\"b\\\" \\\\ \\u0007\"\nreal = 1.0\nyes = true\nday = 2001-07-05\n\n"
      "[t]\nlist = [1, 2.5, \"x\"]\nrows = [\n  { a = 1, b = \"c\" },\n  { a = 2, b = \"d\" },\n]\n\n"
      "[t.\"odd key\"]\ny = 1e-07\n\n[[d]]\nname = \"one\"\n\n[d.sub]\nz = 3\n\n[[d]]\nname = \"two\"\n";
  const std::string written = write_toml(parse(text));
  CHECK(written == text);
  CHECK(write_toml(parse(written)) == written);
}
