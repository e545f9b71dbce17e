#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sliceferry {

/// Where to listen: an IP literal and a port.
struct listen_address {
  std::string host; ///< without brackets
  std::uint16_t port = 0;

  bool operator==(const listen_address&) const = default;
};

/// Reads `127.0.0.1:8080` or `[::1]:8080`. Names are no addresses here: what they resolve to may change.
std::optional<listen_address> parse_listen_address(std::string_view text);

} // namespace sliceferry
