#pragma once
#include "test/storm/oracle/life.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace sliceferry::storm {

/// Keeps the last few lines of each life's story, and tells them when something went wrong.
class storyteller {
public:
  /// `name`: of the export that the entry is about, empty where it is about the slice.
  void note(life& whose, const history_entry& entry, std::int64_t generation, bool flag);

  /// What is wrong, whose it is, then a line for each thing that happened, by time before `at`.
  std::string tell(const std::string& wrong, const std::string& member, const life* whose, instant at) const;
  /// Where no slice is concerned: the request itself.
  static std::string tell(const std::string& wrong, const history_entry& entry);

private:
  std::string line(const story_line& each, const std::string& member, const life& whose, instant at) const;

  std::vector<std::string> users_;
};

} // namespace sliceferry::storm
