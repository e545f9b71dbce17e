#pragma once
#include "actors/journal/journal_port.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace sliceferry {

/// A journal in memory whose disk the test plays: durable at once, unless it is told to hold.
class staged_journal final : public journal::journal_port {
public:
  struct addition {
    journal::stream_id whose;
    object_key slice;
    std::vector<event> told;
    core::memory after;
    bool begins = false;
    bool resumes = false;
  };

  std::uint64_t append(const journal::addition& made) override {
    added.push_back(
      {made.whose, made.slice, {made.told.begin(), made.told.end()}, made.after, made.begins, made.resumes});
    if (!holds)
      durable_ = added.size();
    return added.size();
  }
  std::uint64_t durable() const override { return degraded ? std::numeric_limits<std::uint64_t>::max() : durable_; }
  void when_durable(std::uint64_t position, std::function<void()> then) override {
    if (position <= durable())
      return then();
    waiting_.emplace(position, std::move(then));
  }

  /// What was added so far is durable now.
  void sync() {
    durable_ = added.size();
    tell();
  }
  /// The disk is given up on.
  void degrade() {
    degraded = true;
    tell();
  }

  /// What the stream's memory is by its events alone.
  core::memory fold(const journal::stream_id& whose) const {
    core::memory held;
    for (const auto& each : added) {
      if (each.whose != whose)
        continue;
      if (each.begins)
        held = {};
      for (const auto& told : each.told)
        held = journal::fold(std::move(held), {.what = told});
    }
    return held;
  }

  std::vector<addition> added;
  bool holds = false;
  bool degraded = false;

private:
  void tell() {
    while (!waiting_.empty() && waiting_.begin()->first <= durable()) {
      const auto then = waiting_.extract(waiting_.begin());
      then.mapped()();
    }
  }

  std::uint64_t durable_ = 0;
  std::multimap<std::uint64_t, std::function<void()>> waiting_;
};

} // namespace sliceferry
