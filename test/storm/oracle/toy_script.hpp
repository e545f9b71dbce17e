#pragma once
#include "test/storm/oracle/toy_program.hpp"

#include <gtest/gtest.h>

#include <set>

namespace sliceferry::storm {

/// A small history and what the oracle must say of it.
struct script {
  const char* name;
  std::function<void(toy_world&)> play;
  std::set<std::string> rules; ///< that must be found; none other may
};

inline void expect(const std::vector<script>& scripts, const oracle_options& options = toy_world::options()) {
  for (const auto& each : scripts) {
    SCOPED_TRACE(each.name);
    toy_world world{options};
    each.play(world);
    std::set<std::string> found;
    std::string stories;
    for (const auto& [rule, count] : world.judge.counts())
      found.insert(rule);
    for (const auto& one : world.judge.violations())
      stories += one.rule + ": " + one.story;
    EXPECT_EQ(found, each.rules) << stories;
  }
}

inline void withdraw(toy_world& world, const std::string& user = program) {
  world.remove(user, export_place("n1"));
}

} // namespace sliceferry::storm
