#include "test/storm/server/front_counts.hpp"

#include <algorithm>
#include <array>

namespace sliceferry::storm {
namespace {

/// Whether the path names a collection, not one object: `/api/v1/…` or `/apis/GROUP/VERSION/…`, then
/// `[namespaces/NS/]RESOURCE[/NAME[/SUBRESOURCE]]`.
bool is_collection(std::string_view path) {
  path = path.substr(0, path.find('?'));
  const std::size_t before = path.starts_with("/apis/") ? 3 : path.starts_with("/api/") ? 2 : 0;
  std::array<std::string_view, 9> parts;
  std::size_t count = 0;
  while (!path.empty() && count < parts.size()) {
    path.remove_prefix(1);
    const auto slash = std::min(path.find('/'), path.size());
    parts[count++] = path.substr(0, slash);
    path.remove_prefix(slash);
  }
  if (before == 0 || count <= before)
    return false;
  const bool namespaced = parts[before] == "namespaces" && count >= before + 3 && parts[before + 2] != "status" &&
                          parts[before + 2] != "finalize";
  return count - before - (namespaced ? 2 : 0) == 1;
}

} // namespace

void front_counts::count(std::string_view user, std::string_view verb, unsigned status) {
  ++all_;
  const auto found = std::find_if(rows_.begin(), rows_.end(), [&](const row& each) {
    return each.status == status && each.verb == verb && each.user == user;
  });
  if (found == rows_.end()) {
    rows_.push_back({user, verb, status, 1});
    return;
  }
  ++found->count;
  if (found != rows_.begin() && std::prev(found)->count < found->count)
    std::iter_swap(found, std::prev(found));
}

std::string_view verb_of(const api_request& asked, bool is_watch) {
  struct row {
    std::string_view method;
    std::string_view verb;
  };
  static constexpr row table[] = {{"PATCH", "patch"}, {"POST", "create"}, {"PUT", "update"}, {"DELETE", "delete"}};
  if (is_watch)
    return "watch";
  if (asked.method == "GET")
    return is_collection(asked.target) ? "list" : "get";
  for (const auto& [method, verb] : table)
    if (method == asked.method)
      return verb;
  return "other";
}

} // namespace sliceferry::storm
