#include "test/architecture/proofs.hpp"

#include <gtest/gtest.h>

namespace sliceferry::architecture {
namespace {

TEST(Proofs, AreInTheTree) {
  for (const auto& found : check_proofs(read_tree(SLICEFERRY_SOURCE_DIR)))
    ADD_FAILURE() << found.path << ": " << found.detail;
}

/// A page of one row in a tree of a few tests.
violations judge(const std::string& rows) {
  const std::string head = "| label | in words | tests |\n|---|---|---|\n";
  return check_proofs({
    make_source("CONTRIBUTING.md", "# Page\n\n" + proofs_heading + "\n\n" + head + rows + "\n## Next\n\n| a | b |\n"),
    make_source("test/core/a_test.cpp", "\nTEST(Suite, Name) {}\n// TEST(Suite, Comment)\nTEST_F(Fixed, Name) {}\n"),
    make_source("test/e2e/test_a.py", "class A:\n    def test_a(self):\n"),
    make_source("test/storm/weather/scenario.cpp", "    portable(\"calm\", \"\",\n    simulated(\"wild\", \"\","),
    make_source("actors/core/a.cpp", "\nTEST(Not, ATest)\n"),
  });
}

TEST(Proofs, ThatAreMissingAreFound) {
  const struct {
    const char* name;
    std::string rows;
    std::size_t found;
  } table[] = {
    {"of each kind", "| X1 | words | `Suite.Name`, `Fixed.Name`, `test_a`, `calm`; `wild` |\n", 0},
    {"two rows", "| X1 | words | `Suite.Name` |\n| X2 | words | `calm` |\n", 0},
    {"what can't happen", "| X1 | words | can't happen: no such thing here |\n", 0},
    {"no test", "| X1 | words | by inspection |\n", 1},
    {"an empty cell", "| X1 | words | |\n", 1},
    {"no words", "| X1 | | `calm` |\n", 1},
    {"a cell too few", "| X1 | `calm` |\n", 1},
    {"one label twice", "| X1 | words | `calm` |\n| X1 | words | `calm` |\n", 1},
    {"another name", "| X1 | words | `Suite.Nam` |\n", 1},
    {"another suite", "| X1 | words | `Suit.Name`, `calm` |\n", 1},
    {"a commented test", "| X1 | words | `Suite.Comment` |\n", 1},
    {"a test outside of test/", "| X1 | words | `Not.ATest` |\n", 1},
    {"another function", "| X1 | words | `test_b` |\n", 1},
    {"another scenario", "| X1 | words | `stormy` |\n", 1},
    {"no rows", "", 1},
  };
  for (const auto& [name, rows, found] : table) {
    SCOPED_TRACE(name);
    EXPECT_EQ(judge(rows).size(), found);
  }
  EXPECT_EQ(check_proofs({make_source("CONTRIBUTING.md", "# Page\n")}).size(), 1U);
}

} // namespace
} // namespace sliceferry::architecture
