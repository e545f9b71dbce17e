#include "test/storm/server/schema.hpp"

#include "test/storm/server/json_text.hpp"
#include "test/storm/server/object_names.hpp"

#include <algorithm>

namespace sliceferry::storm {

namespace json = boost::json;

namespace {

constexpr std::string_view condition_reason = "^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$";

bool is_set(const json::value& from, std::string_view name) {
  const json::value* found = find(&from, name);
  return found && found->is_bool() && found->get_bool();
}

std::vector<std::string> texts(const json::value* list) {
  std::vector<std::string> out;
  if (list && list->is_array())
    for (const auto& one : list->get_array())
      if (const auto* text = one.if_string())
        out.emplace_back(view(*text));
  return out;
}

std::optional<std::int64_t> number(const json::value& from, std::string_view name) {
  const json::value* found = find(&from, name);
  return found && found->is_int64() ? std::optional{found->get_int64()} : std::nullopt;
}

std::optional<std::size_t> length(const json::value& from, std::string_view name) {
  const auto found = number(from, name);
  return found ? std::optional{static_cast<std::size_t>(*found)} : std::nullopt;
}

schema_node::type type_in(const json::value& from) {
  const auto name = text_of(&from, "type");
  if (name == "object")
    return find(&from, "properties")                              ? schema_node::type::object
           : find(&from, "additionalProperties")                  ? schema_node::type::map
           : is_set(from, "x-kubernetes-preserve-unknown-fields") ? schema_node::type::any
                                                                  : schema_node::type::object;
  if (name == "array")
    return schema_node::type::array;
  if (name == "string")
    return schema_node::type::string;
  if (name == "integer")
    return schema_node::type::integer;
  if (name == "number")
    return schema_node::type::number;
  if (name == "boolean")
    return schema_node::type::boolean;
  return schema_node::type::any;
}

schema_node::format format_in(const json::value& from) {
  const auto name = text_of(&from, "format");
  return name == "int32"       ? schema_node::format::int32
         : name == "int64"     ? schema_node::format::int64
         : name == "date-time" ? schema_node::format::date_time
                               : schema_node::format::none;
}

schema_property property_in(const json::key_value_pair& from, member_order order) {
  schema_property out;
  out.name = std::string{from.key().data(), from.key().size()};
  out.is = read_schema(from.value(), order);
  if (const auto* fallback = find(&from.value(), "default"))
    out.fallback = to_text(*fallback);
  out.keeps_null = is_set(from.value(), "x-null");
  out.omits_empty = is_set(from.value(), "x-omit-empty");
  return out;
}

} // namespace

std::shared_ptr<const schema_node> read_schema(const json::value& from, member_order order) {
  auto out = std::make_shared<schema_node>();
  out->is = type_in(from);
  if (const auto* properties = find(&from, "properties"); properties && properties->is_object())
    for (const auto& each : properties->get_object())
      out->properties.push_back(property_in(each, order));
  if (order == member_order::by_name)
    std::sort(out->properties.begin(), out->properties.end(),
              [](const auto& a, const auto& b) { return a.name < b.name; });
  if (const auto* items = find(&from, out->is == schema_node::type::map ? "additionalProperties" : "items"))
    out->items = read_schema(*items, order);
  out->required = texts(find(&from, "required"));
  out->enumeration = texts(find(&from, "enum"));
  if (text_of(&from, "x-kubernetes-list-type") == "map")
    out->map_keys = texts(find(&from, "x-kubernetes-list-map-keys"));
  out->shape = format_in(from);
  out->pattern_text = text_of(&from, "pattern");
  if (out->pattern_text == condition_reason)
    out->matches = schema_node::pattern::condition_reason;
  else if (out->pattern_text.ends_with("(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$"))
    out->matches = schema_node::pattern::condition_type;
  out->length_min = length(from, "minLength");
  out->length_max = length(from, "maxLength");
  out->minimum = number(from, "minimum");
  return out;
}

bool matches(schema_node::pattern pattern, std::string_view text) {
  switch (pattern) {
    case schema_node::pattern::none:
      return true;
    case schema_node::pattern::condition_type:
      return problem_of_qualified_name(text).empty();
    case schema_node::pattern::condition_reason: {
      const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
      const auto inner = [&](char c) {
        return letter(c) || (c >= '0' && c <= '9') || c == '_' || c == ',' || c == ':';
      };
      return !text.empty() && letter(text.front()) && std::all_of(text.begin(), text.end(), inner) &&
             text.back() != ',' && text.back() != ':';
    }
  }
  return true;
}

} // namespace sliceferry::storm
