#include "actors/journal/json_line.hpp"

#include <cstddef>

namespace sliceferry::journal {
namespace {

constexpr std::string_view replacement = "\xef\xbf\xbd"; // U+FFFD

constexpr bool continues(char byte) {
  return (static_cast<unsigned char>(byte) & 0xc0U) == 0x80U;
}

/// Bytes of the UTF-8 character that `text` begins with; 0 if it is none: overlong, a surrogate, beyond Unicode, cut.
std::size_t character_size(std::string_view text) {
  const auto first = static_cast<unsigned char>(text[0]);
  if (first < 0x80)
    return 1;
  const std::size_t size = first >= 0xc2 && first <= 0xdf ? 2 : (first & 0xf0U) == 0xe0U ? 3 : first >= 0xf0 ? 4 : 0;
  if (size == 0 || first > 0xf4 || text.size() < size)
    return 0;
  for (std::size_t i = 1; i < size; ++i)
    if (!continues(text[i]))
      return 0;
  const auto second = static_cast<unsigned char>(text[1]);
  const bool odd = (first == 0xe0 && second < 0xa0) || (first == 0xed && second > 0x9f) ||
                   (first == 0xf0 && second < 0x90) || (first == 0xf4 && second > 0x8f);
  return odd ? 0 : size;
}

void append_escaped(char ascii, std::string& out) {
  switch (ascii) {
    case '"':
      out += "\\\"";
      return;
    case '\\':
      out += "\\\\";
      return;
    case '\n':
      out += "\\n";
      return;
    case '\t':
      out += "\\t";
      return;
    default:
      break;
  }
  if (ascii >= 0x20 && ascii != 0x7f) {
    out += ascii;
    return;
  }
  constexpr std::string_view digits = "0123456789abcdef";
  out += "\\u00";
  out += digits[static_cast<unsigned char>(ascii) >> 4U];
  out += digits[static_cast<unsigned char>(ascii) & 0xfU];
}

} // namespace

void append_quoted(std::string_view text, std::string& out) {
  out += '"';
  while (!text.empty()) {
    const std::size_t size = character_size(text);
    if (size == 1)
      append_escaped(text[0], out);
    else
      out += size == 0 ? replacement : text.substr(0, size);
    text.remove_prefix(size == 0 ? 1 : size);
  }
  out += '"';
}

void json_line::begin(std::string_view field) {
  if (out_.size() > 1)
    out_ += ',';
  append_quoted(field, out_);
  out_ += ':';
}

json_line& json_line::add(std::string_view field, std::string_view text) {
  begin(field);
  append_quoted(text, out_);
  return *this;
}

json_line& json_line::add(std::string_view field, std::int64_t number) {
  begin(field);
  out_ += std::to_string(number);
  return *this;
}

json_line& json_line::add(std::string_view field, std::uint64_t number) {
  begin(field);
  out_ += std::to_string(number);
  return *this;
}

json_line& json_line::add(std::string_view field, bool truth) {
  begin(field);
  out_ += truth ? "true" : "false";
  return *this;
}

json_line& json_line::add(std::string_view field, const std::vector<std::string>& texts) {
  begin(field);
  out_ += '[';
  for (const auto& each : texts) {
    if (out_.back() != '[')
      out_ += ',';
    append_quoted(each, out_);
  }
  out_ += ']';
  return *this;
}

json_line& json_line::add(std::string_view field, const std::vector<json_line>& objects) {
  begin(field);
  out_ += '[';
  for (const auto& each : objects) {
    if (out_.back() != '[')
      out_ += ',';
    out_ += each.out_ + '}';
  }
  out_ += ']';
  return *this;
}

} // namespace sliceferry::journal
