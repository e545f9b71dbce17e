#include "test/storm/oracle/storyteller.hpp"

#include <algorithm>
#include <array>
#include <cstdio>

namespace sliceferry::storm {
namespace {

constexpr std::size_t lines_max = 12;
constexpr std::size_t names_max = 8;
constexpr std::size_t users_max = 1000;
constexpr std::array<const char*, 7> verbs{"?", "create", "update", "patch", "delete", "get", "mark"};
constexpr std::array<const char*, 4> changes{"no change", "added", "modified", "deleted"};
constexpr std::array<const char*, 3> calls{"not called for", "perhaps called for", "called for"};

template <class Places>
std::uint8_t place_of(const Places& known, std::string_view what) {
  const auto found = std::ranges::find(known, what);
  return found == known.end() ? std::uint8_t{0} : static_cast<std::uint8_t>(found - known.begin());
}

std::string before(instant then, instant at) {
  std::array<char, 40> out{};
  std::snprintf(out.data(), out.size(), "  %10.1f ms  ", static_cast<double>((then - at).count()) / 1000.0);
  return out.data();
}

story_line::about about(const history_entry& entry) {
  if (entry.resource == "endpointsliceexports")
    return story_line::about::exported;
  return entry.resource == "serviceexports" ? story_line::about::consent : story_line::about::slice;
}

} // namespace

void storyteller::note(life& whose, const history_entry& entry, std::int64_t generation, bool flag) {
  const auto what = about(entry);
  const bool on_hub = what == story_line::about::exported;
  auto user = std::ranges::find(users_, entry.user);
  if (user == users_.end())
    user = users_.size() < users_max ? users_.insert(users_.end(), entry.user) : users_.begin();
  if (on_hub && std::ranges::find(whose.names, entry.name) == whose.names.end()) {
    if (whose.names.size() == names_max)
      whose.names.back() = entry.name;
    else
      whose.names.push_back(entry.name);
  }
  if (whose.story.size() == lines_max)
    whose.story.erase(whose.story.begin());
  whose.story.push_back({entry.at, generation, static_cast<std::uint16_t>(user - users_.begin()),
                         static_cast<std::uint16_t>(entry.code), place_of(verbs, entry.verb),
                         static_cast<std::uint8_t>(entry.what), what, flag, whose.called,
                         on_hub ? place_of(whose.names, entry.name) : std::uint8_t{0}});
  whose.last = entry.at;
}

std::string storyteller::line(const story_line& each, const std::string& member, const life& whose, instant at) const {
  std::string out = before(each.at, at);
  const bool on_hub = each.what == story_line::about::exported;
  out += on_hub ? "hub" : member;
  out += "  " + users_[each.user] + "  " + verbs[each.verb] + ' ' + std::to_string(each.code) + ' ';
  out += changes[each.change];
  if (on_hub)
    out += std::string{each.flag ? " (terminating)" : ""} + "  export " + whose.names[each.name] + " of generation ";
  else if (each.what == story_line::about::consent)
    out += "  its ServiceExport; slice at generation ";
  else
    out += std::string{"  slice "} + (each.flag ? "" : "(unnamed) ") + "at generation ";
  return out + std::to_string(each.generation) + ", " + calls[static_cast<std::size_t>(each.called)] + '\n';
}

std::string storyteller::tell(const std::string& wrong, const std::string& member, const life* whose,
                              instant at) const {
  std::string out = wrong + '\n';
  if (!whose)
    return out;
  out += "  slice " + to_string(whose->key) + " (uid " + whose->uid + ") of " + member + '\n';
  for (const auto& each : whose->story)
    out += line(each, member, *whose, at);
  return out;
}

std::string storyteller::tell(const std::string& wrong, const history_entry& entry) {
  if (entry.cluster.empty()) // no request, but that time passed
    return wrong + '\n';
  return wrong + "\n  " + entry.cluster + "  " + entry.user + "  " + entry.verb + ' ' + entry.resource + ' ' +
         entry.nspace + '/' + entry.name + (entry.subresource.empty() ? "" : '/' + entry.subresource) + " answered " +
         std::to_string(entry.code) + '\n';
}

} // namespace sliceferry::storm
