#include "test/core/go_agent.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <string_view>
#include <vector>

namespace sliceferry::core {
namespace {

bool is_label_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}

/// The pattern of apimachinery, part by part.
bool is_subdomain(const std::string& text) {
  if (text.empty() || text.size() > 253)
    return false;
  for (std::size_t begin = 0; begin <= text.size();) {
    const auto end = std::min(text.find('.', begin), text.size());
    const std::string_view part{text.data() + begin, end - begin};
    const auto is_inner = [](char c) { return c == '-' || is_label_character(c); };
    if (part.empty() || !is_label_character(part.front()) || !is_label_character(part.back()) ||
        !std::ranges::all_of(part, is_inner))
      return false;
    begin = end + 1;
  }
  return true;
}

/// strconv.ParseInt(text, 10, 64)
std::optional<std::int64_t> parse_int(const std::string& text) {
  const auto digits = text.find_first_of("0123456789");
  if (digits > 1 || (digits == 1 && text[0] != '+' && text[0] != '-'))
    return {};
  errno = 0;
  char* end = nullptr;
  const long long value = std::strtoll(text.c_str(), &end, 10);
  if (errno != 0 || end != text.c_str() + text.size())
    return {};
  return value;
}

/// What the annotations say, if they may stand as they are.
std::optional<seconds_utc> last_seen_of(const endpoint_slice& slice, seconds_utc start) {
  if (!slice.ours.generation || !slice.ours.timestamp)
    return {};
  const auto since = parse_rfc3339(*slice.ours.timestamp);
  if (parse_int(*slice.ours.generation) != slice.generation || !since || *since > start)
    return {};
  return since;
}

bool is_yes(const std::optional<condition>& found) {
  return found && found->is == condition::status::yes;
}
bool is_no(const std::optional<condition>& found) {
  return found && found->is == condition::status::no;
}

/// apimachinery's semantic equality: a list that is empty and one that is absent are equal.
bool same_meaning(const slice_export_spec& left, const slice_export_spec& right) {
  auto a = left;
  auto b = right;
  for (auto* each : {&a, &b})
    if (!each->ports)
      each->ports.emplace();
  return a == b;
}

} // namespace

bool go_agent::reconcile(const object_key& key) {
  const auto at = servers_.slices.find(key);
  if (at == servers_.slices.end() || at->second.address_type != "IPv4")
    return true;
  if (may_export(at->second))
    return do_export(at->second);
  return !at->second.ours.name || unexport(at->second);
}

bool go_agent::may_export(const endpoint_slice& slice) const {
  if (!slice.service)
    return false;
  const auto at = servers_.consents.find({slice.key.nspace, *slice.service});
  if (at == servers_.consents.end() || at->second.deleting)
    return false;
  return is_yes(at->second.valid) && is_no(at->second.conflict) && !slice.deleting;
}

bool go_agent::unexport(const endpoint_slice& slice) {
  if (is_subdomain(*slice.ours.name)) {
    const auto* found = servers_.find(*slice.ours.name);
    const bool is_ours = found && found->spec.reference.uid == slice.uid;
    if (is_ours && !servers_.remove(*slice.ours.name))
      return false;
  }
  return servers_.annotate(slice.key, {}) != nullptr;
}

bool go_agent::do_export(endpoint_slice slice) {
  bool was_written = false;
  if (!slice.ours.name || !is_subdomain(*slice.ours.name)) {
    auto next = slice.ours;
    next.name = make_name(slice.key);
    const auto* answered = servers_.annotate(slice.key, next);
    if (!answered)
      return false;
    slice = *answered;
    was_written = true;
  }
  const auto start = servers_.now;
  const auto told = last_seen_of(slice, start);
  if (!told) {
    slice.ours.generation = std::to_string(slice.generation);
    slice.ours.timestamp = format(start);
    // A failure is swallowed: the export goes on with the slice as it was read.
    if (const auto* answered = servers_.annotate(slice.key, slice.ours))
      slice = *answered;
    was_written = true;
  }
  return refresh(slice, told.value_or(start), was_written);
}

bool go_agent::refresh(const endpoint_slice& slice, seconds_utc since, bool was_written) {
  const auto& name = *slice.ours.name;
  const auto* found = servers_.find(name);
  if (found && found->spec.reference.uid != slice.uid) {
    auto next = slice.ours;
    next.name.reset();
    return servers_.annotate(slice.key, next) != nullptr;
  }
  slice_export_spec spec;
  if (found) {
    spec = found->spec;
  } else {
    const bool has_kind = !was_written || !habits_.leaves_kind_empty;
    spec.reference.cluster = habits_.cluster;
    spec.reference.kind = has_kind ? "EndpointSlice" : "";
    spec.reference.api_version = has_kind ? "discovery.k8s.io/v1" : "";
    spec.reference.slice = slice.key;
    spec.reference.namespaced_name = slice.key.nspace + '/' + slice.key.name;
    spec.reference.uid = slice.uid;
  }
  spec.reference.resource_version = slice.resource_version;
  spec.reference.generation = slice.generation;
  spec.reference.exported_since = since;
  spec.address_type = "IPv4";
  spec.endpoints = slice.ready;
  spec.ports = slice.ports;
  spec.owner.service = {slice.key.nspace, *slice.service};
  spec.owner.namespaced_name = slice.key.nspace + '/' + *slice.service;
  if (!found)
    return servers_.create(name, spec) != nullptr;
  return same_meaning(found->spec, spec) || servers_.change(name, spec) != nullptr;
}

bool go_agent::is_linked(const std::string& name) const {
  const auto* found = servers_.find(name);
  const auto at = servers_.slices.find(found->spec.reference.slice);
  return at != servers_.slices.end() && at->second.ours.name == name;
}

bool go_agent::collect(const std::string& name) {
  const auto* found = servers_.find(name);
  return !found || found->terminating || is_linked(name) || servers_.remove(name);
}

bool go_agent::run() {
  for (int rounds = 0; rounds < 40; ++rounds) {
    const auto before = servers_.version();
    std::vector<object_key> slices;
    for (const auto& [key, slice] : servers_.slices)
      slices.push_back(key);
    for (const auto& key : slices)
      reconcile(key);
    std::vector<std::string> exports;
    for (const auto& [key, each] : servers_.exports)
      exports.push_back(key.name);
    for (const auto& name : exports)
      collect(name);
    const bool vanished = servers_.finalize();
    if (servers_.version() == before && !vanished)
      return true;
  }
  return false;
}

std::string go_agent::make_name(const object_key& slice) {
  std::string out;
  for (const auto& part : {habits_.cluster, slice.nspace, slice.name})
    out += part.substr(0, 81) + '-';
  for (int i = 0; i < 5; ++i)
    out += "0123456789abcdef"[random_() % 16];
  if (is_subdomain(out))
    return out;
  out.clear();
  for (int i = 0; i < 25; ++i)
    out += static_cast<char>('a' + random_() % 26);
  return out;
}

std::string go_agent::format(seconds_utc time) const {
  if (habits_.offset.count() == 0)
    return format_rfc3339(time);
  auto out = format_rfc3339(time + habits_.offset);
  out.pop_back();
  const auto minutes = std::abs(habits_.offset.count());
  const auto two = [](auto number) { return (number < 10 ? "0" : "") + std::to_string(number); };
  return out + (habits_.offset.count() < 0 ? '-' : '+') + two(minutes / 60) + ':' + two(minutes % 60);
}

} // namespace sliceferry::core
