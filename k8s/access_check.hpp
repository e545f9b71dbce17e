#pragma once
#include "k8s/credentials.hpp"

#include <string>
#include <vector>

namespace sliceferry::k8s {

/// Every fault of an access that shows without the network, one line each; none if it is usable.
///
/// Looks at the server's URL, at certificates and keys (readable, PEM, belonging together), at
/// `insecure_skip_verify` beside a CA, at a token over plain HTTP to another host, and at headers
/// that are malformed or that the client sets itself. A token file may be missing: it is waited for.
std::vector<std::string> find_faults(const cluster_access& access);

/// Those of the faults that no file can mend, so that looking again is of no use.
std::vector<std::string> find_lasting_faults(const cluster_access& access);

} // namespace sliceferry::k8s
