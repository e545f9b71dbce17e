#include "test/storm/server/object_store.hpp"

namespace sliceferry::storm {

const collection::by_name* collection::in(std::string_view nspace) const {
  const auto found = all_.find(nspace);
  return found == all_.end() ? nullptr : &found->second;
}

shared_revision collection::find(std::string_view nspace, std::string_view name) const {
  const by_name* names = in(nspace);
  if (!names)
    return {};
  const auto found = names->find(name);
  return found == names->end() ? shared_revision{} : found->second;
}

void collection::put(std::string_view nspace, std::string_view name, shared_revision object) {
  auto space = all_.find(nspace);
  if (space == all_.end())
    space = all_.emplace(nspace, by_name{}).first;
  const auto found = space->second.find(name);
  if (found != space->second.end()) {
    found->second = std::move(object);
    return;
  }
  space->second.emplace(name, std::move(object));
  ++size_;
}

void collection::erase(std::string_view nspace, std::string_view name) {
  const auto space = all_.find(nspace);
  if (space == all_.end())
    return;
  const auto found = space->second.find(name);
  if (found == space->second.end())
    return;
  space->second.erase(found);
  --size_;
  if (space->second.empty())
    all_.erase(space);
}

} // namespace sliceferry::storm
