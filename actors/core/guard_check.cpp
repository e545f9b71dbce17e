#include "actors/core/guard_check.hpp"

#include <algorithm>
#include <utility>

namespace sliceferry::core {

namespace {

std::size_t index(mirrored which) {
  return static_cast<std::size_t>(which);
}

void append(std::string& to, const std::string& what) {
  to.append(to.empty() ? "" : ", ").append(what);
}

} // namespace

std::vector<std::string> guard_check::add(std::vector<std::string> namespaces) {
  std::sort(namespaces.begin(), namespaces.end());
  namespaces.erase(std::unique(namespaces.begin(), namespaces.end()), namespaces.end());
  std::erase_if(namespaces, [this](const auto& each) { return each.empty() || namespaces_.count(each) != 0; });
  if (namespaces_.size() + namespaces.size() > namespaces_max)
    return {};
  for (const auto& each : namespaces)
    namespaces_.emplace(each, std::nullopt);
  return namespaces;
}

void guard_check::list_began(mirrored which) {
  lists_[index(which)].began = true;
}

void guard_check::list_done(mirrored which, bool is_empty) {
  auto& list = lists_[index(which)];
  if (!list.began)
    return;
  list.done = true;
  if (which == mirrored::slices)
    has_slices_ = !is_empty;
}

void guard_check::namespace_read(const std::string& nspace, existence how) {
  if (const auto found = namespaces_.find(nspace); found != namespaces_.end())
    found->second = how;
}

std::vector<std::string> guard_check::pick_sample(const std::set<std::string>& slice_uids) {
  std::vector<std::string> able;
  for (const auto& uid : slice_uids)
    if (sample_.count(uid) == 0)
      able.push_back(uid);
  const std::size_t count = std::min(able.size(), sample_size - sample_.size());
  std::vector<std::string> out;
  for (std::size_t i = 0; i < count; ++i)
    out.push_back(able[i * able.size() / count]);
  for (const auto& uid : out)
    sample_.emplace(uid, std::nullopt);
  return out;
}

void guard_check::absence_read(const std::string& slice_uid, existence how) {
  if (const auto found = sample_.find(slice_uid); found != sample_.end())
    found->second = how;
}

bool guard_check::lacks_kind() const {
  return kind_ == existence::missing || kind_ == existence::terminating;
}

bool guard_check::explains(const std::string& nspace) const {
  const auto found = namespaces_.find(nspace);
  if (found == namespaces_.end() || !found->second)
    return false;
  switch (*found->second) {
    case existence::terminating:
      return true;
    case existence::missing:
      return kind_ == existence::exists && has_slices_;
    case existence::exists:
    case existence::unknown:
      return false;
  }
  return false;
}

guard_check::verdict guard_check::now() const {
  if (!awaited().empty())
    return verdict::open;
  if (kind_ == existence::missing)
    return verdict::kind_missing;
  if (kind_ == existence::terminating)
    return verdict::kind_going;
  if (!has_slices_)
    return verdict::nothing_is_there;
  const auto is_there = [](const auto& each) {
    return each.second == existence::exists || each.second == existence::terminating;
  };
  return std::any_of(sample_.begin(), sample_.end(), is_there) ? verdict::lists_lack_some : verdict::confirmed;
}

std::string guard_check::awaited() const {
  std::string out;
  for (const auto& [which, name] : {std::pair{mirrored::slices, "a list of EndpointSlices"},
                                    {mirrored::consents, "a list of ServiceExports"},
                                    {mirrored::exports, "a list of its exports on the hub"}})
    if (!lacks_kind() && !lists_[index(which)].done)
      append(out, name);
  if (!kind_)
    append(out, "a read of the CRD of ServiceExports");
  const auto await_reads = [&out](const readings& all, const std::string& what) {
    const auto unread = std::count_if(all.begin(), all.end(), [](const auto& each) { return !each.second; });
    if (unread > 0)
      append(out, "reads of " + std::to_string(unread) + ' ' + what + (unread == 1 ? "" : "s"));
  };
  await_reads(namespaces_, "namespace");
  if (!lacks_kind())
    await_reads(sample_, "absent object");
  return out;
}

} // namespace sliceferry::core
