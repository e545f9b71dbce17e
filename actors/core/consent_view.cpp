#include "actors/core/consent_view.hpp"

#include "actors/core/consent_rule.hpp"

namespace sliceferry::core {

std::vector<object_key> consent_view::init_done(const std::string& resource_version) {
  std::vector<object_key> absent = unreadable_.init_done();
  for (const sighting& who : present_.init_done(resource_version)) {
    says_.erase(who.key);
    absent.push_back(who.key);
  }
  return absent;
}

bool consent_view::applied(const service_export& seen) {
  const admission how = present_.applied({seen.key, seen.uid}, seen.resource_version);
  if (!how.taken)
    return false;
  const consent old = at(seen.key);
  unreadable_.remove(seen.key);
  const consent now = judge(how.displaced.empty() ? old : consent::absent, seen);
  says_[seen.key] = now;
  return now != old;
}

bool consent_view::deleted(const service_export& last) {
  const bool was_unreadable = unreadable_.remove(last.key);
  if (!present_.deleted({last.key, last.uid}, last.resource_version))
    return was_unreadable;
  says_.erase(last.key);
  return true;
}

consent consent_view::at(const object_key& service) const {
  const auto found = says_.find(service);
  if (found != says_.end())
    return found->second;
  return unreadable_.contains(service) ? consent::pending : consent::absent;
}

} // namespace sliceferry::core
