#include "actors/explain_command.hpp"

#include "actors/cluster_reader.hpp"
#include "actors/core/explain_lists.hpp"
#include "actors/explanation_report.hpp"
#include "actors/no_such_member.hpp"
#include "actors/operator_commands.hpp"
#include "actors/server_access.hpp"
#include "actors/wall_clock.hpp"
#include "actors/wire.hpp"
#include "config/command_line.hpp"
#include "k8s/collection_list.hpp"
#include "k8s/decode.hpp"
#include "k8s/resource.hpp"

#include <algorithm>
#include <future>
#include <utility>
#include <vector>

namespace sliceferry {

namespace {

constexpr std::size_t members_at_once = 8;

/// What one member's clusters say, or why they couldn't be read.
struct reading {
  member_told told;
  std::vector<std::string> failures;
};

/// Reads single objects of a member.
class object_reader {
public:
  object_reader(k8s::http_client& client, std::vector<std::string>& failures) : client_(client), failures_(failures) {}

  /// Under the first of these names that is served. Nothing: it isn't there, or a failure was noted.
  template <class T>
  std::optional<T> get(const std::vector<k8s::resource>& served_as, const object_key& key) {
    failure last{errc::missing, {}, {}, 0};
    for (const auto& kind : served_as) {
      const auto target = k8s::object_path(kind, key);
      const auto end = call(target);
      const auto failed = failure_of_read(end);
      if (!failed) {
        auto object = k8s::decode_object<T>(end->body);
        if (object)
          return std::move(*object);
        return note(target, object.error()), std::nullopt;
      }
      last = *failed;
      last_target_ = target;
      if (failed->code != errc::kind_missing)
        break;
    }
    if (last.code != errc::missing && last.code != errc::namespace_missing)
      note(last_target_, last);
    return std::nullopt;
  }

private:
  k8s::result<k8s::http_response> call(const std::string& target) {
    k8s::http_request request;
    request.target = target;
    std::promise<k8s::result<k8s::http_response>> came;
    auto coming = came.get_future();
    client_.call(std::move(request), [&came](auto end) { came.set_value(std::move(end)); });
    return coming.get();
  }

  void note(const std::string& target, const failure& why) {
    failures_.push_back(client_.name_of_get(target) + ": " + to_string(why));
  }

  k8s::http_client& client_;
  std::vector<std::string>& failures_;
  std::string last_target_;
};

reading read_member(k8s::io_loop& loop, const settings& chosen, const server_access& access,
                    const member_settings& member, const object_key& where) {
  reading out;
  k8s::http_client hub{loop, access.hub};
  k8s::http_client own{loop, access.members.at(member.name)};
  k8s::list_options options;
  options.served_as = {k8s::slice_exports};
  options.nspace = member.hub_nspace;
  k8s::list_reader<slice_export> exports{loop, hub, options};
  object_reader reader{own, out.failures};
  core::slice_readings read;
  read.where = where;
  read.leaving = member.leave;
  read.slice = reader.get<endpoint_slice>({k8s::endpoint_slices}, where);
  const auto service = read.slice ? read.slice->service.value_or("") : "";
  if (!service.empty())
    read.consent =
      reader.get<service_export>({k8s::service_exports, k8s::service_exports_alpha}, {where.nspace, service});
  auto listed = exports.wait();
  if (!listed) {
    out.failures.push_back(listed.error().text);
  } else {
    read.exports = std::move(listed->items);
    read.exports_version = listed->resource_version;
  }
  if (!out.failures.empty())
    return out;
  for (const auto& each : listed->unreadable)
    out.failures.push_back("export " + to_string(each.key) + " can't be read: " + each.text);
  out.told.member = member.name;
  out.told.slices_synced = out.told.exports_synced = true;
  out.told.found = core::explain_readings(identity_of(chosen, member), read, wall_clock());
  return out;
}

std::string without_end(const std::string& text) {
  return text.substr(0, text.find_last_not_of('\n') + 1);
}

/// The exit code, or nothing if no program answers; then `why` says so.
std::optional<int> ask_program(const std::string& listen, const question& about, const command_voices& voices,
                               std::string& why) {
  const auto target = [&](bool as_json) {
    return "/explain/" + k8s::percent_encoded(about.nspace) + '/' + k8s::percent_encoded(about.name) +
           (as_json ? "?output=json" : "?output=text") +
           (about.member.empty() ? "" : "&member=" + k8s::percent_encoded(about.member));
  };
  auto end = ask_running(listen, target(about.json));
  if (end.status == 400 && about.json) // what is wrong with a question is told to people
    end = ask_running(listen, target(false));
  if (end.status == 0) {
    why = end.body;
    return std::nullopt;
  }
  if (end.status == 200 || (about.json && end.body.starts_with('{')))
    voices.tell(end.body);
  else
    voices.complain("error: " + without_end(end.body));
  return end.status == 200 ? exit_done : end.status == 400 ? exit_wrong_settings : exit_failed;
}

int ask_clusters(const settings& chosen, const server_access& access, const question& about,
                 const command_voices& voices) {
  std::vector<const member_settings*> members;
  std::vector<std::string> names;
  for (const auto& each : chosen.members) {
    names.push_back(each.name);
    if (about.member.empty() || each.name == about.member)
      members.push_back(&each);
  }
  if (members.empty()) {
    voices.complain("error: " + no_such_member(about.member, names));
    return exit_wrong_settings;
  }
  const object_key where{about.nspace, about.name};
  k8s::io_loop loop;
  std::vector<member_told> told;
  std::vector<std::string> silent;
  bool is_whole = true;
  std::vector<std::future<reading>> readings;
  for (std::size_t i = 0; i < members.size(); ++i) {
    while (readings.size() < std::min(members.size(), i + members_at_once))
      readings.push_back(std::async(std::launch::async, [&, &member = *members[readings.size()]] {
        return read_member(loop, chosen, access, member, where);
      }));
    auto got = readings[i].get();
    for (const auto& each : got.failures)
      voices.complain("error: member " + members[i]->name + ": " + each);
    is_whole = is_whole && got.failures.empty();
    if (got.told.member.empty())
      silent.push_back(members[i]->name);
    else
      told.push_back(std::move(got.told));
  }
  const auto page = report(where, told, silent, about.json, answerer::clusters_alone);
  if (page.status == 200 || about.json)
    voices.tell(page.body);
  else if (!told.empty())
    voices.complain("error: " + without_end(page.body));
  return page.status == 200 && is_whole ? exit_done : exit_failed;
}

} // namespace

int explain_slice(const std::string& listen, const question& about,
                  const std::function<std::variant<settings, setting_errors>()>& load, const command_voices& voices) {
  std::string why;
  if (const auto code = ask_program(listen, about, voices, why))
    return *code;
  voices.complain("note: " + why + "; asking the clusters alone, so memory, queues and guard are unknown");
  const auto loaded = load();
  if (const auto* errors = std::get_if<setting_errors>(&loaded)) {
    for (const auto& each : *errors)
      voices.complain("error: " + to_string(each));
    return exit_wrong_settings;
  }
  const auto& chosen = std::get<settings>(loaded);
  const auto access = find_access(chosen);
  for (const auto& each : access.errors)
    voices.complain("error: " + each);
  return access.errors.empty() ? ask_clusters(chosen, access, about, voices) : exit_wrong_settings;
}

} // namespace sliceferry
