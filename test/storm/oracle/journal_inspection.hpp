#pragma once
#include "test/storm/oracle/journal_check.hpp"

#include <boost/json.hpp>

#include <chrono>
#include <cstdint>
#include <map>
#include <string>

namespace sliceferry::storm {

using json = boost::json::object;
using std::chrono::hours;
using std::chrono::seconds;

inline const std::string us = "sliceferry";
inline const std::string prefix = "networking.fleet.azure.com/";
inline const std::string noon = "2027-01-15T12:00:00Z", later = "2027-01-15T12:00:07Z";
inline constexpr instant began{seconds{1'800'000'000}};

/// A run of the check: what the servers saw, and what the journal holds.
class inspection {
public:
  journal_check check{us, {{"fleet-member-m1", "m1"}}};

  inspection& wrote_slice(const json& annotations, const std::string& user = us) {
    return wrote(user, "m1", "patch", {"endpointslices", "shop", "web"},
                 {{"metadata", {{"uid", "s1"}, {"namespace", "shop"}, {"name", "web"}, {"annotations", annotations}}}});
  }
  inspection& annotated(const std::string& name, int generation, const std::string& since) {
    return wrote_slice({{prefix + "fleet-unique-name", name},
                        {prefix + "last-seen-generation", std::to_string(generation)},
                        {prefix + "last-seen-timestamp", since}});
  }
  inspection& exported(const std::string& verb, const std::string& name, int generation, const std::string& since) {
    const json reference{{"clusterId", "m1"}, {"uid", "s1"}, {"generation", generation}, {"exportedSince", since}};
    return wrote(us, "hub", verb, {"endpointsliceexports", "fleet-member-m1", name},
                 {{"metadata", {{"uid", "h1"}, {"namespace", "fleet-member-m1"}, {"name", name}}},
                  {"spec", {{"endpointSliceReference", reference}}}});
  }
  inspection& deleted(const std::string& uid) {
    return wrote(us, "hub", "delete", {"endpointsliceexports", "fleet-member-m1", "n"},
                 {{"metadata", {{"uid", uid}, {"namespace", "fleet-member-m1"}, {"name", "n"}}}});
  }

  inspection& told(const std::string& event, json fields = {}, const std::string& uid = "s1") {
    fields["event"] = event;
    fields["position"] = ++position;
    fields["time"] = noon;
    if (event != "interruption") {
      fields["member"] = "m1";
      fields["namespace"] = "shop";
      fields["name"] = "web";
      fields["uid"] = uid;
    }
    check.record(boost::json::serialize(fields));
    return *this;
  }
  inspection& sealed() {
    check.seal();
    return *this;
  }
  /// All rules that were broken, how often.
  std::map<std::string, std::uint64_t> verdict(bool is_final = true) {
    check.judge(is_final);
    return check.found().counts();
  }

  instant now = began;
  std::uint64_t position = 0;

private:
  struct place {
    std::string resource, nspace, name;
  };

  inspection& wrote(const std::string& user, const std::string& cluster, const std::string& verb, const place& where,
                    const json& object) {
    history_entry entry;
    entry.at = now;
    entry.cluster = cluster;
    entry.user = user;
    entry.verb = verb;
    entry.resource = where.resource;
    entry.nspace = where.nspace;
    entry.name = where.name;
    entry.code = 200;
    entry.what = verb == "create"   ? history_entry::change::added
                 : verb == "delete" ? history_entry::change::deleted
                                    : history_entry::change::modified;
    entry.object = boost::json::serialize(object);
    check.observe(entry);
    return *this;
  }
};

inline const json named{{"export", "n"}};
inline const json dated{{"generation", 3}, {"since", noon}};
inline const json adopted{{"export", "n"}, {"generation", 3}, {"since", noon}};
inline const json begun{{"export", "n"}, {"hub_uid", "h1"}, {"proof", "seen"}};

} // namespace sliceferry::storm
