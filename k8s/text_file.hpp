#pragma once
#include "k8s/result.hpp"

#include <string>

namespace sliceferry::k8s {

/// The whole text of a small file, such as a token or a certificate (at most 4 MB).
/// Fails as `unavailable`, for it may appear later, with the path and the cause.
result<std::string> read_text_file(const std::string& path);

} // namespace sliceferry::k8s
