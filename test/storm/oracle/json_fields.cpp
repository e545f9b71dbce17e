#include "test/storm/oracle/json_fields.hpp"

#include <boost/json.hpp>

#include <charconv>

namespace sliceferry::storm {

namespace json = boost::json;

const json::value* field_of(const json::object& any, std::string_view key) {
  const auto* found = any.if_contains(key);
  return found && !found->is_null() ? found : nullptr;
}

const json::object* object_at(const json::object& any, std::string_view key) {
  const auto* found = any.if_contains(key);
  return found ? found->if_object() : nullptr;
}

const json::array* array_at(const json::object& any, std::string_view key) {
  const auto* found = any.if_contains(key);
  return found ? found->if_array() : nullptr;
}

std::optional<std::string_view> text_at(const json::object& any, std::string_view key) {
  const auto* found = any.if_contains(key);
  if (!found || !found->is_string())
    return {};
  return std::string_view{found->get_string()};
}

std::string_view text_or_empty(const json::object& any, std::string_view key) {
  return text_at(any, key).value_or(std::string_view{});
}

std::optional<std::int64_t> number_at(const json::object& any, std::string_view key) {
  const auto* found = any.if_contains(key);
  if (!found || !found->is_number())
    return {};
  boost::system::error_code bad;
  const auto value = found->to_number<std::int64_t>(bad);
  return bad ? std::nullopt : std::optional{value};
}

std::optional<std::int64_t> decimal(std::string_view text) {
  std::int64_t out = 0;
  const auto [end, bad] = std::from_chars(text.data(), text.data() + text.size(), out);
  if (text.empty() || bad != std::errc{} || end != text.data() + text.size())
    return {};
  return out;
}

} // namespace sliceferry::storm
