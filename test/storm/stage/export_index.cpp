#include "test/storm/stage/export_index.hpp"

#include <boost/json.hpp>

namespace sliceferry::storm {
namespace {

namespace json = boost::json;

bool is_planted(const std::string& name) {
  return name.starts_with("planted-") || name.starts_with("stranger-");
}

} // namespace

void export_index::see(const history_entry& entry) {
  if (entry.cluster != "hub" || entry.resource != "endpointsliceexports" || is_planted(entry.name) ||
      entry.what == history_entry::change::none)
    return;
  const place at{entry.nspace, entry.name};
  if (entry.what == history_entry::change::deleted) {
    const auto gone = exports_.find(at);
    if (gone == exports_.end())
      return;
    const auto [begin, end] = by_slice_.equal_range({entry.nspace, gone->second.slice});
    for (auto each = begin; each != end; ++each)
      if (each->second == entry.name) {
        by_slice_.erase(each);
        break;
      }
    exports_.erase(gone);
    return;
  }
  boost::system::error_code bad;
  const auto object = json::parse(entry.object, bad);
  const auto* slice = bad ? nullptr : object.find_pointer("/spec/endpointSliceReference/namespacedName", bad);
  if (!slice || !slice->is_string())
    return;
  auto [found, is_new] = exports_.try_emplace(at);
  found->second.text = entry.object;
  found->second.terminating = object.at("metadata").as_object().contains("deletionTimestamp");
  if (!is_new)
    return;
  found->second.slice = slice->get_string();
  by_slice_.emplace(place{entry.nspace, found->second.slice}, entry.name);
}

std::string export_index::find(const export_wish& wish) const {
  const std::string nspace = "fleet-member-" + wish.member;
  const auto [begin, end] = by_slice_.equal_range({nspace, wish.nspace + '/' + wish.slice});
  for (auto each = begin; each != end; ++each)
    if (const auto& found = exports_.at({nspace, each->second}); !found.terminating)
      return found.text;
  return {};
}

} // namespace sliceferry::storm
