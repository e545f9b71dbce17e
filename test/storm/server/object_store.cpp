#include "test/storm/server/object_store.hpp"

#include <utility>

namespace sliceferry::storm {

object_space::object_space(const object_space& other) : names_(other.names_) {
  index_all();
}

object_space& object_space::operator=(const object_space& other) {
  if (this == &other)
    return *this;
  index_.clear();
  names_ = other.names_;
  index_all();
  return *this;
}

void object_space::index_all() {
  for (auto each = names_.begin(); each != names_.end(); ++each)
    index_.emplace(each->first, each);
}

shared_revision object_space::find(std::string_view name) const {
  const auto found = index_.find(name);
  return found == index_.end() ? shared_revision{} : found->second->second;
}

shared_revision object_space::exchange(std::string_view name, shared_revision object) {
  if (const auto found = index_.find(name); found != index_.end())
    return std::exchange(found->second->second, std::move(object));
  const auto made = names_.emplace(name, std::move(object)).first;
  index_.emplace(made->first, made);
  return {};
}

shared_revision object_space::erase(std::string_view name) {
  const auto found = index_.find(name);
  if (found == index_.end())
    return {};
  const auto node = found->second;
  index_.erase(found);
  shared_revision out = std::move(node->second);
  names_.erase(node);
  return out;
}

shared_revision collection::find(std::string_view nspace, std::string_view name) const {
  const auto space = all_.find(nspace);
  return space == all_.end() ? shared_revision{} : space->second.find(name);
}

shared_revision collection::exchange(std::string_view nspace, std::string_view name, shared_revision object) {
  auto space = all_.find(nspace);
  if (space == all_.end())
    space = all_.emplace(nspace, object_space{}).first;
  shared_revision before = space->second.exchange(name, std::move(object));
  if (!before)
    ++size_;
  return before;
}

shared_revision collection::erase(std::string_view nspace, std::string_view name) {
  const auto space = all_.find(nspace);
  if (space == all_.end())
    return {};
  shared_revision before = space->second.erase(name);
  if (before)
    --size_;
  if (space->second.names().empty())
    all_.erase(space);
  return before;
}

std::size_t collection::size_of(std::string_view nspace) const {
  if (nspace.empty())
    return size_;
  const auto space = all_.find(nspace);
  return space == all_.end() ? 0 : space->second.names().size();
}

std::vector<std::pair<std::string, std::string>> collection::places() const {
  std::vector<std::pair<std::string, std::string>> out;
  out.reserve(size_);
  for (const auto& [nspace, space] : all_)
    for (const auto& [name, object] : space.names())
      out.emplace_back(nspace, name);
  return out;
}

} // namespace sliceferry::storm
