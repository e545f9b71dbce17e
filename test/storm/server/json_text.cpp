#include "test/storm/server/json_text.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include <algorithm>
#include <charconv>
#include <vector>

namespace sliceferry::storm {

namespace json = boost::json;

namespace {

bool is_plain(char c) {
  return static_cast<unsigned char>(c) >= 0x20 && c != '"' && c != '\\';
}

void append_escaped(std::string& out, char c) {
  constexpr std::string_view digits = "0123456789abcdef";
  switch (c) {
    case '"':
      out += "\\\"";
      return;
    case '\\':
      out += "\\\\";
      return;
    case '\n':
      out += "\\n";
      return;
    case '\r':
      out += "\\r";
      return;
    case '\t':
      out += "\\t";
      return;
    default:
      out += "\\u00";
      out += digits[static_cast<unsigned char>(c) >> 4U];
      out += digits[static_cast<unsigned char>(c) & 15U];
  }
}

template <class Number>
void append_digits(std::string& out, Number value) {
  char digits[24];
  const auto end = std::to_chars(digits, digits + sizeof digits, value).ptr;
  out.append(digits, end);
}

void append_object(std::string& out, const json::object& value) {
  std::vector<const json::key_value_pair*> sorted;
  sorted.reserve(value.size());
  for (const auto& member : value)
    sorted.push_back(&member);
  std::sort(sorted.begin(), sorted.end(), [](const auto* a, const auto* b) { return a->key() < b->key(); });
  out += '{';
  for (const auto* member : sorted) {
    if (out.back() != '{')
      out += ',';
    append_string(out, {member->key().data(), member->key().size()});
    out += ':';
    append_value(out, member->value());
  }
  out += '}';
}

} // namespace

void append_string(std::string& out, std::string_view value) {
  out += '"';
  std::size_t from = 0;
  for (std::size_t at = 0; at < value.size(); ++at)
    if (!is_plain(value[at])) {
      out.append(value, from, at - from);
      append_escaped(out, value[at]);
      from = at + 1;
    }
  out.append(value, from);
  out += '"';
}

void append_number(std::string& out, std::int64_t value) {
  append_digits(out, value);
}

void append_number(std::string& out, std::uint64_t value) {
  append_digits(out, value);
}

void append_value(std::string& out, const json::value& value) {
  switch (value.kind()) {
    case json::kind::object:
      return append_object(out, value.get_object());
    case json::kind::array:
      out += '[';
      for (const auto& element : value.get_array()) {
        if (out.back() != '[')
          out += ',';
        append_value(out, element);
      }
      out += ']';
      return;
    case json::kind::string:
      return append_string(out, view(value.get_string()));
    case json::kind::int64:
      return append_number(out, value.get_int64());
    case json::kind::uint64:
      return append_number(out, value.get_uint64());
    case json::kind::double_:
      out += json::serialize(value);
      return;
    case json::kind::bool_:
      out += value.get_bool() ? "true" : "false";
      return;
    case json::kind::null:
      out += "null";
      return;
  }
}

std::string to_text(const json::value& value) {
  std::string out;
  append_value(out, value);
  return out;
}

json_reading read_json(std::string_view text, json::storage_ptr where) {
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos)
    return {std::nullopt, "unexpected end of JSON input"};
  json::parse_options options;
  options.max_depth = 256; // a CRD's schema nests deeper than the library's default of 32
  json::error_code code;
  json::value value = json::parse({text.data(), text.size()}, code, std::move(where), options);
  if (!code)
    return {std::move(value), {}};
  if (code == json::error::incomplete)
    return {std::nullopt, "unexpected end of JSON input"};
  return {std::nullopt, "invalid character: " + code.message()};
}

const json::value* find(const json::object& in, std::string_view name) {
  const json::value* found = in.if_contains({name.data(), name.size()});
  return found && !found->is_null() ? found : nullptr;
}

const json::value* find(const json::value* in, std::string_view name) {
  const json::object* object = in ? in->if_object() : nullptr;
  return object ? find(*object, name) : nullptr;
}

std::string_view text_of(const json::value* in, std::string_view name) {
  const json::value* found = find(in, name);
  const json::string* text = found ? found->if_string() : nullptr;
  return text ? view(*text) : std::string_view{};
}

std::string_view go_kind(const json::value& value) {
  switch (value.kind()) {
    case json::kind::object:
      return "object";
    case json::kind::array:
      return "array";
    case json::kind::string:
      return "string";
    case json::kind::bool_:
      return "bool";
    case json::kind::null:
      return "null";
    case json::kind::int64:
    case json::kind::uint64:
    case json::kind::double_:
      return "number";
  }
  return "null";
}

} // namespace sliceferry::storm
