#include "actors/log_line.hpp"

#include <algorithm>
#include <cstdint>

namespace sliceferry::log {
namespace {

enum class quoting { none, json };

/// The length of the UTF-8 sequence that begins the text, 0 if it isn't one: overlong forms,
/// surrogates and values above U+10FFFF are none (RFC 3629).
std::size_t sequence_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U; };
  const auto follows = [&](std::size_t i) { return (byte(i) & 0xC0U) == 0x80U; };
  const unsigned first = byte(0);
  if (first < 0x80)
    return 1;
  if (first >= 0xC2 && first <= 0xDF)
    return follows(1) ? 2 : 0;
  if (first >= 0xE0 && first <= 0xEF) {
    const bool in_range = (first != 0xE0 || byte(1) >= 0xA0) && (first != 0xED || byte(1) < 0xA0);
    return follows(1) && follows(2) && in_range ? 3 : 0;
  }
  if (first >= 0xF0 && first <= 0xF4) {
    const bool in_range = (first != 0xF0 || byte(1) >= 0x90) && (first != 0xF4 || byte(1) < 0x90);
    return follows(1) && follows(2) && follows(3) && in_range ? 4 : 0;
  }
  return 0;
}

void append_control(std::string& out, unsigned code) {
  constexpr std::string_view digits = "0123456789abcdef";
  switch (code) {
    case '\n':
      out += "\\n";
      break;
    case '\r':
      out += "\\r";
      break;
    case '\t':
      out += "\\t";
      break;
    default:
      out += "\\u00";
      out += digits[code >> 4U];
      out += digits[code & 0xFU];
  }
}

/// Control characters of both sets are escaped: on a terminal they could do more than show.
void append_escaped(std::string& out, std::string_view text, quoting style) {
  while (!text.empty()) {
    const std::size_t length = sequence_length(text);
    const auto first = static_cast<unsigned char>(text.front());
    if (length == 0) {
      out += "\xEF\xBF\xBD";
    } else if (length == 1 && (first < 0x20 || first == 0x7F)) {
      append_control(out, first);
    } else if (length == 2 && first == 0xC2 && static_cast<unsigned char>(text[1]) < 0xA0) {
      append_control(out, static_cast<unsigned char>(text[1]));
    } else {
      if (style == quoting::json && (first == '"' || first == '\\'))
        out += '\\';
      out += text.substr(0, length);
    }
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
}

void append_quoted(std::string& out, std::string_view text) {
  out += '"';
  append_escaped(out, text, quoting::json);
  out += '"';
}

bool needs_quotes(std::string_view text) {
  return text.empty() || std::any_of(text.begin(), text.end(), [](unsigned char c) {
           return c <= ' ' || c >= 0x7F || c == '"' || c == '=' || c == '\\';
         });
}

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

/// Compares with a word in lower case.
bool starts_with_word(std::string_view text, std::string_view word) {
  return text.size() >= word.size() &&
         std::equal(word.begin(), word.end(), text.begin(), [](char wanted, char c) { return wanted == lower(c); });
}

bool is_token_character(char c) {
  const char small = lower(c);
  return (small >= 'a' && small <= 'z') || (c >= '0' && c <= '9') ||
         std::string_view{"-._~+/="}.find(c) != std::string_view::npos;
}

std::size_t token_length(std::string_view text) {
  return static_cast<std::size_t>(std::find_if_not(text.begin(), text.end(), is_token_character) - text.begin());
}

std::size_t separators(std::string_view text) {
  return std::min(text.find_first_not_of(" \t:=\"'\\"), text.size());
}

struct secret {
  std::size_t shown = 0;  ///< the word before it, which may be seen
  std::size_t hidden = 0; ///< the secret itself; 0: there is none here
};

secret secret_at(std::string_view text) {
  for (const std::string_view word : {"authorization", "bearer"}) {
    if (!starts_with_word(text, word))
      continue;
    secret found;
    const std::string_view between = text.substr(word.size(), separators(text.substr(word.size())));
    const bool header = word == "authorization";
    if (between.empty() || (header && between.find_first_of(":=") == std::string_view::npos))
      return {};
    found.shown = word.size() + between.size();
    const std::string_view rest = text.substr(found.shown);
    // The header's value is a scheme and the secret; both go, whatever the scheme.
    found.hidden = header ? std::min(rest.find_first_of("\"'\r\n,;"), rest.size()) : token_length(rest);
    return found;
  }
  const std::size_t length = text.starts_with("eyJ") ? token_length(text) : 0;
  const bool jwt = length >= 20 && text.substr(0, length).find('.') != std::string_view::npos;
  return {0, jwt ? length : 0};
}

} // namespace

std::string redact(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    // Every secret begins with one of these letters, or its word does.
    const std::size_t plain = std::min(text.find_first_of("aAbBe"), text.size());
    out += text.substr(0, plain);
    text.remove_prefix(plain);
    const auto [shown, hidden] = secret_at(text);
    if (hidden > 0) {
      out.append(text.substr(0, shown)).append("[redacted]");
      text.remove_prefix(shown + hidden);
    } else if (!text.empty()) {
      out += text.front();
      text.remove_prefix(1);
    }
  }
  return out;
}

std::string to_text(std::string_view message, const fields& values) {
  std::string out;
  append_escaped(out, redact(message), quoting::none);
  for (const auto& [key, value, bare] : values) {
    out.append(1, ' ').append(key).append(1, '=');
    const std::string shown = bare ? value : redact(value);
    if (bare || !needs_quotes(shown))
      out += shown;
    else
      append_quoted(out, shown);
  }
  return out;
}

std::string to_json_members(std::string_view message, const fields& values) {
  std::string out = "\"msg\":";
  append_quoted(out, redact(message));
  for (const auto& [key, value, bare] : values) {
    out += ',';
    append_quoted(out, key);
    out += ':';
    if (bare)
      out += value;
    else
      append_quoted(out, redact(value));
  }
  return out;
}

} // namespace sliceferry::log
