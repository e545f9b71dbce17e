#include "test/storm/server/canonical_writer.hpp"

#include "test/storm/server/json_text.hpp"
#include "test/storm/server/rfc3339_time.hpp"

#include <algorithm>
#include <limits>

namespace sliceferry::storm {

namespace json = boost::json;

namespace {

std::string_view json_kind(const json::value& value) {
  if (value.is_bool())
    return "boolean";
  if (value.is_double())
    return "float64";
  return value.is_number() ? "integer" : go_kind(value);
}

/// Of the type that is wanted, but nothing in it.
bool is_empty(const schema_node& is, const json::value& value) {
  using type = schema_node::type;
  if (is.is == type::object || is.is == type::map)
    return value.is_object() && value.get_object().empty();
  if (is.is == type::array)
    return value.is_array() && value.get_array().empty();
  return is.is == type::string && value.is_string() && value.get_string().empty();
}

} // namespace

std::string canonical_writer::path() const {
  std::string out;
  for (std::size_t i = 0; i < std::min(depth_, depth_max); ++i)
    if (const auto& [name, index] = steps_[i]; name.empty())
      out.append("[").append(std::to_string(index)).append("]");
    else
      out.append(out.empty() ? "" : ".").append(name);
  return out;
}

void canonical_writer::enter(step next) {
  if (depth_ < depth_max)
    steps_[depth_] = next;
  ++depth_;
}

std::string canonical_writer::body_path() const {
  std::string out = path();
  return out.starts_with("status.") ? out.substr(7) : out;
}

void canonical_writer::mistyped(const json::value& found, std::string_view wanted) {
  if (how_ == strictness::decoded) {
    errors_.push_back(undecodable(path(), go_kind(found), wanted));
    return;
  }
  const std::string shown = quoted(json_kind(found));
  errors_.push_back(
    type_invalid(path(), shown, body_path() + " in body must be of type " + std::string{wanted} + ": " + shown));
}

bool canonical_writer::write(const schema_property& member, const json::value* from) {
  enter({member.name, 0});
  const bool empty =
    !from || from->is_null() || ((member.keeps_null || member.omits_empty) && is_empty(*member.is, *from));
  bool written = true;
  if (!empty)
    value(*member.is, *from);
  else if (!member.fallback.empty())
    out_ += member.fallback;
  else if (member.keeps_null)
    out_ += "null";
  else
    written = false;
  leave();
  return written;
}

void canonical_writer::value(const schema_node& is, const json::value& from) {
  switch (is.is) {
    case schema_node::type::any:
      return append_value(out_, from);
    case schema_node::type::object:
      return object(is, from);
    case schema_node::type::map:
      return map(is, from);
    case schema_node::type::array:
      return array(is, from);
    case schema_node::type::string:
      return string(is, from);
    case schema_node::type::integer:
      return integer(is, from);
    case schema_node::type::number:
      if (!from.is_number())
        return mistyped(from, "number");
      return append_value(out_, from);
    case schema_node::type::boolean:
      if (!from.is_bool())
        return mistyped(from, how_ == strictness::decoded ? "bool" : "boolean");
      out_ += from.get_bool() ? "true" : "false";
      return;
  }
}

void canonical_writer::check_required(const schema_node& is, const json::value& from) {
  for (const auto& name : is.required) {
    if (find(&from, name))
      continue;
    const auto known = std::find_if(is.properties.begin(), is.properties.end(),
                                    [&](const schema_property& each) { return each.name == name; });
    if (known != is.properties.end() && !known->fallback.empty())
      continue;
    const std::string before = path();
    errors_.push_back(required(before.empty() ? name : before + "." + name));
  }
}

void canonical_writer::object(const schema_node& is, const json::value& from) {
  const json::object* members = from.if_object();
  if (!members)
    return mistyped(from, "object");
  check_required(is, from);
  out_ += '{';
  for (const auto& each : is.properties) {
    const std::size_t before = out_.size();
    if (out_.back() != '{')
      out_ += ',';
    append_string(out_, each.name);
    out_ += ':';
    if (!write(each, find(*members, each.name)))
      out_.resize(before);
  }
  out_ += '}';
}

void canonical_writer::map(const schema_node& is, const json::value& from) {
  const json::object* members = from.if_object();
  if (!members)
    return mistyped(from, "object");
  std::vector<const json::key_value_pair*> sorted;
  for (const auto& each : *members)
    sorted.push_back(&each);
  std::sort(sorted.begin(), sorted.end(), [](const auto* a, const auto* b) { return a->key() < b->key(); });
  out_ += '{';
  for (const auto* each : sorted) {
    if (out_.back() != '{')
      out_ += ',';
    const std::string_view key{each->key().data(), each->key().size()};
    append_string(out_, key);
    out_ += ':';
    enter({key, 0});
    value(*is.items, each->value());
    leave();
  }
  out_ += '}';
}

void canonical_writer::array(const schema_node& is, const json::value& from) {
  const json::array* elements = from.if_array();
  if (!elements)
    return mistyped(from, "array");
  out_ += '[';
  for (std::size_t i = 0; i < elements->size(); ++i) {
    if (i > 0)
      out_ += ',';
    enter({{}, i});
    if (is.items)
      value(*is.items, (*elements)[i]);
    else
      append_value(out_, (*elements)[i]);
    leave();
  }
  out_ += ']';
  if (!is.map_keys.empty())
    check_keys(is, from);
}

void canonical_writer::check_keys(const schema_node& is, const json::value& from) {
  std::vector<std::string> seen;
  for (std::size_t i = 0; i < from.get_array().size(); ++i) {
    json::object keys;
    for (const auto& name : is.map_keys)
      if (const auto* found = find(&from.get_array()[i], name))
        keys[name] = *found;
    std::string text = to_text(keys);
    if (std::find(seen.begin(), seen.end(), text) != seen.end())
      errors_.push_back(duplicate(path() + "[" + std::to_string(i) + "]", text));
    else
      seen.push_back(std::move(text));
  }
}

void canonical_writer::string(const schema_node& is, const json::value& from) {
  const json::string* text = from.if_string();
  if (!text)
    return mistyped(from, "string");
  const std::string_view shown = view(*text);
  append_string(out_, shown);
  if (how_ == strictness::decoded) {
    if (is.shape == schema_node::format::date_time && !is_rfc3339(shown))
      errors_.push_back({field_error::kind::undecodable, path(),
                         "parsing time " + quoted(shown) + " as \"2006-01-02T15:04:05.000000Z07:00\""});
    return;
  }
  if (!is.enumeration.empty() && std::find(is.enumeration.begin(), is.enumeration.end(), shown) == is.enumeration.end())
    errors_.push_back(not_supported(path(), quoted(shown), is.enumeration));
  if (is.shape == schema_node::format::date_time && !is_rfc3339(shown))
    errors_.push_back(
      type_invalid(path(), quoted(shown), body_path() + " in body must be of type date-time: " + quoted(shown)));
  if (is.length_min && shown.size() < *is.length_min)
    errors_.push_back(
      invalid(path(), quoted(shown),
              body_path() + " in body should be at least " + std::to_string(*is.length_min) + " chars long"));
  else if (is.length_max && shown.size() > *is.length_max)
    errors_.push_back(too_many(path(), shown.size(), *is.length_max));
  else if (!matches(is.matches, shown))
    errors_.push_back(invalid(path(), quoted(shown), body_path() + " in body should match '" + is.pattern_text + "'"));
}

void canonical_writer::integer(const schema_node& is, const json::value& from) {
  if (!from.is_int64()) {
    const bool fraction = from.is_double() && is.shape == schema_node::format::int64;
    return mistyped(from, how_ == strictness::decoded || fraction ? "int64" : "integer");
  }
  const std::int64_t number = from.get_int64();
  append_number(out_, number);
  const bool fits =
    number >= std::numeric_limits<std::int32_t>::min() && number <= std::numeric_limits<std::int32_t>::max();
  if (is.shape == schema_node::format::int32 && !fits) {
    if (how_ == strictness::decoded)
      errors_.push_back(undecodable(path(), "number " + std::to_string(number), "int32"));
    else // the real one loses the path here
      errors_.push_back(
        invalid("<nil>", "\"\"", "Checked value must be of type integer with format int32 in " + path()));
  }
  if (is.minimum && number < *is.minimum)
    errors_.push_back(
      invalid(path(), std::to_string(number),
              body_path() + " in body should be greater than or equal to " + std::to_string(*is.minimum)));
}

} // namespace sliceferry::storm
