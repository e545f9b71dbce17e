#include "test/storm/oracle/audit_line.hpp"

#include "test/storm/oracle/json_fields.hpp"
#include "test/storm/oracle/syntax.hpp"

#include <boost/json.hpp>

namespace sliceferry::storm {
namespace {

namespace json = boost::json;
using change = history_entry::change;

const json::object& object_or_none(const json::object& any, std::string_view key) {
  static const json::object none;
  const auto* found = object_at(any, key);
  return found ? *found : none;
}

/// Of an accepted write, by its verb and the object that it answered.
change change_of(std::string_view verb, const json::object& answered) {
  if (verb == "create")
    return change::added;
  const auto& metadata = object_or_none(answered, "metadata");
  const auto* finalizers = array_at(metadata, "finalizers");
  const bool is_held = field_of(metadata, "deletionTimestamp") && finalizers && !finalizers->empty();
  if (verb == "delete")
    return is_held ? change::modified : change::deleted;
  // The write that removes the last finalizer of a terminating object ends it.
  return field_of(metadata, "deletionTimestamp") && !is_held ? change::deleted : change::modified;
}

/// Completes an entry with what was answered.
history_entry with_object(history_entry entry, std::string_view verb, const json::object& answered) {
  entry.what = change_of(verb, answered);
  const auto& metadata = object_or_none(answered, "metadata");
  if (text_or_empty(answered, "kind") == "Status" || metadata.empty()) {
    entry.uid = text_or_empty(object_or_none(answered, "details"), "uid");
    return entry;
  }
  if (entry.name.empty())
    entry.name = text_or_empty(metadata, "name");
  entry.object = json::serialize(answered);
  return entry;
}

std::vector<history_entry> with_items(const history_entry& entry, const json::object& answered) {
  std::vector<history_entry> out;
  const auto* items = array_at(answered, "items");
  if (!items)
    return {entry};
  for (const auto& each : *items)
    if (const auto* object = each.if_object()) {
      out.push_back(with_object(entry, "delete", *object));
      out.back().verb = "delete";
    }
  return out;
}

} // namespace

std::vector<history_entry> read_audit_line(std::string_view line, const std::string& cluster) {
  boost::system::error_code bad;
  const auto parsed = json::parse(line, bad);
  const auto* event = bad ? nullptr : parsed.if_object();
  if (!event || text_or_empty(*event, "stage") != "ResponseComplete")
    return {};
  const auto& about = object_or_none(*event, "objectRef");
  const auto at = read_time(text_or_empty(*event, cluster == "hub" ? "stageTimestamp" : "requestReceivedTimestamp"));
  history_entry entry;
  entry.verb = text_or_empty(*event, "verb");
  if (!at || entry.verb.empty())
    return {};
  entry.at = *at;
  entry.cluster = cluster;
  entry.user = text_or_empty(object_or_none(*event, "user"), "username");
  entry.resource = text_or_empty(about, "resource");
  entry.nspace = text_or_empty(about, "namespace");
  entry.name = text_or_empty(about, "name");
  entry.subresource = text_or_empty(about, "subresource");
  entry.code = static_cast<int>(number_at(object_or_none(*event, "responseStatus"), "code").value_or(0));
  if (entry.code < 200 || entry.code > 299)
    return {entry};
  const auto& answered = object_or_none(*event, "responseObject");
  if (entry.verb == "deletecollection")
    return with_items(entry, answered);
  const bool writes =
    entry.verb == "create" || entry.verb == "update" || entry.verb == "patch" || entry.verb == "delete";
  return {writes ? with_object(entry, entry.verb, answered) : entry};
}

} // namespace sliceferry::storm
