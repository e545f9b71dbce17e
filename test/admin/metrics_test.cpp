#include "actors/admin/metrics.hpp"

#include "actors/admin/heartbeat.hpp"
#include "actors/admin/probes.hpp"
#include "actors/admin/process_figures.hpp"
#include "actors/admin/readiness.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <sstream>
#include <thread>
#include <vector>

namespace sliceferry {
namespace {

using namespace std::chrono_literals;

bool has_line(const std::string& text, const std::string& wanted) {
  std::istringstream lines{text};
  for (std::string line; std::getline(lines, line);)
    if (line == wanted)
      return true;
  return false;
}

struct told_row {
  const char* name;
  std::function<void(metrics&)> act;
  std::vector<std::string> lines;
};

const told_row told_table[] = {
  {"the build", [](metrics&) {}, {"sliceferry_build_info{version=\"1.2.3\"} 1"}},
  {"exports by state, replaced",
   [](metrics& x) {
     x.exports("m1", {1, 1, 1, 1, 1});
     x.exports("m1", {.exported = 5, .owed = 4, .withdrawing = 3, .refused = 2, .ignored = 0});
   },
   {"sliceferry_exports{member=\"m1\",state=\"exported\"} 5", "sliceferry_exports{member=\"m1\",state=\"owed\"} 4",
    "sliceferry_exports{member=\"m1\",state=\"withdrawing\"} 3",
    "sliceferry_exports{member=\"m1\",state=\"refused\"} 2", "sliceferry_exports{member=\"m1\",state=\"ignored\"} 0"}},
  {"exporters",
   [](metrics& x) { x.exporters("m1", 2, 98, 40); },
   {"sliceferry_exporters{member=\"m1\",state=\"awake\"} 2", "sliceferry_exporters{member=\"m1\",state=\"dormant\"} 98",
    "sliceferry_slices_waiting{member=\"m1\"} 40"}},
  {"figures looked up at the scrape",
   [](metrics& x) {
     x.sample([] {
       return std::vector<sampled_figure>{{"some_total", "Some.", true, 3}, {"some_state", "How.", false, 0.5}};
     });
   },
   {"# TYPE some_total counter", "some_total 3", "# HELP some_state How.", "# TYPE some_state gauge",
    "some_state 0.5"}},
  {"no propagation yet", [](metrics&) {}, {"sliceferry_propagation_duration_seconds_count 0"}},
  {"propagation",
   [](metrics& x) {
     x.propagated(300us);
     x.propagated(2s);
   },
   {"sliceferry_propagation_duration_seconds_count 2",
    "sliceferry_propagation_duration_seconds_bucket{le=\"0.00025\"} 0",
    "sliceferry_propagation_duration_seconds_bucket{le=\"0.0005\"} 1",
    "sliceferry_propagation_duration_seconds_bucket{le=\"60\"} 2"}},
  {"facts, commands and outcomes",
   [](metrics& x) {
     x.told(name_chosen{"n"});
     x.told(name_chosen{"n"});
     x.commanded(withdraw_export{});
     x.ended("apply", verdict::too_late);
   },
   {"sliceferry_events_total{event=\"name chosen\"} 2", "sliceferry_commands_total{command=\"withdraw\"} 1",
    "sliceferry_outcomes_total{command=\"apply\",verdict=\"too_late\"} 1"}},
  {"writes refused, by what is to blame",
   [](metrics& x) {
     x.refused("hub", errc::quota);
     x.refused("hub", errc::quota);
     x.refused("m1", errc::forbidden);
     x.refused("hub", errc::invalid);
     x.refused("hub", errc::already_exists);
   },
   {"sliceferry_writes_refused_total{reason=\"quota\",server=\"hub\"} 2",
    "sliceferry_writes_refused_total{reason=\"forbidden\",server=\"m1\"} 1",
    "sliceferry_writes_refused_total{reason=\"invalid\",server=\"hub\"} 2"}},
  {"a queue",
   [](metrics& x) { x.queue("hub", {.depth = 7, .in_flight = 3, .parked = 1, .oldest = 1500ms}); },
   {"sliceferry_queue_depth{writer=\"hub\"} 7", "sliceferry_queue_in_flight{writer=\"hub\"} 3",
    "sliceferry_queue_parked{writer=\"hub\"} 1", "sliceferry_queue_oldest_seconds{writer=\"hub\"} 1.5"}},
  {"waits for the limiter",
   [](metrics& x) {
     x.limiter_waited("hub", 2, 250ms);
     x.limiter_waited("hub", 1, 250ms);
   },
   {"sliceferry_limiter_waits_total{writer=\"hub\"} 3", "sliceferry_limiter_wait_seconds_total{writer=\"hub\"} 0.5"}},
  {"requests, also such as got no answer",
   [](metrics& x) {
     x.request_done("hub", "POST", 201, 2ms);
     x.request_done("hub", "POST", 0, 40s);
   },
   {"sliceferry_requests_total{code=\"201\",server=\"hub\",verb=\"POST\"} 1",
    "sliceferry_requests_total{code=\"none\",server=\"hub\",verb=\"POST\"} 1",
    "sliceferry_request_duration_seconds_count{server=\"hub\",verb=\"POST\"} 2",
    "sliceferry_request_duration_seconds_bucket{server=\"hub\",verb=\"POST\",le=\"30\"} 1"}},
  {"watches",
   [](metrics& x) { x.watch_restarted("m1", "endpointslices", "expired"); },
   {"sliceferry_watch_restarts_total{collection=\"endpointslices\",member=\"m1\",reason=\"expired\"} 1"}},
  {"objects that don't decode",
   [](metrics& x) { x.malformed("serviceexports", 3); },
   {"sliceferry_malformed_objects_total{collection=\"serviceexports\"} 3"}},
};

TEST(Metrics, ShowWhatWasTold) {
  for (const auto& [name, act, lines] : told_table) {
    SCOPED_TRACE(name);
    metrics figures{"1.2.3"};
    act(figures);
    const std::string text = figures.text();
    for (const auto& line : lines)
      EXPECT_TRUE(has_line(text, line)) << line << " in\n" << text;
  }
}

TEST(Metrics, CountExactlyFromManyThreads) {
  metrics figures{"1"};
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&, server = "m" + std::to_string(i % 2)] {
      for (int n = 0; n < 1000; ++n)
        figures.request_done(server, "PATCH", 200, 1ms);
      EXPECT_FALSE(figures.text().empty());
    });
  for (auto& each : threads)
    each.join();
  for (const char* server : {"m0", "m1"})
    EXPECT_TRUE(has_line(figures.text(), std::string{"sliceferry_requests_total{code=\"200\",server=\""} + server +
                                           "\",verb=\"PATCH\"} 2000"));
}

