#pragma once
#include "messages/object_key.hpp"

#include <boost/json/value.hpp>

#include <optional>
#include <string>

namespace sliceferry::storm {

/// A ServiceExport of a member, reduced to the verdict that its conditions give. `outdated`: what would grant was
/// judged of an older generation, so that the consent stays as it was. `unjudged`: neither condition is there.
struct seen_consent {
  enum class verdict { denied, granted, outdated, unjudged };

  object_key key;
  std::string uid;
  std::string resource_version;
  verdict says = verdict::denied;
};

/// Nothing where the object has no UID.
std::optional<seen_consent> read_consent(const boost::json::value& object);

} // namespace sliceferry::storm
