#pragma once
#include <boost/json/value.hpp>

namespace sliceferry::storm {

/// RFC 7396: members of the patch replace those of the target, nulls remove them, objects are merged, all else
/// replaces.
void merge_patch(boost::json::value& target, const boost::json::value& patch);

} // namespace sliceferry::storm
