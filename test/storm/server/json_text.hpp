#pragma once
#include <boost/json/storage_ptr.hpp>
#include <boost/json/value.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace sliceferry::storm {

/// The value as a JSON string, with its quotes.
void append_string(std::string& out, std::string_view value);

void append_number(std::string& out, std::int64_t value);
void append_number(std::string& out, std::uint64_t value);

/// Canonical JSON: no spaces, members sorted by name, as Go writes a map. Equal values give equal texts.
void append_value(std::string& out, const boost::json::value& value);

std::string to_text(const boost::json::value& value);

struct json_reading {
  std::optional<boost::json::value> value;
  std::string problem; ///< where there is no value; in the words of Go's decoder, as far as they are known
};

/// Reads a whole document. Of members with one name the last one counts.
json_reading read_json(std::string_view text, boost::json::storage_ptr where = {});

inline std::string_view view(const boost::json::string& text) {
  return {text.data(), text.size()};
}

/// The member, or null where there is none or it is JSON's null: to these servers that is the same.
const boost::json::value* find(const boost::json::object& in, std::string_view name);
const boost::json::value* find(const boost::json::value* in, std::string_view name);

/// The text of such a member; empty where there is none or it isn't a string.
std::string_view text_of(const boost::json::value* in, std::string_view name);

/// How Go's decoder calls the value: `number`, `string`, `bool`, `array`, `object`, `null`.
std::string_view go_kind(const boost::json::value& value);

} // namespace sliceferry::storm
