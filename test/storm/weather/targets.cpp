#include "test/storm/weather/targets.hpp"

#include <algorithm>

namespace sliceferry::storm {
namespace {

/// So often a storm throws the dice for something that is there before it waits for its next turn.
constexpr int throws_max = 16;

std::uint32_t end_of(const service& each) {
  return each.first_slice + each.slices;
}

std::uint32_t end_of(const nspace& each) {
  return each.first_service + each.services;
}

} // namespace

targets::targets(const fleet& all, dice& chance)
  : all_{all}, chance_{chance}, index_{chance.below(all.members.size())}, member_{all.members[index_]} {}

deed targets::to(deed_kind what, std::uint32_t object, std::uint32_t with) const {
  return {what, index_, object, with};
}

std::optional<std::uint32_t> targets::live_nspace() const {
  for (int i = 0; i < throws_max; ++i) {
    const std::uint32_t found = chance_.below(member_.nspaces.size());
    const nspace& place = member_.nspaces[found];
    if (!place.is_reserved && place.state == nspace_state::live)
      return found;
  }
  return std::nullopt;
}

std::vector<std::uint32_t> targets::some_services(std::uint32_t most) const {
  std::vector<std::uint32_t> out;
  for (std::uint32_t left = chance_.between(1, most); left > 0; --left)
    if (const auto place = live_nspace())
      out.push_back(member_.nspaces[*place].first_service + chance_.below(member_.nspaces[*place].services));
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

std::vector<std::uint32_t> targets::some_slices(std::uint32_t most) const {
  std::vector<std::uint32_t> out;
  const std::uint32_t wanted = chance_.between(1, most);
  for (std::uint32_t i = 0; i < wanted * throws_max && out.size() < wanted; ++i) {
    const std::uint32_t found = chance_.below(member_.slices.size());
    const slice& each = member_.slices[found];
    const nspace& place = member_.place(each);
    if (each.present && each.role != slice_role::import && !place.is_reserved && place.state == nspace_state::live)
      out.push_back(found);
  }
  return out;
}

std::vector<std::uint32_t> targets::some_of(const std::vector<std::uint32_t>& list, std::uint32_t most) const {
  std::vector<std::uint32_t> out;
  for (std::uint32_t left = list.empty() ? 0 : chance_.between(1, most); left > 0; --left)
    out.push_back(list[chance_.below(list.size())]);
  return out;
}

std::vector<std::uint32_t> targets::slices_of(std::optional<std::uint32_t> nspace) const {
  std::vector<std::uint32_t> out;
  if (!nspace)
    return out;
  const std::uint32_t share = chance_.between(30, 130); // often all
  const auto& place = member_.nspaces[*nspace];
  for (std::uint32_t i = place.first_service; i < end_of(place); ++i)
    for (std::uint32_t s = member_.services[i].first_slice; s < end_of(member_.services[i]); ++s)
      if (member_.slices[s].present && chance_.chance(share))
        out.push_back(s);
  return out;
}

std::vector<std::uint32_t> targets::slices_on(std::uint32_t node) const {
  std::vector<std::uint32_t> out;
  for (std::uint32_t i = 0; i < member_.slices.size(); ++i) {
    const slice& each = member_.slices[i];
    if (each.present && !member_.place(each).is_reserved &&
        std::any_of(each.endpoints.begin(), each.endpoints.end(), [&](const auto& x) { return x.node == node; }))
      out.push_back(i);
  }
  return out;
}

std::uint32_t targets::another_label(std::uint32_t slice) const {
  const std::uint32_t luck = chance_.below(100);
  if (luck < 20)
    return no_label;
  if (luck < 40)
    return stranger_label;
  const nspace& place = member_.place(member_.slices[slice]);
  return place.first_service + chance_.below(place.services);
}

void targets::add_slices(std::vector<deed>& out, deed_kind what, std::uint32_t service) const {
  const auto& home = member_.services[service];
  for (std::uint32_t s = home.first_slice; s < end_of(home); ++s)
    if (member_.slices[s].role != slice_role::import)
      out.push_back(to(what, s));
}

void targets::add_repacking(std::vector<deed>& out, std::uint32_t service) const {
  const auto& home = member_.services[service];
  if (home.slices < 2)
    return;
  const std::uint32_t from = home.first_slice + chance_.below(home.slices);
  const std::uint32_t into = home.first_slice + chance_.below(home.slices);
  if (from == into || member_.slices[from].role != slice_role::ordinary ||
      member_.slices[into].role != slice_role::ordinary)
    return;
  out.push_back(to(deed_kind::take_endpoints, into, from));
  out.push_back(to(deed_kind::drop_endpoints, from, into));
}

void targets::add_spoiling(std::vector<deed>& out, std::uint32_t service) const {
  const auto judge = [&](verdict what) {
    out.push_back(to(deed_kind::judge_consent, service, static_cast<std::uint32_t>(what)));
  };
  if (!member_.services[service].born) {
    out.push_back(to(deed_kind::create_consent, service));
    judge(verdict::valid);
    return;
  }
  const std::uint32_t luck = chance_.below(100);
  if (luck < 40) {
    out.push_back(to(deed_kind::delete_consent, service));
    out.push_back(to(deed_kind::release_consent, service));
    if (luck < 20) // made again, and not judged for a while
      out.push_back(to(deed_kind::create_consent, service));
    return;
  }
  judge(luck < 60 ? verdict::invalid : luck < 80 ? verdict::conflict : luck < 90 ? verdict::unknown : verdict::stale);
}

void targets::add_mending(std::vector<deed>& out, std::uint32_t service) const {
  const auto& home = member_.services[service];
  if (!home.born) {
    out.push_back(to(deed_kind::delete_consent, service));
    out.push_back(to(deed_kind::release_consent, service));
    return;
  }
  // Where a flap was cut short by the end of its namespace, a terminating one may be left.
  out.push_back(to(deed_kind::release_consent, service));
  out.push_back(to(deed_kind::create_consent, service));
  out.push_back(to(deed_kind::judge_consent, service, static_cast<std::uint32_t>(*home.born)));
}

void targets::add_end(std::vector<deed>& out, std::uint32_t nspace) const {
  const auto& place = member_.nspaces[nspace];
  out.push_back(to(deed_kind::delete_nspace, nspace));
  for (std::uint32_t i = place.first_service; i < end_of(place); ++i) {
    for (std::uint32_t s = member_.services[i].first_slice; s < end_of(member_.services[i]); ++s)
      out.push_back(to(deed_kind::delete_slice, s));
    out.push_back(to(deed_kind::delete_consent, i));
    out.push_back(to(deed_kind::release_consent, i));
  }
  out.push_back(to(deed_kind::finalize_nspace, nspace));
}

void targets::add_rebirth(std::vector<deed>& out, std::uint32_t nspace) const {
  const auto& place = member_.nspaces[nspace];
  out.push_back(to(deed_kind::create_nspace, nspace));
  for (std::uint32_t i = place.first_service; i < end_of(place); ++i) {
    if (member_.services[i].born)
      add_mending(out, i);
    for (std::uint32_t s = member_.services[i].first_slice; s < end_of(member_.services[i]); ++s)
      if (member_.slices[s].role == slice_role::ordinary || member_.slices[s].present)
        out.push_back(to(deed_kind::create_slice, s));
  }
}

} // namespace sliceferry::storm
