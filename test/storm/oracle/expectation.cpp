#include "test/storm/oracle/expectation.hpp"

#include "test/storm/oracle/json_fields.hpp"
#include "test/storm/oracle/syntax.hpp"

#include <algorithm>

namespace sliceferry::storm {
namespace {

/// Takes differences; without a list it only remembers that there was one.
class finding {
public:
  explicit finding(std::vector<std::string>* list) : list_(list) {}

  template <class Text>
  void expect(bool right, const Text& otherwise) {
    if (right)
      return;
    any_ = true;
    if (list_)
      list_->push_back(otherwise());
  }
  bool any() const { return any_; }

private:
  std::vector<std::string>* list_;
  bool any_ = false;
};

auto said(const char* text) {
  return [text] { return std::string{text}; };
}

std::string quoted(const std::optional<std::string>& text) {
  return text ? '"' + *text + '"' : "absent";
}

bool is_old_enough(const seen_export& found, const seen_slice& slice) {
  const auto held = decimal(found.reference_version);
  const auto now = decimal(slice.resource_version);
  return held && now && *held <= *now;
}

void check_content(const seen_export& found, const standing& all, finding& out) {
  const auto& slice = *all.slice;
  const auto part = [&](bool right, const char* name) {
    out.expect(right, [&] { return found.name + ": " + name + " differs from the slice's"; });
  };
  part(found.found.address_type == slice.wanted.address_type, "addressType");
  part(found.found.endpoints == slice.wanted.endpoints, "endpoints");
  const bool mutated = std::ranges::find(all.mutated, &found) != all.mutated.end();
  part(found.found.ports == slice.wanted.ports || mutated, "ports");
  part(found.found.reference == slice.wanted.reference, "endpointSliceReference");
  part(found.found.owner == slice.wanted.owner, "ownerServiceReference");
  out.expect(found.generation == slice.generation, [&] {
    return found.name + ": generation " + std::to_string(found.generation) + ", the slice's is " +
           std::to_string(slice.generation);
  });
  const auto since = read_time(slice.ours.timestamp.value_or(""));
  out.expect(!since || found.since == std::chrono::floor<std::chrono::seconds>(*since).count(), [&] {
    return found.name + ": exportedSince isn't the slice's last-seen-timestamp " + quoted(slice.ours.timestamp);
  });
  out.expect(!all.versions_compare ? decimal(found.reference_version).has_value() : is_old_enough(found, slice), [&] {
    return found.name + ": reference.resourceVersion \"" + found.reference_version + "\", the slice's is \"" +
           slice.resource_version + '"';
  });
}

void check_wanted(const standing& all, finding& out) {
  const auto& ours = all.slice->ours;
  out.expect(ours.name && is_subdomain(*ours.name), [&] { return "the slice's unique name is " + quoted(ours.name); });
  out.expect(ours.generation == std::to_string(all.slice->generation), [&] {
    return "last-seen-generation is " + quoted(ours.generation) + " at generation " +
           std::to_string(all.slice->generation);
  });
  out.expect(read_time(ours.timestamp.value_or("")).has_value(),
             [&] { return "last-seen-timestamp is " + quoted(ours.timestamp); });
  std::size_t live = 0;
  for (const auto* each : all.exports) {
    if (each->terminating)
      continue;
    ++live;
    out.expect(each->name == ours.name, [&] { return each->name + " isn't the export that the slice names"; });
    if (each->name == ours.name)
      check_content(*each, all, out);
  }
  out.expect(live > 0, said("it is not exported"));
  out.expect(live < 2, said("it is exported more than once"));
}

void check_unwanted(const standing& all, finding& out) {
  for (const auto* each : all.exports)
    out.expect(each->terminating, [&] { return each->name + " is left over"; });
  if (!all.slice)
    return;
  out.expect(!all.slice->ours.name,
             [&] { return "it is not to be exported, and named " + quoted(all.slice->ours.name); });
  out.expect(all.slice->ours.name || !all.half_cleared, said("its last-seen annotations were left behind"));
}

bool check(const standing& found, std::vector<std::string>* list) {
  finding out{list};
  if (found.called == call::yes)
    check_wanted(found, out);
  else if (found.called == call::no)
    check_unwanted(found, out);
  return out.any();
}

} // namespace

bool may_be_exported(const seen_slice& slice, const std::string& imports_nspace) {
  return slice.key.nspace != imports_nspace && !slice.imported && slice.ipv4 && slice.service && !slice.deleting;
}

std::vector<std::string> differences_of(const standing& found) {
  std::vector<std::string> out;
  check(found, &out);
  return out;
}

bool differs(const standing& found) {
  return check(found, nullptr);
}

} // namespace sliceferry::storm
