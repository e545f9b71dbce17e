#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <utility>

namespace sliceferry::core {

/// Holds back what must not happen before the journal is durable up to a position: write-ahead.
///
/// All of it stays in order, also what waits for nothing itself: a wish to take a command back must not overtake the
/// command. So one that waits delays those behind it, for one commit of the journal at most.
template <class Mail>
class journal_gate {
public:
  /// True if what waits for this position may pass at once; else it is to be held.
  bool passes(std::uint64_t position, std::uint64_t durable) const { return held_.empty() && position <= durable; }

  void hold(std::uint64_t position, Mail mail) { held_.emplace_back(position, std::move(mail)); }

  /// The next that may pass, in order of arrival.
  std::optional<Mail> release(std::uint64_t durable) {
    if (held_.empty() || held_.front().first > durable)
      return std::nullopt;
    std::optional<Mail> out{std::move(held_.front().second)};
    held_.pop_front();
    return out;
  }

  /// The position that the first one waits for.
  std::optional<std::uint64_t> awaited() const {
    return held_.empty() ? std::nullopt : std::optional{held_.front().first};
  }

  /// All that is held, in order.
  template <class Visit>
  void each(Visit visit) const {
    for (const auto& [position, mail] : held_)
      visit(mail);
  }

  template <class Predicate>
  bool any(Predicate is_meant) const {
    return std::any_of(held_.begin(), held_.end(), [&](const auto& each) { return is_meant(each.second); });
  }

private:
  std::deque<std::pair<std::uint64_t, Mail>> held_;
};

} // namespace sliceferry::core
