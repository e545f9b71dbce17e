#include "test/storm/server/api_path.hpp"

namespace sliceferry::storm {

namespace {

int hex_digit(char c) {
  if (c >= '0' && c <= '9')
    return c - '0';
  if (c >= 'a' && c <= 'f')
    return c - 'a' + 10;
  if (c >= 'A' && c <= 'F')
    return c - 'A' + 10;
  return -1;
}

std::vector<std::string_view> split(std::string_view path) {
  std::vector<std::string_view> out;
  while (!path.empty()) {
    const auto slash = path.find('/');
    if (const auto segment = path.substr(0, slash); !segment.empty())
      out.push_back(segment);
    path.remove_prefix(slash == std::string_view::npos ? path.size() : slash + 1);
  }
  return out;
}

} // namespace

std::string percent_decoded(std::string_view text, bool plus_is_space) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '%' && at + 2 < text.size()) {
      const int high = hex_digit(text[at + 1]);
      const int low = hex_digit(text[at + 2]);
      if (high >= 0 && low >= 0) {
        out += static_cast<char>(high * 16 + low);
        at += 2;
        continue;
      }
    }
    out += text[at] == '+' && plus_is_space ? ' ' : text[at];
  }
  return out;
}

api_path::api_path(std::string_view target) {
  const auto mark = target.find('?');
  path = target.substr(0, mark);
  if (mark != std::string_view::npos)
    query = target.substr(mark + 1);
  if (path.find('%') != std::string_view::npos) {
    decoded_ = percent_decoded(path, false);
    path = decoded_;
  }
  read(split(path));
}

void api_path::read(const std::vector<std::string_view>& segments) {
  if (segments.empty() || (segments[0] != "api" && segments[0] != "apis"))
    return;
  const bool grouped = segments[0] == "apis";
  std::size_t at = 1;
  where = place::document;
  if (grouped && at < segments.size())
    group = segments[at++];
  if (at < segments.size())
    version = segments[at++];
  if (at == segments.size())
    return;
  where = place::resource;
  // A namespace is both a resource and what others are in; only its subresources follow it directly.
  const std::size_t left = segments.size() - at;
  if (segments[at] == "namespaces" && left > 2 && segments[at + 2] != "status" && segments[at + 2] != "finalize") {
    nspace = segments[at + 1];
    at += 2;
  }
  resource = segments[at++];
  if (at < segments.size())
    name = segments[at++];
  if (at < segments.size())
    subresource = segments[at++];
  too_deep = at < segments.size();
}

query_values read_query(std::string_view query) {
  query_values out;
  while (!query.empty()) {
    const auto end = query.find('&');
    const auto one = query.substr(0, end);
    const auto equals = one.find('=');
    auto value = equals == std::string_view::npos ? std::string_view{} : one.substr(equals + 1);
    out.emplace(percent_decoded(one.substr(0, equals), true), percent_decoded(value, true));
    query.remove_prefix(end == std::string_view::npos ? query.size() : end + 1);
  }
  return out;
}

std::string_view query_value(std::string_view query, std::string_view name) {
  while (!query.empty()) {
    const auto end = query.find('&');
    const auto one = query.substr(0, end);
    if (one.size() > name.size() && one.starts_with(name) && one[name.size()] == '=')
      return one.substr(name.size() + 1);
    query.remove_prefix(end == std::string_view::npos ? query.size() : end + 1);
  }
  return {};
}

} // namespace sliceferry::storm
