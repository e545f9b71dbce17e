#pragma once
#include "test/storm/oracle/list_check.hpp"
#include "test/storm/oracle/oracle.hpp"

#include <boost/json.hpp>

#include <functional>
#include <map>
#include <tuple>
#include <utility>

namespace sliceferry::storm {

inline const std::string toy_prefix = "networking.fleet.azure.com/";
inline const std::string toy_name = toy_prefix + "fleet-unique-name";
inline const std::string toy_generation = toy_prefix + "last-seen-generation";
inline const std::string toy_timestamp = toy_prefix + "last-seen-timestamp";

/// Clusters so small that a test can be sure of them: objects are JSON, each change becomes an entry of the history
/// and goes to the oracle at once.
class toy_world {
public:
  using edit = std::function<void(boost::json::object&)>;
  using place = std::tuple<std::string, std::string, std::string, std::string>; ///< cluster, resource, namespace, name

  static oracle_options options() {
    oracle_options out;
    out.members = {{"m1", "fleet-member-m1", {}}, {"m2", "fleet-member-m2", {}}};
    return out;
  }

  explicit toy_world(oracle_options given = options()) : judge(std::move(given)) {}

  instant now{std::chrono::seconds{1'800'000'000}};
  oracle judge;
  std::map<place, boost::json::object> objects;
  std::string fault; ///< of the requests to come
  std::vector<history_entry> log;

  void pass(std::chrono::milliseconds time) {
    now += time;
    tell({}, "kube", {"m1", "nodes", "", "n"}, "get", 200);
  }

  boost::json::object* find(const place& where) {
    const auto found = objects.find(where);
    return found == objects.end() ? nullptr : &found->second;
  }

  void create(const std::string& user, const place& where, boost::json::object body) {
    if (objects.contains(where))
      return tell({}, user, where, "create", 409);
    auto& metadata = body["metadata"].is_object() ? body["metadata"].get_object() : body["metadata"].emplace_object();
    metadata["namespace"] = std::get<2>(where);
    metadata["name"] = std::get<3>(where);
    metadata["uid"] = "uid-" + std::to_string(++uids_);
    metadata["generation"] = 1;
    metadata["resourceVersion"] = std::to_string(++version_);
    auto& made = objects[where] = std::move(body);
    tell(&made, user, where, "create", 201, history_entry::change::added);
  }

  /// A patch, or by `verb` whatever else changes an object.
  void change(const std::string& user, const place& where, const edit& how, const std::string& verb = "patch") {
    auto* found = find(where);
    if (!found)
      return tell({}, user, where, verb, 404);
    auto next = *found;
    how(next);
    if (next == *found)
      return tell({}, user, where, verb, 200);
    auto& metadata = next["metadata"].get_object();
    if (content_of(next) != content_of(*found))
      metadata["generation"] = metadata["generation"].get_int64() + 1;
    metadata["resourceVersion"] = std::to_string(++version_);
    *found = std::move(next);
    if (metadata_of(where).contains("deletionTimestamp") && !metadata_of(where).contains("finalizers"))
      return end(user, where, verb);
    tell(found, user, where, verb, 200, history_entry::change::modified);
  }

  void remove(const std::string& user, const place& where) {
    auto* found = find(where);
    if (!found)
      return tell({}, user, where, "delete", 404);
    auto& metadata = metadata_of(where);
    if (!metadata.contains("finalizers"))
      return end(user, where, "delete");
    if (metadata.contains("deletionTimestamp"))
      return tell({}, user, where, "delete", 200);
    metadata["deletionTimestamp"] = "2027-01-15T08:00:00Z";
    metadata["resourceVersion"] = std::to_string(++version_);
    tell(found, user, where, "delete", 200, history_entry::change::modified);
  }

  void get(const std::string& user, const place& where) { tell({}, user, where, "get", 200); }

  void mark(const std::string& cluster, const std::string& what, const std::string& resource = "") {
    history_entry entry;
    entry.seq = ++seq_;
    entry.at = now;
    entry.cluster = cluster;
    entry.verb = "mark";
    entry.mark = what;
    entry.resource = resource;
    send(std::move(entry));
  }

  cluster_lists lists() const {
    std::map<std::pair<std::string, std::string>, boost::json::array> items;
    for (const auto& [where, body] : objects)
      items[{std::get<0>(where), std::get<1>(where)}].push_back(body);
    const auto page = [&](const std::string& cluster, const std::string& resource) -> list_pages {
      return {boost::json::serialize(boost::json::object{{"items", items[{cluster, resource}]}})};
    };
    cluster_lists out;
    for (const auto* member : {"m1", "m2"})
      out.members[member] = {page(member, "endpointslices"), page(member, "serviceexports")};
    out.exports = page("hub", "endpointsliceexports");
    return out;
  }

private:
  boost::json::object& metadata_of(const place& where) { return objects.at(where)["metadata"].get_object(); }

  /// What moves the generation: all but most of the metadata and the status.
  static boost::json::object content_of(boost::json::object any) {
    const auto labels = any["metadata"].get_object()["labels"];
    any.erase("metadata");
    any.erase("status");
    any["labels"] = labels;
    return any;
  }

  void end(const std::string& user, const place& where, const std::string& verb) {
    metadata_of(where)["resourceVersion"] = std::to_string(++version_);
    const auto last = objects.at(where);
    objects.erase(where);
    tell(&last, user, where, verb, 200, history_entry::change::deleted);
  }

  void tell(const boost::json::object* object, const std::string& user, const place& where, const std::string& verb,
            int code, history_entry::change what = history_entry::change::none) {
    history_entry entry;
    entry.seq = ++seq_;
    entry.at = now;
    std::tie(entry.cluster, entry.resource, entry.nspace, entry.name) = where;
    entry.user = user;
    entry.verb = verb;
    entry.code = code;
    entry.fault = fault;
    entry.what = what;
    if (object)
      entry.object = boost::json::serialize(*object);
    send(std::move(entry));
  }

  void send(history_entry entry) {
    judge.observe(entry);
    log.push_back(std::move(entry));
  }

  std::uint64_t seq_ = 0;
  std::uint64_t version_ = 100;
  std::uint64_t uids_ = 0;
};

} // namespace sliceferry::storm
