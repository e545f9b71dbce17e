#pragma once
#include <concepts>
#include <initializer_list>
#include <string>
#include <string_view>

namespace sliceferry::log {

/// One structured value of a line, such as `{"member", name}`. The key is a literal; `ts`,
/// `level` and `msg` are taken.
struct field {
  field(std::string_view called, std::string_view text) : key(called), value(text) {}
  field(std::string_view called, const std::string& text) : key(called), value(text) {}
  field(std::string_view called, const char* text) : key(called), value(text) {}
  template <std::integral Number>
  field(std::string_view called, Number number) : key(called), bare(true) {
    if constexpr (std::same_as<Number, bool>)
      value = number ? "true" : "false";
    else
      value = std::to_string(number);
  }

  std::string_view key;
  std::string value;
  bool bare = false; ///< a number or a truth value: never quoted
};

using fields = std::initializer_list<field>;

/// `exported member=m1 reason="not granted"`: values are quoted where they need it. Always one
/// line: control characters come out escaped, bytes that aren't UTF-8 as U+FFFD.
std::string to_text(std::string_view message, const fields& values);

/// `"msg":"exported","member":"m1"`: the members of a JSON object, under the same escapes.
std::string to_json_members(std::string_view message, const fields& values);

/// The text with bearer tokens, `Authorization` values and anything that looks like a JWT replaced
/// by `[redacted]` (pitfall AU28). Every line passes through it.
std::string redact(std::string_view text);

} // namespace sliceferry::log
