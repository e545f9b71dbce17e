#include "test/storm/server/resource_kind.hpp"

namespace sliceferry::storm {

std::size_t resource_kind::member_index(std::string_view name) const {
  std::size_t at = 0;
  while (at < members.size() && members[at].name != name)
    ++at;
  return at;
}

void resource_kind::add_version(std::string version) {
  served made;
  made.api_version = group.empty() ? version : group + "/" + version;
  made.version = std::move(version);
  made.head = custom ? R"({"apiVersion":")" + made.api_version + R"(","kind":")" + kind + R"(","metadata":)"
                     : R"({"kind":")" + kind + R"(","apiVersion":")" + made.api_version + R"(","metadata":)";
  versions.push_back(std::move(made));
}

void append_shown(std::string& out, const resource_kind& kind, std::size_t version, const revision& object) {
  out += kind.versions[version].head;
  out.append(object.text, kind.versions.front().head.size(), std::string::npos);
}

shared_text shown(const resource_kind& kind, std::size_t version, const shared_revision& object) {
  if (version == 0)
    return text_of(object);
  std::string out;
  append_shown(out, kind, version, *object);
  return std::make_shared<const std::string>(std::move(out));
}

void append_item(std::string& out, const resource_kind& kind, std::size_t version, const revision& object) {
  if (kind.custom)
    return append_shown(out, kind, version, object);
  out += R"({"metadata":)";
  out.append(object.text, kind.versions.front().head.size(), std::string::npos);
}

} // namespace sliceferry::storm
