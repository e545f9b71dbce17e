#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace sliceferry::storm {

/// One thing that a server found wrong with an object.
struct field_error {
  /// The server's own names for it, with `FieldValue` before.
  enum class kind {
    required,
    not_supported,
    invalid,
    type_invalid,
    duplicate,
    forbidden,
    too_many,
    too_long,
    undecodable
  };

  kind what;
  std::string field;   ///< path, such as `spec.ports[0].port`
  std::string message; ///< without the path
};

using field_errors = std::vector<field_error>;

field_error required(std::string field, std::string_view detail = {});
/// `value` is shown as it is: strings with their quotes.
field_error invalid(std::string field, std::string_view value, std::string_view detail);
field_error type_invalid(std::string field, std::string_view value, std::string_view detail);
field_error not_supported(std::string field, std::string_view value, const std::vector<std::string>& supported);
field_error duplicate(std::string field, std::string_view value);
field_error forbidden(std::string field, std::string_view detail);
field_error too_many(std::string field, std::size_t found, std::size_t most);
field_error too_long(std::string field, std::size_t bytes_max);
/// A value of a wrong type in what the server decodes into a structure: 400, not 422.
field_error undecodable(std::string field, std::string_view found, std::string_view wanted);

/// The reason that a Status names for such a cause.
std::string_view reason_of(field_error::kind what);

std::string quoted(std::string_view text);

} // namespace sliceferry::storm
