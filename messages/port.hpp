#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sliceferry {

/// One port of a slice, copied verbatim into the export. Absence is meaning: a port without a
/// number stands for all ports, and an absent name differs from an empty one on the wire.
struct port {
  std::optional<std::string> name;
  std::optional<std::string> protocol;
  std::optional<std::int32_t> number;
  std::optional<std::string> app_protocol;

  bool operator==(const port&) const = default;
};

/// The ports of a slice; absent means `null` on the wire ("no defined ports", as for headless services).
using port_list = std::optional<std::vector<port>>;

/// For logs and test failures: `["http":80/TCP -:*/-]` (`-` absent, `*` all ports), or `none`.
std::string to_string(const port_list& ports);

} // namespace sliceferry