TEST(Metrics, ReadTheProcessOnEachScrape) {
  const process_figures now = read_process_figures();
  EXPECT_GT(now.start_seconds, 1.6e9);
  EXPECT_GT(now.resident_bytes, 1U << 20);
  EXPECT_GE(now.virtual_bytes, now.resident_bytes);
  EXPECT_GE(now.threads, 1U);
  EXPECT_GE(now.open_files, 3U);
  EXPECT_GE(now.open_files_max, now.open_files);
  const std::string text = metrics{"1"}.text();
  for (const char* name : {"process_cpu_seconds_total", "process_resident_memory_bytes", "process_open_fds",
                           "process_max_fds", "process_start_time_seconds", "process_threads"})
    EXPECT_NE(text.find(std::string{"\n"} + name + ' '), std::string::npos) << name;
}

TEST(ProcessStat, SurvivesAnyNameOfTheProgram) {
  const std::string rest = " S 1 2 3 4 5 6 7 8 9 10 140 25 0 0 20 0 7 0 5000 123456 789 18446744073709551615";
  const process_stat wanted{140, 25, 7, 5000, 123456, 789};
  EXPECT_EQ(parse_process_stat("42 (sliceferry)" + rest), wanted);
  EXPECT_EQ(parse_process_stat("42 (a) b (c)" + rest), wanted);
  EXPECT_EQ(parse_process_stat("42 (sliceferry) S 1 2"), std::nullopt);
  EXPECT_EQ(parse_process_stat(""), std::nullopt);
}

TEST(Probes, SayWhatTheyAreAskedFor) {
  readiness board{{"m1"}};
  const metrics figures{"1"};
  heartbeat pulse;
  const admin_routes routes = make_probes(board, figures, pulse);
  const auto now = std::chrono::steady_clock::now();
  pulse.beat("i/o loop", now);
  EXPECT_EQ(routes.at("/livez")().status, 200U);
  pulse.beat("actor scheduler", now - heartbeat::silence_max - std::chrono::seconds(1));
  EXPECT_EQ(routes.at("/livez")().status, 503U);
  EXPECT_NE(routes.at("/livez")().body.find("actor scheduler"), std::string::npos);
  EXPECT_EQ(routes.at("/livez")().body.find("i/o loop"), std::string::npos);
  EXPECT_EQ(routes.at("/readyz")().status, 503U);
  EXPECT_NE(routes.at("/readyz")().body.find("[-]hub exports of m1"), std::string::npos);
  for (const input which : {input::endpointslices, input::serviceexports, input::hub_exports})
    board.set("m1", which, sync_state::synced);
  EXPECT_EQ(routes.at("/readyz")().status, 200U);
  EXPECT_EQ(routes.at("/metrics")().content_type, "text/plain; version=0.0.4; charset=utf-8");
  EXPECT_NE(routes.at("/metrics")().body.find("# HELP sliceferry_build_info "), std::string::npos);
  EXPECT_EQ(routes.at("/healthz")().status, 503U) << "as /livez";
  for (const char* page : {"/livez", "/healthz", "/readyz", "/metrics", "/explain/", "/guard", "/leave/", "/memories"})
    EXPECT_NE(routes.at("/")().body.find(page), std::string::npos) << page;
}

} // namespace
} // namespace sliceferry
