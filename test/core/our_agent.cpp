#include "test/core/our_agent.hpp"

#include "messages/overloaded.hpp"

#include <gtest/gtest.h>

#include <utility>

namespace sliceferry::core {
namespace {

template <class T>
watch_batch<T> listed(const std::map<object_key, T>& all, std::uint64_t version) {
  watch_batch<T> out;
  out.events.push_back({watch_change::init, {}});
  for (const auto& [key, object] : all)
    out.events.push_back({watch_change::applied, object});
  out.events.push_back({watch_change::init_done, {}});
  out.events.back().object.resource_version = std::to_string(version);
  return out;
}

std::shared_ptr<const member_identity> identity(std::uint64_t seed) {
  auto out = m1;
  out.seed = seed;
  return std::make_shared<const member_identity>(out);
}

} // namespace

our_agent::our_agent(shared_clusters& servers, std::uint64_t seed)
  : servers_{servers}, who_{identity(seed)}, table_{who_} {}

bool our_agent::run() {
  for (int rounds = 0; rounds < 40; ++rounds) {
    const auto before = servers_.version();
    list();
    for (const auto& uid : table_.uids())
      tend(uid);
    const bool vanished = servers_.finalize();
    if (servers_.version() == before && !vanished)
      return true;
  }
  return false;
}

void our_agent::list() {
  table_.slices(listed(servers_.slices, servers_.version()));
  table_.consents(listed(servers_.consents, servers_.version()));
  table_.exports(listed(servers_.exports, servers_.version()));
  for (const auto& suspect : table_.take_leftovers({})) {
    const auto at = servers_.slices.find(suspect.slice);
    table_.confirm(suspect, at == servers_.slices.end() ? std::optional<std::string>{} : at->second.uid);
  }
}

void our_agent::tend(const std::string& uid) {
  const auto at = machines_.find(uid);
  auto& machine =
    at != machines_.end() ? at->second : machines_.emplace(uid, exporter{who_, uid, table_.wake(uid)}).first->second;
  std::optional<outcome> ended;
  for (int commands = 0; commands < 20; ++commands) {
    const auto step = machine.observe({table_.next_number(uid), table_.inputs_of(uid), ended, {}}, servers_.now);
    if (!step.action)
      return;
    const auto* submitted = std::get_if<submit_command>(&*step.action);
    ASSERT_TRUE(submitted && !submitted->replaces) << "each command ends at once";
    if (servers_.writes_left == 0)
      return;
    auto answer = carry_out(submitted->what);
    answer.slice_uid = uid;
    answer.ticket = submitted->ticket;
    ended = table_.answered(answer).end;
  }
  ADD_FAILURE() << uid << " asks for one command after another";
}

write_answer our_agent::carry_out(const command& what) {
  write_answer out;
  const auto annotate = [&](const object_key& key, const std::string& uid, const slice_annotations& ours) {
    EXPECT_EQ(servers_.slices.at(key).uid, uid);
    out.slice = *servers_.annotate(key, ours);
  };
  std::visit(overloaded{
               [&](const annotate_slice& x) {
                 annotate(x.slice, x.uid, {x.name, std::to_string(x.generation), format_rfc3339(x.since)});
               },
               [&](const clear_annotations& x) { annotate(x.slice, x.uid, {}); },
               [&](const apply_export& x) {
                 const auto* found = servers_.find(x.name);
                 EXPECT_EQ(found != nullptr, x.target.has_value());
                 EXPECT_TRUE(!found || found->uid == x.target->uid);
                 out.exported = found ? *servers_.change(x.name, *x.spec) : *servers_.create(x.name, *x.spec);
                 out.hub_uid = x.target ? x.target->uid : "";
               },
               [&](const withdraw_export& x) {
                 EXPECT_EQ(servers_.find(x.name)->uid, x.hub_uid);
                 servers_.remove(x.name);
                 if (const auto* left = servers_.find(x.name))
                   out.exported = *left;
                 out.hub_uid = x.hub_uid;
               },
             },
             what);
  return out;
}

} // namespace sliceferry::core
