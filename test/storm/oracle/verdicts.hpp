#pragma once
#include "test/storm/oracle/violation.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace sliceferry::storm {

/// What was found: the first few in full, all counted by rule.
class verdicts {
public:
  static constexpr std::size_t kept_max = 50;

  /// Whether the next one will be kept, and so is worth its story.
  bool listens() const { return kept_.size() < kept_max; }
  void add(violation found) {
    ++counts_[found.rule];
    if (listens())
      kept_.push_back(std::move(found));
  }

  const std::vector<violation>& kept() const { return kept_; }
  const std::map<std::string, std::uint64_t>& counts() const { return counts_; }

private:
  std::vector<violation> kept_;
  std::map<std::string, std::uint64_t> counts_;
};

} // namespace sliceferry::storm
