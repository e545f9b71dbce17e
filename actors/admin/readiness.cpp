#include "actors/admin/readiness.hpp"

#include <algorithm>
#include <utility>

namespace sliceferry {
namespace {

std::string title(const std::string& member, input which) {
  switch (which) {
    case input::endpointslices:
      return "member " + member + " endpointslices";
    case input::serviceexports:
      return "member " + member + " serviceexports";
    case input::hub_exports:
      return "hub exports of " + member;
  }
  return member;
}

/// A reason may quote a server's answer; it must not break the list's lines.
std::string on_one_line(std::string text) {
  std::replace_if(
    text.begin(), text.end(), [](unsigned char c) { return c < 0x20 || c == 0x7f; }, ' ');
  return text;
}

} // namespace

readiness::readiness(const std::vector<std::string>& members) {
  for (const auto& member : members)
    members_[member] = {{input::endpointslices, {}}, {input::serviceexports, {}}, {input::hub_exports, {}}};
}

void readiness::set(const std::string& member, input which, sync_state how, std::string why) {
  const std::lock_guard lock{guard_};
  if (const auto found = members_.find(member); found != members_.end())
    found->second[which] = {how, on_one_line(std::move(why))};
}

void readiness::troubled(const std::string& subject, std::string why) {
  const std::lock_guard lock{guard_};
  troubles_[subject] = on_one_line(std::move(why));
}

void readiness::healed(const std::string& subject) {
  const std::lock_guard lock{guard_};
  troubles_.erase(subject);
}

void readiness::member_troubled(const std::string& subject, std::string why) {
  if (members_.size() > 1) // never changes
    noted(subject, std::move(why));
  else
    troubled(subject, std::move(why));
}

void readiness::member_healed(const std::string& subject) {
  healed(subject);
  cleared(subject);
}

void readiness::noted(const std::string& subject, std::string what) {
  const std::lock_guard lock{guard_};
  notes_[subject] = on_one_line(std::move(what));
}

void readiness::cleared(const std::string& subject) {
  const std::lock_guard lock{guard_};
  notes_.erase(subject);
}

void readiness::reset() {
  const std::lock_guard lock{guard_};
  for (auto& [member, inputs] : members_)
    for (auto& [which, held] : inputs)
      held = {};
  troubles_.clear();
  notes_.clear();
}

bool readiness::ready() const {
  return tell().ready;
}

readiness::report readiness::tell() const {
  const std::lock_guard lock{guard_};
  report out{true, {}};
  for (const auto& [member, inputs] : members_) {
    for (const auto& [which, held] : inputs) {
      const bool passed = passes(which, held);
      out.ready = out.ready && passed;
      out.lines += (held.how == sync_state::synced ? "[+]" : passed ? "[!]" : "[-]") + title(member, which);
      if (held.how == sync_state::synced)
        out.lines += " ok\n";
      else
        out.lines += (held.how == sync_state::unreachable ? " unreachable: " : " waiting: ") + held.why + '\n';
    }
  }
  for (const auto& [subject, why] : troubles_) {
    out.ready = false;
    out.lines += "[-]" + subject + ": " + why + '\n';
  }
  for (const auto& [subject, what] : notes_)
    out.lines += "[!]" + subject + ": " + what + '\n';
  out.lines += out.ready ? "readyz check passed\n" : "readyz check failed\n";
  return out;
}

bool readiness::passes(input which, const entry& held) const {
  if (held.how == sync_state::unreachable)
    return members_.size() > 1 && which != input::hub_exports;
  return held.how == sync_state::synced;
}

} // namespace sliceferry
