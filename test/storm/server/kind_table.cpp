#include "test/storm/server/kind_table.hpp"

#include "test/storm/server/json_text.hpp"

#include <algorithm>

namespace sliceferry::storm {

kind_table::kind_table() {
  for (auto& kind : builtin_kinds())
    add(std::move(kind));
}

served_kind kind_table::find(std::string_view group, std::string_view version, std::string_view plural) const {
  for (const auto& kind : kinds_) {
    if (kind->plural != plural || kind->group != group)
      continue;
    for (std::size_t i = 0; i < kind->versions.size(); ++i)
      if (kind->versions[i].version == version)
        return {kind, i};
  }
  return {};
}

shared_kind kind_table::find(std::string_view name) const {
  for (const auto& kind : kinds_)
    if (kind->plural == name || kind->key() == name)
      return kind;
  return {};
}

shared_kind kind_table::by_id(std::size_t id) const {
  for (const auto& kind : kinds_)
    if (kind->id == id)
      return kind;
  return {};
}

bool kind_table::is_builtin_group(std::string_view group) const {
  return std::any_of(kinds_.begin(), kinds_.end(),
                     [&](const shared_kind& each) { return !each->custom && each->group == group; });
}

void kind_table::add(std::shared_ptr<resource_kind> kind) {
  const std::string key = kind->key();
  auto known = std::find(keys_.begin(), keys_.end(), key);
  if (known == keys_.end())
    known = keys_.insert(keys_.end(), key);
  kind->id = static_cast<std::size_t>(known - keys_.begin());
  remove(key);
  kinds_.push_back(std::move(kind));
}

void kind_table::install(const boost::json::value& definition) {
  add(kind_of_definition(definition));
}

void kind_table::remove(std::string_view key) {
  std::erase_if(kinds_, [&](const shared_kind& each) { return each->key() == key; });
}

std::shared_ptr<resource_kind> kind_of_definition(const boost::json::value& definition) {
  auto out = std::make_shared<resource_kind>();
  const auto* spec = find(&definition, "spec");
  const auto* names = find(spec, "names");
  out->custom = true;
  out->has_generation = true;
  out->needs_version = true;
  out->group = text_of(spec, "group");
  out->plural = text_of(names, "plural");
  out->singular = text_of(names, "singular");
  out->kind = text_of(names, "kind");
  out->namespaced = text_of(spec, "scope") != "Cluster";
  out->terminating = find(find(&definition, "metadata"), "deletionTimestamp") != nullptr;
  for (const auto& [from, to] : {std::pair{"shortNames", &out->short_names}, {"categories", &out->categories}})
    if (const auto* list = find(names, from); list && list->is_array())
      for (const auto& each : list->get_array())
        if (const auto* text = each.if_string())
          to->emplace_back(view(*text));
  const auto* versions = find(spec, "versions");
  if (!versions || !versions->is_array())
    return out;
  for (const bool stored : {true, false})
    for (const auto& each : versions->get_array()) {
      const auto* storage = find(&each, "storage");
      if ((storage && storage->is_bool() && storage->get_bool()) != stored)
        continue;
      out->add_version(std::string{text_of(&each, "name")});
      if (!stored)
        continue;
      out->status_subresource = find(find(&each, "subresources"), "status") != nullptr;
      if (const auto* root = find(find(&each, "schema"), "openAPIV3Schema")) {
        const auto whole = read_schema(*root, member_order::by_name);
        out->required = whole->required;
        for (const auto& member : whole->properties)
          if (member.name != "apiVersion" && member.name != "kind" && member.name != "metadata" &&
              out->members.size() < members_max)
            out->members.push_back(member);
      }
    }
  return out;
}

} // namespace sliceferry::storm
