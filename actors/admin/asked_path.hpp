#pragma once
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace sliceferry {

/// What a request asks for, percent-decoded: `/explain/shop/web?member=m1`.
struct asked_path {
  std::string path;
  std::map<std::string, std::string> query; ///< of a name that comes twice the first value; no `=`: an empty value

  bool operator==(const asked_path&) const = default;
};

/// Nothing if a percent sign isn't followed by two hex digits, or a decoded byte is a control character.
/// A plus sign is one, since paths and values of ours never hold spaces.
std::optional<asked_path> parse_target(std::string_view target);

} // namespace sliceferry
