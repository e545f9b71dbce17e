#include "test/storm/stage/audit_order.hpp"

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <string_view>
#include <tuple>
#include <utility>

namespace sliceferry::storm {
namespace {

/// Of the metadata, which comes before all else that has a member of this name; quotes within texts are escaped.
std::string_view text_in(const std::string& object, std::string_view key) {
  const auto found = object.find(key, std::min(object.find("\"metadata\":{"), object.size()));
  if (found == std::string::npos)
    return {};
  const auto from = found + key.size();
  return std::string_view{object}.substr(from, object.find('"', from) - from);
}

std::uint64_t version_of(const history_entry& entry) {
  const auto text = text_in(entry.object, "\"resourceVersion\":\"");
  std::uint64_t out = 0;
  std::from_chars(text.data(), text.data() + text.size(), out);
  return out;
}

/// A change of an object, or any other entry: then without a version.
struct write {
  history_entry* entry;
  std::uint64_t version; ///< of an end that shows no object, that of the last write known before it
  std::string_view uid;
  instant done;

  bool is_end() const { return entry->what == history_entry::change::deleted; }
  auto rank() const { return std::pair{version, is_end()}; }
};

write read_write(history_entry& entry) {
  if (entry.object.empty())
    return {&entry, 0, entry.uid, entry.at};
  return {&entry, version_of(entry), text_in(entry.object, "\"uid\":\""), entry.at};
}

/// An end without a version follows all writes of that life. Where none is held it comes before all that is.
void place_ends(const std::vector<write*>& of_object) {
  for (auto* end : of_object)
    if (end->is_end() && end->entry->object.empty())
      for (const auto* each : of_object)
        if (each->uid == end->uid)
          end->version = std::max(end->version, each->version);
}

/// What was written over was written before. Times are moved by that: those of a member, which are receipts, to later,
/// those of the hub, which are ends, to earlier. Equal ranks are a write and those after it that changed nothing.
void bound_times(std::vector<write*>& of_object) {
  const bool are_ends = of_object.front()->entry->cluster == "hub";
  const auto further = [&](instant one, instant other) {
    return are_ends ? std::min(one, other) : std::max(one, other);
  };
  std::stable_sort(of_object.begin(), of_object.end(), [&](const auto* left, const auto* right) {
    return are_ends ? left->rank() > right->rank() : left->rank() < right->rank();
  });
  std::optional<instant> bound;
  std::optional<instant> of_equal;
  for (const write* before = nullptr; auto* each : of_object) {
    if (before && before->rank() != each->rank())
      bound = of_equal;
    if (bound)
      each->done = further(each->done, *bound);
    of_equal = of_equal ? further(*of_equal, each->done) : each->done;
    before = each;
  }
}

std::vector<write> read_writes(std::vector<history_entry>& held) {
  std::vector<write> out;
  out.reserve(held.size());
  for (auto& each : held)
    out.push_back(read_write(each));
  using place = std::tuple<std::string_view, std::string_view, std::string_view, std::string_view>;
  std::map<place, std::vector<write*>> objects;
  for (auto& each : out)
    if (each.entry->what != history_entry::change::none)
      objects[{each.entry->cluster, each.entry->resource, each.entry->nspace, each.entry->name}].push_back(&each);
  for (auto& [unused, all] : objects) {
    if (all.size() < 2)
      continue;
    place_ends(all);
    bound_times(all);
  }
  return out;
}

} // namespace

std::vector<history_entry> take_ordered(std::vector<history_entry>& held, instant until) {
  auto writes = read_writes(held);
  const auto later =
    std::stable_partition(writes.begin(), writes.end(), [&](const write& each) { return each.done <= until; });
  const auto order = [](const write& each) { return std::tuple{each.done, each.rank(), each.entry->at}; };
  std::stable_sort(writes.begin(), later,
                   [&](const auto& left, const auto& right) { return order(left) < order(right); });
  std::vector<history_entry> out;
  std::vector<history_entry> rest;
  for (auto at = writes.begin(); at != writes.end(); ++at) {
    auto& into = at < later ? out : rest;
    into.push_back(std::move(*at->entry));
    if (at < later)
      into.back().at = at->done;
  }
  held = std::move(rest);
  return out;
}

} // namespace sliceferry::storm
