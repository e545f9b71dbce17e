#include "actors/core/former_streams.hpp"

#include "actors/core/evolve.hpp"

#include <utility>

namespace sliceferry::core {
namespace {

/// By whose hand ever; an export that isn't known any more is gone, whatever became of our delete.
bool is_gone(verdict how, bool is_known) {
  switch (how) {
    case verdict::done:
    case verdict::missing:
    case verdict::other_uid:
    case verdict::namespace_missing:
      return true;
    case verdict::conflict:
    case verdict::already_exists:
    case verdict::ambiguous:
    case verdict::refused:
    case verdict::superseded:
    case verdict::taken_back:
    case verdict::too_late:
      return !is_known;
  }
  return !is_known;
}

} // namespace

former_streams::addition former_streams::begin(const leftover& of, const withdraw_export& decided) {
  const auto [at, is_new] = streams_.try_emplace(of.slice_uid);
  stream& which = at->second;
  which.slice = of.slice;
  which.out.insert(decided.hub_uid);
  slice_of_[decided.hub_uid] = of.slice_uid;
  std::vector<event> told{withdrawal_begun{decided.name, decided.hub_uid, decided.why}};
  which.held = evolve(std::move(which.held), told.front());
  return {of.slice_uid, of.slice, std::move(told), which.held, is_new};
}

std::optional<former_streams::addition> former_streams::end(const std::string& hub_uid, verdict how, bool is_known) {
  const auto whose = slice_of_.find(hub_uid);
  if (whose == slice_of_.end() || how == verdict::too_late)
    return std::nullopt;
  const auto at = streams_.find(whose->second);
  stream& which = at->second;
  which.out.erase(hub_uid);
  slice_of_.erase(whose);
  addition out{at->first, which.slice, {}, {}, false};
  if (is_gone(how, is_known))
    out.told.emplace_back(export_withdrawn{hub_uid});
  else if (how == verdict::taken_back && which.out.empty())
    out.told.emplace_back(withdrawal_cancelled{}); // of all that are under way
  if (which.out.empty())
    out.told.emplace_back(slice_gone{});
  for (const auto& each : out.told)
    which.held = evolve(std::move(which.held), each);
  out.after = which.held;
  if (which.out.empty())
    streams_.erase(at);
  return out.told.empty() ? std::nullopt : std::optional{std::move(out)};
}

} // namespace sliceferry::core
