#include "actors/diff_command.hpp"

#include "actors/cluster_reader.hpp"
#include "actors/diff_report.hpp"
#include "actors/wall_clock.hpp"
#include "config/command_line.hpp"
#include "k8s/io_loop.hpp"

#include <algorithm>
#include <chrono>
#include <future>
#include <utility>
#include <vector>

namespace sliceferry {

namespace {

// An agent that writes at once is done by then, and one that is stopped in between is seen all the same.
constexpr std::chrono::seconds pause_between_readings{2};
constexpr std::size_t members_at_once = 8;

struct verdict_on {
  core::comparison told;
  std::vector<std::string> failures; ///< then there is no verdict
  std::vector<std::string> lacks;
};

void wait(std::chrono::seconds time) {
  std::promise<void>{}.get_future().wait_for(time);
}

bool is_in_sync(const core::comparison& told) {
  return std::ranges::all_of(told.found, [](const auto& each) { return is_harmless(each.kind); });
}

/// One reading, and what it shows.
verdict_on look(cluster_reader& from, const core::member_identity& who, bool leaving) {
  auto got = from.read();
  verdict_on out{{}, std::move(got.failures), std::move(got.lacks)};
  if (out.failures.empty())
    out.told = compare(who, got.lists, leaving, wall_clock());
  return out;
}

verdict_on judge(k8s::io_loop& loop, const settings& chosen, const server_access& access,
                 const member_settings& member) {
  cluster_reader reader{loop, chosen, access, member};
  const auto who = identity_of(chosen, member);
  auto first = look(reader, who, member.leave);
  if (!first.failures.empty() || is_in_sync(first.told))
    return first;
  wait(pause_between_readings);
  auto second = look(reader, who, member.leave);
  second.told.found = core::lasting(first.told.found, second.told.found);
  return second;
}

/// True if the member is in sync, and known to be.
bool report(const std::string& member, const verdict_on& of, bool json,
            const std::function<void(const std::string&)>& tell,
            const std::function<void(const std::string&)>& complain) {
  for (const auto* lines : {&of.failures, &of.lacks})
    for (const auto& each : *lines)
      complain("member " + member + " can't be read: " + each);
  if (of.failures.empty())
    tell(json ? json_of(member, of.told) : text_of(member, of.told));
  else if (json)
    tell(json_of_failures(member, of.failures));
  return of.failures.empty() && of.lacks.empty() && is_in_sync(of.told);
}

} // namespace

int diff_clusters(const settings& chosen, const server_access& access, const question& about,
                  const std::function<void(const std::string&)>& tell,
                  const std::function<void(const std::string&)>& complain) {
  std::vector<const member_settings*> members;
  for (const auto& each : chosen.members)
    if (about.member.empty() || each.name == about.member)
      members.push_back(&each);
  if (members.empty()) {
    complain("the settings name no member " + about.member);
    return exit_wrong_settings;
  }
  k8s::io_loop loop;
  bool in_sync = true;
  std::vector<std::future<verdict_on>> verdicts;
  const auto begin_next = [&] {
    const auto& next = *members[verdicts.size()];
    verdicts.push_back(std::async(std::launch::async, [&] { return judge(loop, chosen, access, next); }));
  };
  for (std::size_t i = 0; i < members.size(); ++i) {
    while (verdicts.size() < std::min(members.size(), i + members_at_once))
      begin_next();
    in_sync = report(members[i]->name, verdicts[i].get(), about.json, tell, complain) && in_sync;
  }
  return in_sync ? exit_done : exit_failed;
}

} // namespace sliceferry
