#include "test/storm/weather/scenario.hpp"

#include <algorithm>

namespace sliceferry::storm {
namespace {

using names = std::vector<std::string_view>;

const names calm_weather{"none"};

/// In one line of the table: 2 members, 600 slices, 200 changes/s for 20 s.
scenario portable(std::string_view name, std::string_view sentence, names storms, names faults = calm_weather) {
  return {name, sentence, std::move(storms), std::move(faults), 600, 2, 200, 20, true};
}

/// The same, on simulated servers only.
scenario simulated(std::string_view name, std::string_view sentence, names storms, names faults) {
  return {name, sentence, std::move(storms), std::move(faults), 600, 2, 200, 25, false};
}

scenario sized(scenario made, std::size_t slices, unsigned changes_per_s, unsigned seconds) {
  made.slices = slices;
  made.changes_per_s = changes_per_s;
  made.seconds = seconds;
  return made;
}

/// Of one member: twice the faults meet in one place.
scenario alone(scenario made) {
  made.members = 1;
  return made;
}

scenario limited(scenario made, unsigned qps) {
  made.qps = qps;
  return made;
}

scenario with_hub_controller(scenario made) {
  made.plays_hub_controller = true;
  return made;
}

std::vector<scenario> single_storms() {
  return {
    portable("rolling", "Content follows each flip of readiness.", {"rolling"}),
    portable("scaling", "Empty slices stay exported, wiped annotations find their export again.", {"scaling"}),
    portable("node_loss", "Many slices change at once.", {"node_loss"}),
    portable("recreation", "A new UID under an old name gets its own export.", {"recreation"}),
    portable("namespaces", "A namespace's end withdraws what was in it.", {"namespaces"}),
    portable("flapping", "Exports follow the consent.", {"flapping"}),
    portable("labels", "Exports follow the service label.", {"labels"}),
    portable("families", "IPv6 slices are never exported, headless ones are.", {"families"}),
    portable("tampering", "Damaged annotations are mended, foreign names left alone.", {"tampering"}),
    portable("imports", "Nothing imported goes back to the hub.", {"imports"}),
    portable("metadata", "What means nothing to an export writes nothing.", {"metadata"}),
    sized(portable("restless", "A slice that never rests reaches the hub nevertheless.", {"restless"}), 300, 150, 15),
    portable("everything", "All storms at once.", {"everything"}),
  };
}

std::vector<scenario> mixed_storms() {
  return {
    limited(sized(simulated("restless-crowd", "A slice that never rests gets its turn in a queue that never empties.",
                            {"restless", "node_loss"}, calm_weather),
                  300, 300, 35),
            100),
    portable("labels-flapping", "Exports follow the consent of the service that the slice belongs to now.",
             {"labels", "flapping"}),

    portable("deletes", "Deletions of all kinds.", {"recreation", "namespaces"}),
    portable("kill", "Killed and started again: nothing is made twice, exportedSince stays.",
             {"rolling", "flapping", "labels"}, {"kill_program"}),
    portable("stop", "Stopped for a while: it catches up.", {"rolling", "recreation"}, {"stop_program"}),
    sized(portable("kill-deletes", "What was deleted while nobody looked is withdrawn.", {"recreation", "namespaces"},
                   {"kill_program"}),
          600, 150, 30),
    sized(portable("restart-in-sync", "A restart without a difference writes nothing.", {"metadata"}, {"kill_program"}),
          1'000, 100, 30),
    sized(portable("tamper", "Annotations edited on slices that change and come and go.",
                   {"tampering", "rolling", "recreation"}),
          300, 150, 25),
    with_hub_controller(portable("finalizer", "The hub controller's finalizer survives changes and delays deletions.",
                                 {"rolling", "flapping", "recreation"})),

    simulated("reconnect", "Watches are cut and expire: lists tell what was missed.",
              {"recreation", "namespaces", "flapping"}, {"cut_watches", "expired_watches"}),
    simulated("restart-server", "Servers go down and come back without their events.",
              {"rolling", "flapping", "scaling"}, {"server_restart"}),
    simulated("errors", "Requests fail before or after they were carried out; none is repeated blindly.",
              {"rolling", "recreation"}, {"errors_5xx", "html_errors", "reset"}),
    alone(
      sized(simulated("balancer", "What a balancer answers in a server's place proves nothing, least of all its 404.",
                      {"recreation", "rolling"}, {"html_errors", "expired_watches"}),
            600, 200, 40)),
    simulated("slow", "Answers are late: echoes overtake them.", {"scaling", "labels", "tampering"}, {"latency"}),
    simulated("mangled", "Bytes come in odd pieces.", {"rolling", "families"},
              {"one_byte_chunks", "truncated_lines", "huge_lines", "blank_lines"}),
    simulated("lost-answers", "Writes are carried out and their answers lost.", {"recreation", "flapping"},
              {"lost_answers"}),
    simulated("conflicts", "Writes meet 409 and 429.", {"rolling", "scaling"}, {"conflict_bursts", "throttle"}),
    sized(simulated("restless-latency", "A slice that changes faster than the hub answers.", {"restless", "rolling"},
                    {"latency"}),
          300, 150, 25),
    simulated("kill-reconnect", "Killed while watches expire.", {"recreation", "flapping", "tampering"},
              {"kill_program", "expired_watches"}),
    sized(simulated("disk",
                    "A journal's disk fails, fills up, hangs, loses its end: exports go on, and nothing is missing.",
                    {"rolling", "recreation", "flapping"},
                    {"disk_full", "disk_errors", "slow_disk", "hung_disk", "torn_journal", "kill_program"}),
          600, 200, 40),
    sized(simulated("everything-basic", "All storms under all basic faults.", {"everything"}, {"basic"}), 1'000, 300,
          40),
    sized(simulated("everything-all", "All storms under all faults.", {"everything"}, {"all"}), 1'000, 300, 40),
  };
}

/// What operators and other controllers do to a server.
std::vector<scenario> repairs() {
  return {
    portable("hub_tampering", "Whatever is done to exports on the hub is put right, and what isn't ours left alone.",
             {"hub_tampering"}),
    portable("hub-tampering-changes", "The same while slices change and come and go.",
             {"hub_tampering", "rolling", "recreation"}),
    portable("hub-tampering-kill", "Planted and edited while nobody looked.", {"hub_tampering", "rolling"},
             {"kill_program"}),
    portable("rival", "Against one who undoes exports again and again the program writes ever less, and wins.",
             {"rival"}),
    portable("hub_namespaces", "All is exported again into namespaces of the hub that are made again.",
             {"hub_namespaces"}),
    simulated("restored", "Backups are restored, of the hub and of members, on which less or other things stand.",
              {"rolling", "recreation"}, {"restored_backup"}),
    simulated("emptied", "The hub comes back empty: all is exported again.", {"rolling", "recreation"}, {"emptied"}),
    simulated("empty-lists", "Lists that wrongly lack most slices cost no export.", {"metadata"}, {"empty_lists"}),
    simulated("crds", "Kinds are removed and come back: held while they are gone, right again afterwards.",
              {"rolling", "flapping"}, {"remove_crd"}),
    simulated("crds-kill", "A process that starts while a kind is gone holds, and goes on when it is there.",
              {"rolling", "flapping"}, {"remove_crd", "kill_program"}),
    simulated("restored-kill", "A process that starts on restored servers takes them as they are.",
              {"rolling", "recreation"}, {"restored_backup", "kill_program"}),
    simulated("silent", "Connections and watches that fall silent are found out.", {"rolling", "recreation"},
              {"half_open", "mute_watches"}),
    simulated("rights", "Rights are revoked and granted again, of all requests, of writes, of watches.",
              {"rolling", "recreation"}, {"revoked_rights", "revoked_writes", "revoked_watches"}),
    simulated("admission", "Quota and webhooks deny writes for a while.", {"rolling", "recreation"},
              {"quota", "denied_writes", "throttle"}),
    limited(sized(simulated("outage", "A hub that was down while 50,000 things changed is right again soon.",
                            {"rolling", "scaling", "node_loss"}, {"outage"}),
                  2'000, 2'500, 24),
            1'000),
    simulated("webhook", "What the hub stores isn't what was sent: the accepted form is left alone.",
              {"rolling", "recreation"}, {"mutated_exports"}),
  };
}

std::vector<scenario> make_table() {
  auto table = single_storms();
  for (const auto& more : {mixed_storms(), repairs()})
    table.insert(table.end(), more.begin(), more.end());
  return table;
}

} // namespace

std::span<const scenario> scenarios() {
  static const std::vector<scenario> table = make_table();
  return table;
}

const scenario* find_scenario(std::string_view name) {
  const auto all = scenarios();
  const auto found = std::find_if(all.begin(), all.end(), [&](const auto& x) { return x.name == name; });
  return found == all.end() ? nullptr : &*found;
}

} // namespace sliceferry::storm
