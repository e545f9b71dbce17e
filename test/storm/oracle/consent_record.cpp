#include "test/storm/oracle/consent_record.hpp"

namespace sliceferry::storm {

void consent_record::see(const seen_consent& seen, moment now, run_time lag) {
  const bool anew = uid_ != seen.uid;
  uid_ = seen.uid;
  resource_version_ = seen.resource_version;
  const bool unjudged = seen.says == seen_consent::verdict::unjudged && (anew || (unsure_ && !granted_));
  if (seen.says == seen_consent::verdict::outdated || unjudged) {
    if (anew)
      granted_ = false;
    unsure_ = anew || unsure_ || (!outdated_ && now.run - since_ < lag);
    outdated_ = true;
    return;
  }
  const bool granted = seen.says == seen_consent::verdict::granted;
  if (anew || granted != granted_)
    since_ = now.run;
  granted_ = granted;
  outdated_ = unsure_ = false;
}

void consent_record::vanish(moment now) {
  *this = {};
  since_ = now.run;
}

call consent_record::says() const {
  if (outdated_ && unsure_)
    return call::maybe;
  return granted_ ? call::yes : call::no;
}

} // namespace sliceferry::storm
