#include "test/storm/oracle/list_check.hpp"

#include "test/storm/oracle/expectation.hpp"
#include "test/storm/oracle/json_fields.hpp"

#include <boost/json.hpp>

#include <utility>

namespace sliceferry::storm {
namespace {

namespace json = boost::json;

class list_check {
public:
  list_check(const oracle_options& options, instant at) : options_(options), at_(at) {}

  std::vector<violation> run(const cluster_lists& lists) {
    each_item(lists.exports, [&](const json::value& item) {
      if (auto seen = read_export(item))
        exports_.emplace(object_key{seen->nspace, seen->name}, *std::move(seen));
    });
    for (const auto& member : options_.members) {
      const auto found = lists.members.find(member.name);
      if (found == lists.members.end())
        report(member.name, "", "was not listed");
      else
        check_member(member, found->second);
    }
    each_item(lists.exports_before, [&](const json::value& item) { check_foreign(item); });
    return std::move(out_);
  }

private:
  template <class Take>
  void each_item(const list_pages& pages, const Take& take) {
    for (const auto& page : pages) {
      boost::system::error_code bad;
      const auto body = json::parse(page, bad);
      const auto* list = bad ? nullptr : body.if_object();
      const auto* items = list ? array_at(*list, "items") : nullptr;
      if (!items)
        report("", "", "an answer that is no list: " + page.substr(0, 100));
      else
        for (const auto& item : *items)
          take(item);
    }
  }

  void check_member(const oracle_options::member& member, const member_lists& lists) {
    std::map<object_key, seen_consent::verdict> consents;
    std::map<std::string, seen_slice> slices;
    each_item(lists.service_exports, [&](const json::value& item) {
      if (const auto seen = read_consent(item))
        consents[seen->key] = seen->says;
    });
    each_item(lists.slices, [&](const json::value& item) {
      if (auto seen = read_slice(item, member.name))
        slices.emplace(std::string{seen->uid}, *std::move(seen));
    });
    std::map<std::string, standing> all;
    for (const auto& [uid, slice] : slices) {
      auto& one = all[uid];
      one.slice = &slice;
      one.versions_compare = !options_.restores_members;
      one.called = judge(slice, consents);
    }
    for (const auto& [key, each] : exports_)
      if (key.nspace == member.hub_nspace && each.cluster == member.name && !each.slice_uid.empty()) {
        auto& one = all[each.slice_uid];
        one.exports.push_back(&each);
        if (options_.mutates_exports)
          one.mutated.push_back(&each);
      }
    for (const auto& [uid, one] : all)
      for (const auto& wrong : differences_of(one))
        report(member.name, one.slice ? to_string(one.slice->key) : "uid " + uid, wrong);
  }

  call judge(const seen_slice& slice, const std::map<object_key, seen_consent::verdict>& consents) const {
    if (!may_be_exported(slice, options_.imports_nspace))
      return call::no;
    const auto found = consents.find({slice.key.nspace, *slice.service});
    if (found == consents.end() || found->second == seen_consent::verdict::denied)
      return call::no;
    return found->second == seen_consent::verdict::granted ? call::yes : call::maybe;
  }

  void check_foreign(const json::value& item) {
    const auto was = read_export(item);
    if (!was)
      return;
    for (const auto& member : options_.members)
      if (member.hub_nspace == was->nspace && member.name == was->cluster)
        return;
    const auto found = exports_.find({was->nspace, was->name});
    const bool stands = found != exports_.end() && found->second.uid == was->uid && !found->second.terminating;
    if (!stands)
      report("", was->nspace + '/' + was->name, "a foreign export is gone");
    else if (found->second.found != was->found || found->second.generation != was->generation ||
             found->second.around != was->around)
      report("", was->nspace + '/' + was->name, "a foreign export was changed");
  }

  void report(const std::string& member, const std::string& object, const std::string& wrong) {
    out_.push_back({"state", member, object, at_, wrong});
  }

  const oracle_options& options_;
  instant at_;
  std::map<object_key, seen_export> exports_;
  std::vector<violation> out_;
};

} // namespace

std::vector<violation> differences_of_lists(const oracle_options& options, const cluster_lists& lists, instant at) {
  return list_check{options, at}.run(lists);
}

} // namespace sliceferry::storm
