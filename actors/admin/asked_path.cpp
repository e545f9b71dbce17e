#include "actors/admin/asked_path.hpp"

namespace sliceferry {

namespace {

int hex_value(char digit) {
  if (digit >= '0' && digit <= '9')
    return digit - '0';
  const char lower = static_cast<char>(digit | 0x20);
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

std::optional<std::string> decode(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    char byte = text[i];
    if (byte == '%') {
      const int high = text.size() - i > 2 ? hex_value(text[i + 1]) : -1;
      const int low = text.size() - i > 2 ? hex_value(text[i + 2]) : -1;
      if (high < 0 || low < 0)
        return std::nullopt;
      byte = static_cast<char>(high * 16 + low);
      i += 2;
    }
    if (static_cast<unsigned char>(byte) < 0x20 || byte == 0x7F)
      return std::nullopt;
    out += byte;
  }
  return out;
}

} // namespace

std::optional<asked_path> parse_target(std::string_view target) {
  target = target.substr(0, target.find('#'));
  const auto mark = target.find('?');
  auto path = decode(target.substr(0, mark));
  if (!path)
    return std::nullopt;
  asked_path out{std::move(*path), {}};
  std::string_view rest = mark == std::string_view::npos ? "" : target.substr(mark + 1);
  while (!rest.empty()) {
    const auto pair = rest.substr(0, rest.find('&'));
    rest.remove_prefix(pair.size() == rest.size() ? pair.size() : pair.size() + 1);
    const auto equals = pair.find('=');
    auto name = decode(pair.substr(0, equals));
    auto value = decode(equals == std::string_view::npos ? "" : pair.substr(equals + 1));
    if (!name || !value)
      return std::nullopt;
    if (!name->empty())
      out.query.emplace(std::move(*name), std::move(*value));
  }
  return out;
}

} // namespace sliceferry
