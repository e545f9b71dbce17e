#include "actors/core/foreign_hands.hpp"

#include <algorithm>
#include <utility>

namespace sliceferry::core {

void foreign_hands::undone(const std::string& export_name, const std::string& manager, tick now) {
  hand& by = hand_of(manager);
  ++by.times;
  by.last = now;
  if (names_.size() >= names_max && names_.count(export_name) == 0)
    return;
  record& of = names_[export_name];
  const bool is_new_row = of.times == 0 || now - of.last >= limits_.window;
  of.times = is_new_row ? 1 : of.times + 1;
  of.before = std::exchange(of.last, now);
  const bool was_alarmed = alarmed();
  mark(of, now);
  if (alarmed() && !was_alarmed)
    mark_all(now); // Some may have been repeated too long ago.
}

void foreign_hands::forgive() {
  names_.clear();
  hands_.clear();
  others_ = {};
  repeated_ = 0;
}

unsigned foreign_hands::times(const std::string& export_name) const {
  const auto found = names_.find(export_name);
  return found == names_.end() ? 0 : found->second.times;
}

std::vector<std::string> foreign_hands::review(tick now) {
  std::vector<std::string> out;
  std::erase_if(names_, [&](const auto& each) {
    if (now - each.second.last < limits_.window)
      return false;
    repeated_ -= each.second.is_repeated ? 1 : 0;
    out.push_back(each.first);
    return true;
  });
  std::sort(out.begin(), out.end());
  std::erase_if(hands_, [&](const hand& each) { return now - each.last >= limits_.window; });
  if (now - others_.last >= limits_.window)
    others_ = {};
  mark_all(now);
  return out;
}

std::string foreign_hands::text() const {
  if (names_.empty())
    return {};
  std::string by;
  const auto name = [&by](const std::string& who, unsigned times) {
    by.append(by.empty() ? "" : ", ").append(who).append(" (").append(std::to_string(times)).append("x)");
  };
  for (const auto& each : hands_)
    name(each.manager.empty() ? "unknown, as by a DELETE" : each.manager, each.times);
  if (others_.times > 0)
    name("others", others_.times);
  return std::to_string(names_.size()) + (names_.size() == 1 ? " export was" : " exports were") +
         " changed or removed by somebody else lately, " + std::to_string(repeated_) +
         " of them more than once: " + by +
         (alarmed() ? "; another agent of this member, or another member of its name, works against us" : "");
}

void foreign_hands::mark(record& of, tick now) {
  const bool repeated = of.times >= 2 && now - of.before < limits_.window;
  if (repeated && !of.is_repeated)
    ++repeated_;
  if (!repeated && of.is_repeated)
    --repeated_;
  of.is_repeated = repeated;
}

void foreign_hands::mark_all(tick now) {
  for (auto& [name, of] : names_)
    mark(of, now);
}

foreign_hands::hand& foreign_hands::hand_of(const std::string& manager) {
  const auto found =
    std::find_if(hands_.begin(), hands_.end(), [&](const hand& each) { return each.manager == manager; });
  if (found != hands_.end())
    return *found;
  return hands_.size() < managers_max ? hands_.emplace_back(hand{manager, 0, {}}) : others_;
}

} // namespace sliceferry::core
