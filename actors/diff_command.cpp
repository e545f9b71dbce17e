#include "actors/diff_command.hpp"

#include "actors/cluster_reader.hpp"
#include "actors/diff_report.hpp"
#include "actors/no_such_member.hpp"
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

constexpr std::size_t members_at_once = 8;

struct verdict_on {
  core::comparison told;
  std::vector<std::string> failures; ///< then there is no verdict
  std::vector<std::string> lacks;
};

void wait(std::chrono::milliseconds time) {
  std::promise<void>{}.get_future().wait_for(time);
}

bool is_in_sync(const core::comparison& told) {
  return std::ranges::all_of(told.found, [](const auto& each) { return is_harmless(each.kind); });
}

/// Several lists of one server fail with the same words.
std::vector<std::string> each_once(const std::vector<std::string>& lines) {
  std::vector<std::string> out;
  for (const auto& each : lines)
    if (std::ranges::count(out, each) == 0)
      out.push_back(each);
  return out;
}

/// One reading, and what it shows.
verdict_on look(cluster_reader& from, const core::member_identity& who, bool leaving) {
  auto got = from.read();
  verdict_on out{{}, each_once(got.failures), each_once(got.lacks)};
  if (out.failures.empty())
    out.told = compare(who, got.lists, leaving, wall_clock());
  return out;
}

verdict_on judge(cluster_reader& reader, const core::member_identity& who, bool leaving,
                 std::chrono::milliseconds pause) {
  auto first = look(reader, who, leaving);
  if (!first.failures.empty() || is_in_sync(first.told))
    return first;
  wait(pause);
  auto second = look(reader, who, leaving);
  second.told.found = core::lasting(first.told.found, second.told.found);
  return second;
}

/// True if the member is in sync, and known to be.
bool report(const std::string& member, const verdict_on& of, bool json, const diff_ports& ports) {
  for (const auto* lines : {&of.failures, &of.lacks})
    for (const auto& each : *lines)
      ports.complain("member " + member + " can't be read: " + each);
  if (of.failures.empty())
    ports.tell(json ? json_of(member, of.told) : text_of(member, of.told));
  else if (json)
    ports.tell(json_of_failures(member, of.failures));
  return of.failures.empty() && of.lacks.empty() && is_in_sync(of.told);
}

} // namespace

int diff_clusters(const settings& chosen, const server_access& access, const question& about, const diff_ports& ports) {
  std::vector<const member_settings*> members;
  std::vector<std::string> names;
  for (const auto& each : chosen.members) {
    names.push_back(each.name);
    if (about.member.empty() || each.name == about.member)
      members.push_back(&each);
  }
  if (members.empty()) {
    ports.complain(no_such_member(about.member, names));
    return exit_wrong_settings;
  }
  k8s::io_loop loop;
  bool in_sync = true;
  std::vector<std::future<verdict_on>> verdicts;
  const auto begin_next = [&] {
    const auto& next = *members[verdicts.size()];
    verdicts.push_back(std::async(std::launch::async, [&loop, &chosen, &access, &next, &ports] {
      cluster_reader reader{loop, chosen, access, next};
      return judge(reader, identity_of(chosen, next), next.leave, ports.pause);
    }));
  };
  for (std::size_t i = 0; i < members.size(); ++i) {
    while (verdicts.size() < std::min(members.size(), i + members_at_once))
      begin_next();
    in_sync = report(members[i]->name, verdicts[i].get(), about.json, ports) && in_sync;
  }
  return in_sync ? exit_done : exit_failed;
}

} // namespace sliceferry
