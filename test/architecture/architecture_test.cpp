#include "test/architecture/inclusions.hpp"
#include "test/architecture/sizes.hpp"
#include "test/architecture/words.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace sliceferry::architecture {
namespace {

/// A file that may break one check, and why it must.
struct exception {
  std::string_view check;
  std::string_view path;
  std::string_view reason;
};

const std::vector<exception> exceptions{};

bool is_excused(const violation& found) {
  return std::any_of(exceptions.begin(), exceptions.end(),
                     [&](const exception& each) { return each.check == found.check && each.path == found.path; });
}

violations check(const source_tree& tree) {
  violations out = check_beast(tree);
  for (const auto& file : tree)
    for (const auto& found : {check_inclusions(file, tree), check_sizes(file), check_words(file), check_names(file)})
      out.insert(out.end(), found.begin(), found.end());
  return out;
}

TEST(Architecture, HoldsInTheWholeTree) {
  const source_tree tree = read_tree(SLICEFERRY_SOURCE_DIR);
  ASSERT_TRUE(
    std::any_of(tree.begin(), tree.end(), [](const auto& file) { return file.path == "messages/event.hpp"; }));
  const violations all = check(tree);
  for (const auto& found : all)
    if (!is_excused(found))
      ADD_FAILURE() << found.check << ": " << found.path << ": " << found.detail;
  for (const auto& [what, path, reason] : exceptions) {
    EXPECT_FALSE(reason.empty()) << path;
    EXPECT_TRUE(std::any_of(all.begin(), all.end(),
                            [&](const violation& found) { return found.check == what && found.path == path; }))
      << path << " needs no exception any more";
  }
}

std::string lines(std::size_t count, const std::string& line) {
  std::string out;
  while (count-- > 0)
    out += line + '\n';
  return out;
}

struct plant {
  const char* name;
  source_file file;
  std::string_view check; ///< that must find it; empty: none may
};

/// Some files for the plants to include.
source_tree around(const source_file& planted) {
  source_tree tree;
  for (const char* path : {"messages/event.hpp", "actors/core/decide.hpp", "actors/caf_seam.hpp", "k8s/decode.hpp",
                           "config/settings.hpp", "actors/admin/metrics.hpp", "actors/journal/record.hpp"})
    tree.push_back(make_source(path, "#pragma once\n"));
  tree.push_back(planted);
  return tree;
}

void expect_found(const std::vector<plant>& plants) {
  for (const auto& [name, file, wanted] : plants) {
    SCOPED_TRACE(name);
    std::set<std::string_view> by;
    const violations found = check(around(file));
    for (const auto& each : found)
      by.insert(each.check);
    EXPECT_EQ(by, wanted.empty() ? std::set<std::string_view>{} : std::set<std::string_view>{wanted});
  }
}

source_file header(const char* path, const std::string& body) {
  return make_source(path, "#pragma once\n" + body);
}

TEST(Architecture, FindsPlantedInclusions) {
  expect_found({
    {"values include values", header("messages/a.hpp", "#include \"messages/event.hpp\"\n"), ""},
    {"values include a rule", header("messages/a.hpp", "#include \"actors/core/decide.hpp\"\n"), "inclusion"},
    {"values know a lock", header("messages/a.hpp", "#include <mutex>\n"), "inclusion"},
    {"values know the system", header("messages/a.hpp", "#include <unistd.h>\n"), "inclusion"},
    {"a rule includes the client", make_source("actors/core/a.cpp", "#include \"k8s/decode.hpp\"\n"), "inclusion"},
    {"a rule includes a shell", make_source("actors/core/a.cpp", "#include \"actors/caf_seam.hpp\"\n"), "inclusion"},
    {"a rule uses CAF", make_source("actors/core/a.cpp", "#include <caf/actor.hpp>\n"), "inclusion"},
    {"a rule opens files", make_source("actors/core/a.cpp", "#include <fstream>\n"), "inclusion"},
    {"the client includes a rule", make_source("k8s/a.cpp", "#include \"actors/core/decide.hpp\"\n"), "inclusion"},
    {"the client uses CAF", make_source("k8s/a.cpp", "#include <caf/actor.hpp>\n"), "inclusion"},
    {"the client uses Boost", header("k8s/a.hpp", "#include <boost/system/result.hpp>\n"), ""},
    {"the client shows YAML", header("k8s/a.hpp", "#include <yaml-cpp/yaml.h>\n"), "inclusion"},
    {"settings include values", make_source("config/a.cpp", "#include \"messages/event.hpp\"\n"), "inclusion"},
    {"a shell uses Boost", make_source("actors/a.cpp", "#include <boost/asio.hpp>\n"), "inclusion"},
    {"a shell uses all it may",
     make_source("actors/a.cpp",
                 "#include \"actors/core/decide.hpp\"\n#include \"config/settings.hpp\"\n"
                 "#include \"actors/admin/metrics.hpp\"\n#include <caf/actor.hpp>\n#include <unistd.h>\n"),
     ""},
    {"a second log", make_source("actors/a.cpp", "#include <spdlog/spdlog.h>\n"), "inclusion"},
    {"figures show their library", header("actors/admin/a.hpp", "#include <prometheus/counter.h>\n"), "inclusion"},
    {"figures use Boost", make_source("actors/admin/a.cpp", "#include <boost/asio.hpp>\n"), "inclusion"},
    {"the journal uses the client", make_source("actors/journal/a.cpp", "#include \"k8s/decode.hpp\"\n"), "inclusion"},
    {"a folder without a rule", make_source("extra/a.cpp", ""), "inclusion"},
    {"a path that isn't from the root", make_source("k8s/a.cpp", "#include \"decode.hpp\"\n"), "inclusion"},
    {"a file that isn't there", make_source("k8s/a.cpp", "#include \"k8s/nothing.hpp\"\n"), "inclusion"},
    {"no pragma once", make_source("k8s/a.hpp", "struct a;\n"), "inclusion"},
    {"own header late", make_source("k8s/decode.cpp", "#include <vector>\n#include \"k8s/decode.hpp\"\n"), "inclusion"},
    {"an inclusion in a comment", make_source("k8s/a.cpp", "/*\n#include <caf/actor.hpp>\n*/\n"), ""},
  });
}

TEST(Architecture, FindsBeastWhereItMustNotBe) {
  const std::string beast = "#include <boost/beast/http.hpp>\n";
  source_tree tree = around(make_source("k8s/first.cpp", beast));
  EXPECT_EQ(check(tree).size(), 0U);
  tree.push_back(make_source("k8s/second.cpp", beast));
  EXPECT_EQ(check(tree).size(), 1U);
  expect_found({
    {"in a header", header("k8s/a.hpp", beast), "Beast"},
    {"in another folder", make_source("test/core/a.cpp", beast), "Beast"},
    {"with CAF", make_source("test/storm/a.cpp", beast + "#include <caf/actor.hpp>\n"), "Beast"},
    {"in the simulator", make_source("test/storm/a.cpp", beast), ""},
  });
}

TEST(Architecture, FindsPlantedSizes) {
  const std::string body = lines(59, "  x();");
  const std::string fits = "void f() {\n" + lines(58, "  x();") + "}\n";
  expect_found({
    {"a file that just fits", make_source("k8s/a.cpp", lines(350, "int x;")), ""},
    {"a file too long", make_source("k8s/a.cpp", lines(351, "int x;")), "file size"},
    {"a script too long", make_source("dev", "#!/usr/bin/env bash\n" + lines(350, "x")), "file size"},
    {"Python too long", make_source("test/e2e/a.py", lines(351, "x = 1")), "file size"},
    {"prose may be long", make_source("README.md", lines(351, "x")), ""},
    {"a function that just fits", make_source("k8s/a.cpp", fits), ""},
    {"a function", make_source("k8s/a.cpp", "void f() {\n" + body + "}\n"), "function size"},
    {"a function in a namespace", make_source("k8s/a.cpp", "namespace a {\n\nvoid f() {\n" + body + "}\n\n}\n"),
     "function size"},
    {"a method", make_source("k8s/a.cpp", "class a : b<c()> {\npublic:\n  int f() const {\n" + body + "  }\n};\n"),
     "function size"},
    {"a constructor", make_source("k8s/a.cpp", "a::a(int x) : b_{x}, c_(x), d_{{x}} {\n" + body + "}\n"),
     "function size"},
    {"a signature of many lines",
     make_source("k8s/a.cpp", "void f(int a,\n       int b)\n{\n" + lines(57, "  x();") + "}\n"), "function size"},
    {"a template", make_source("k8s/a.cpp", "template <class T>\nvoid f(T x) {\n" + lines(58, "  x();") + "}\n"),
     "function size"},
    {"braces in a literal", make_source("k8s/a.cpp", "void f() {\n  x(\"}}\", '}', R\"(}})\"); // }\n" + body + "}\n"),
     "function size"},
    {"a test", make_source("test/core/a.cpp", "TEST(A, B) {\n" + body + "}\n"), "function size"},
    {"a named lambda", make_source("k8s/a.cpp", "const auto f = [](int x) {\n" + body + "};\n"), "function size"},
    {"a long list is no function", make_source("k8s/a.cpp", "const row table[] = {\n" + lines(90, "  {1},") + "};\n"),
     ""},
    {"a long class is no function",
     make_source("k8s/a.cpp", "struct a {\n" + lines(90, "  int f() { return 1; }") + "};\n"), ""},
    {"Python's function", make_source("test/e2e/a.py", "def f():\n" + lines(60, "    x()")), "function size"},
    {"Python's method",
     make_source("test/e2e/a.py", "class A:\n    async def f(\n        self,\n    ):\n" + lines(58, "        x()")),
     "function size"},
    {"Python's text at the margin",
     make_source("test/e2e/a.py", "def f():\n    x = \"\"\"\n" + lines(58, "a") + "\"\"\"\n"), "function size"},
    {"Python's neighbours",
     make_source("test/e2e/a.py", "def f():\n" + lines(59, "    x()") + "\n\ndef g():\n    x()\n"), ""},
    {"the shell's function", make_source("dev", "#!/usr/bin/env bash\nf() {\n" + body + "}\n"), "function size"},
    {"Go's function", make_source("test/e2e/kube/a.go", "func f() {\n" + body + "}\n"), "function size"},
  });
}

TEST(Architecture, FindsPlantedWords) {
  expect_found({
    {"the wall clock in a shell", make_source("actors/a.cpp", "auto now = std::chrono::system_clock::now();\n"),
     "word"},
    {"the wall clock in the composition root", make_source("actors/main.cpp", "auto x = system_clock::now();\n"), ""},
    {"any clock in a rule", make_source("actors/core/a.cpp", "auto now = std::chrono::steady_clock::now();\n"), "word"},
    {"a queue's own word", make_source("actors/core/a.cpp", "lane.sleep_until(then);\n"), ""},
    {"a steady clock in a shell", make_source("actors/a.cpp", "auto now = std::chrono::steady_clock::now();\n"), ""},
    {"chance in a rule", make_source("actors/core/a.cpp", "std::random_device seed;\n"), "word"},
    {"a sleeping test", make_source("test/core/a.cpp", "std::this_thread::sleep_for(1s);\n"), "word"},
    {"a JSON type in a header", header("k8s/a.hpp", "void f(const boost::json::value&);\n"), "word"},
    {"a JSON type in a source", make_source("k8s/a.cpp", "boost::json::value x;\n"), ""},
    {"all of CAF", make_source("actors/a.cpp", "#include <caf/all.hpp>\n"), "word"},
    {"a regex", make_source("config/a.cpp", "std::regex x;\n"), "word"},
    {"swallowing", make_source("k8s/a.cpp", "void f() {\n  try {\n  } catch (...) {\n  }\n}\n"), "word"},
    {"throwing in a rule", make_source("actors/core/a.cpp", "void f() { throw 1; }\n"), "word"},
    {"a second log", make_source("k8s/a.cpp", "void f() { std::cerr << 1; }\n"), "word"},
    {"a word in a comment", make_source("k8s/a.cpp", "// unlike std::regex\n"), ""},
    {"a promise", make_source("k8s/a.cpp", std::string{"// TO"} + "DO: later\n"), "word"},
    {"somebody's machine", make_source("README.md", std::string{"see /ro"} + "ot/x\n"), "word"},
  });
}

TEST(Architecture, FindsPlantedNames) {
  expect_found({
    {"utils/", make_source("test/utils/a.py", ""), "name"},
    {"src/", make_source("src/a.md", ""), "name"},
    {"mocks/", make_source("test/core/mocks/a.py", ""), "name"},
    {"types.hpp", header("messages/types.hpp", ""), "name"},
    {"helpers.py", make_source("test/e2e/helpers.py", ""), "name"},
    {"a manager", header("actors/slice_manager.hpp", ""), "name"},
    {"an honest name", header("actors/small.hpp", ""), ""},
  });
}

TEST(Architecture, BlanksOnlyWhatIsNotCode) {
  struct row {
    const char* text;
    const char* code;
  };
  const row table[] = {
    {"a; // b\nc", "a;     \nc"},
    {"a /* b\n */ c", "a     \n    c"},
    {"f(\"x\\\"{\", '{', '\\'');", "f(\"    \", ' ', '  ');"},
    {"n = 1'000'000; // x", "n = 1'000'000;     "},
    {"f(R\"x({)\" )x\"); g", "f(           ); g"},
  };
  for (const auto& [text, code] : table) {
    SCOPED_TRACE(text);
    EXPECT_EQ(make_source("a.cpp", text).code, code);
  }
}

} // namespace
} // namespace sliceferry::architecture
