#pragma once
#include "test/storm/history/entry.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace sliceferry::storm {

/// A line of a real kube-apiserver's audit log (audit.k8s.io/v1, level RequestResponse) as entries of a history.
///
/// A request was carried out between its receipt and the moment when the server was done with its answer, and the log
/// tells no more. Whoever acts upon a member by writing to the hub can't have been too early by that: hence of members
/// the receipt counts, of the hub the end.
///
/// One entry for a request that is answered, none for another stage or what isn't an audit line; a deletecollection
/// makes one for each object that it deleted. `seq` stays 0. The log doesn't tell a write that changed nothing from one
/// that did: both are `modified`, and the object's resourceVersion tells. A DELETE that no finalizer holds answers
/// without the object: then `object` is empty and `uid` tells which one it was.
std::vector<history_entry> read_audit_line(std::string_view line, const std::string& cluster);

} // namespace sliceferry::storm
