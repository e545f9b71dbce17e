#include "test/storm/server/continue_token.hpp"

#include "test/storm/server/json_text.hpp"

namespace sliceferry::storm {

namespace {

constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

std::string base64(std::string_view bytes) {
  std::string out;
  unsigned held = 0;
  unsigned bits = 0;
  for (const char c : bytes) {
    held = (held << 8U) | static_cast<unsigned char>(c);
    for (bits += 8; bits >= 6; bits -= 6)
      out += digits[(held >> (bits - 6)) & 63U];
  }
  if (bits > 0)
    out += digits[(held << (6 - bits)) & 63U];
  return out;
}

/// Empty where it isn't base64.
std::string from_base64(std::string_view text) {
  std::string out;
  unsigned held = 0;
  unsigned bits = 0;
  for (const char c : text) {
    const auto digit = digits.find(c);
    if (digit == std::string_view::npos)
      return {};
    held = (held << 6U) | static_cast<unsigned>(digit);
    bits += 6;
    if (bits >= 8) {
      bits -= 8;
      out += static_cast<char>((held >> bits) & 255U);
    }
  }
  return out;
}

} // namespace

std::string encode(const continue_token& token) {
  std::string json = R"({"v":"meta.k8s.io/v1","rv":)" + std::to_string(token.version) + R"(,"start":)";
  append_string(json, token.nspace + "/" + token.name + '\0');
  json += ",\"shown\":";
  append_number(json, static_cast<std::uint64_t>(token.shown));
  return base64(json + "}");
}

continue_reading decode_continue(std::string_view text) {
  constexpr std::string_view bad = "continue key is not valid";
  const auto read = read_json(from_base64(text));
  if (!read.value || text_of(&*read.value, "v") != "meta.k8s.io/v1")
    return {{}, std::string{bad}};
  const auto* version = find(&*read.value, "rv");
  const auto* shown = find(&*read.value, "shown");
  std::string_view start = text_of(&*read.value, "start");
  const auto slash = start.find('/');
  if (!version || !version->is_int64() || version->get_int64() <= 0 || slash == std::string_view::npos ||
      !start.ends_with('\0') || !shown || !shown->is_int64() || shown->get_int64() < 0)
    return {{}, std::string{bad}};
  start.remove_suffix(1);
  return {{static_cast<std::uint64_t>(version->get_int64()), std::string{start.substr(0, slash)},
           std::string{start.substr(slash + 1)}, static_cast<std::size_t>(shown->get_int64())},
          {}};
}

} // namespace sliceferry::storm
