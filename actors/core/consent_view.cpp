#include "actors/core/consent_view.hpp"

#include "actors/core/consent_rule.hpp"

namespace sliceferry::core {

std::vector<object_key> consent_view::init_done() {
  std::vector<object_key> absent;
  for (const sighting& who : present_.init_done()) {
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
  const consent now = judge(how.displaced.empty() ? old : consent::absent, seen);
  says_[seen.key] = now;
  return now != old;
}

bool consent_view::deleted(const service_export& last) {
  if (!present_.deleted({last.key, last.uid}, last.resource_version))
    return false;
  says_.erase(last.key);
  return true;
}

consent consent_view::at(const object_key& service) const {
  const auto found = says_.find(service);
  return found == says_.end() ? consent::absent : found->second;
}

} // namespace sliceferry::core
