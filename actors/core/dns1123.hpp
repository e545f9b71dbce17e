#pragma once
#include <string_view>

namespace sliceferry::core {

/// True for a DNS-1123 subdomain as API servers check names: 1 to 253 bytes, parts between dots of lower-case
/// alphanumerics with inner hyphens. A part may be longer than 63, as Kubernetes allows.
bool is_dns1123_subdomain(std::string_view text);

} // namespace sliceferry::core
