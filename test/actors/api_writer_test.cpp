#include "test/actors/mirror_world.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <utility>

namespace sliceferry {
namespace {

using namespace std::chrono_literals;
using calls = std::vector<std::string>;

/// Where the answers of a writer arrive when the test itself does the asking.
class answer_box : public caf::event_based_actor {
public:
  answer_box(caf::actor_config& config, std::vector<write_answer>& got) : caf::event_based_actor(config), got_(got) {}

  caf::behavior make_behavior() override {
    return {[this](const write_answer& answer) { got_.push_back(answer); }};
  }

private:
  std::vector<write_answer>& got_;
};

/// Asks a writer to drain and notes its answer.
class drainer : public caf::event_based_actor {
public:
  drainer(caf::actor_config& config, caf::actor writer, bool& drained_now)
    : caf::event_based_actor(config), writer_(std::move(writer)), done_(drained_now) {}

  caf::behavior make_behavior() override {
    ask(this, writer_, drain_request{}).then([this](const drained&) { done_ = true; });
    return {[](const moment_due&) {}};
  }

private:
  caf::actor writer_;
  bool& done_;
};

core::write_limits one_at_a_time() {
  core::write_limits limits;
  limits.concurrency = 1;
  return limits;
}

/// A hub writer with one place in flight, and the test as its only exporter.
struct lone_writer {
  explicit lone_writer(core::write_limits limits = one_at_a_time()) : world(clusters, echo::withheld, limits) {
    box = world.stage.spawn<answer_box>(std::ref(answers));
  }

  void submit(const std::string& uid, std::uint64_t ticket, const std::string& name,
              std::optional<std::uint64_t> replaces = {}) {
    auto spec = std::make_shared<slice_export_spec>();
    spec->reference.uid = uid;
    apply_export what{name, std::nullopt, std::move(spec), ticket};
    tell_from_thread(world.hub_writer, submission{"m1", uid, ticket, replaces, std::move(what), box});
    world.stage.run();
  }
  void take_back(const std::string& uid, std::uint64_t ticket) {
    tell_from_thread(world.hub_writer, take_back_request{"m1", uid, ticket, box});
    world.stage.run();
  }
  /// The answers so far, as `uid/ticket verdict` each.
  std::vector<std::string> take_answers() {
    std::vector<std::string> out;
    for (const auto& each : std::exchange(answers, {}))
      out.push_back(each.slice_uid + '/' + std::to_string(each.ticket) + ' ' + std::string(to_string(each.how)));
    return out;
  }

  fake_fleet clusters;
  std::vector<write_answer> answers;
  mirror_world world;
  caf::actor box;
};

std::string told(const std::string& who, verdict how) {
  return who + ' ' + std::string(to_string(how));
}

TEST(ApiWriter, TakesBackWhatHasNotLeft) {
  lone_writer here;
  here.world.shut("hub");
  here.submit("a", 1, "export-a");
  here.submit("b", 1, "export-b");
  here.take_back("b", 1);
  EXPECT_EQ(here.take_answers(), (calls{told("b/1", verdict::taken_back)}));
  here.take_back("a", 1);
  EXPECT_EQ(here.take_answers(), (calls{told("a/1", verdict::too_late)}));
  here.world.open("hub");
  EXPECT_TRUE(here.world.finish());
  EXPECT_EQ(here.take_answers(), (calls{told("a/1", verdict::done)}));
  EXPECT_EQ(here.clusters.exports("m1").size(), 1U);
  here.take_back("a", 1);
  EXPECT_EQ(here.take_answers(), (calls{told("a/1", verdict::too_late)}));
}

TEST(ApiWriter, ReplacesWhatHasNotLeft) {
  lone_writer here;
  here.world.shut("hub");
  here.submit("a", 1, "export-a");
  here.submit("b", 1, "export-b");
  here.submit("b", 2, "export-b", 1);
  EXPECT_EQ(here.take_answers(), (calls{told("b/1", verdict::superseded)}));
  here.submit("a", 2, "export-a", 1);
  EXPECT_EQ(here.take_answers(), (calls{told("a/2", verdict::too_late)}));
  here.world.open("hub");
  EXPECT_TRUE(here.world.finish());
  EXPECT_EQ(here.take_answers(), (calls{told("a/1", verdict::done), told("b/2", verdict::done)}));
  EXPECT_EQ(here.world.take_calls().size(), 2U);
}

TEST(ApiWriter, SendsNothingOfAnExporterThatIsNoMore) {
  lone_writer here;
  here.world.shut("hub");
  here.submit("a", 1, "export-a");
  here.submit("b", 1, "export-b");
  here.submit("c", 1, "export-c");
  for (const char* uid : {"a", "b"})
    tell_from_thread(here.world.hub_writer, forget_request{"m1", uid});
  here.world.sabotage = [](std::size_t call) {
    return call == 1 ? std::optional(fault{false, k8s::http_response{503, {}, ""}}) : std::nullopt;
  };
  here.world.open("hub");
  EXPECT_TRUE(here.world.finish());
  EXPECT_EQ(here.world.take_calls(), (calls(2, "hub POST endpointsliceexports"))) << "of a, which had left, and of c";
  EXPECT_EQ(here.take_answers(), (calls{told("a/1", verdict::taken_back), told("c/1", verdict::done)}));
  EXPECT_EQ(here.clusters.exports("m1").size(), 1U);
  EXPECT_EQ(here.world.figure("sliceferry_outcomes_total{command=\"apply\",verdict=\"taken_back\"}"), 2);
}

TEST(ApiWriter, SaysWhetherItPutRightWhatSomebodyHadUndone) {
  for (const bool repairs : {false, true})
    for (const bool succeeds : {false, true}) {
      lone_writer here;
      here.world.sabotage = [&](std::size_t) {
        return succeeds ? std::nullopt : std::optional(fault{false, k8s::http_response{422, {}, ""}});
      };
      auto spec = std::make_shared<slice_export_spec>();
      spec->reference.uid = "a";
      apply_export what{"export-a", std::nullopt, std::move(spec), 1};
      what.repair = repairs;
      tell_from_thread(here.world.hub_writer, submission{"m1", "a", 1, {}, std::move(what), here.box});
      EXPECT_TRUE(here.world.finish());
      ASSERT_EQ(here.answers.size(), 1U);
      EXPECT_EQ(here.answers[0].repaired, repairs && succeeds);
    }
}

TEST(ApiWriter, ReadsWhatItsWriteMet) {
  lone_writer here;
  here.clusters.put_export("m1", "export-a", "web-9", "uid-9");
  here.submit("a", 1, "export-a");
  EXPECT_TRUE(here.world.finish());
  ASSERT_EQ(here.answers.size(), 1U);
  EXPECT_EQ(here.answers[0].how, verdict::already_exists);
  EXPECT_TRUE(here.answers[0].read);
  EXPECT_EQ(here.answers[0].exported.value().spec.reference.uid, "uid-9") << "whose it is, is not the writer's to say";
}

TEST(ApiWriter, EndsWhatIsInFlightAndStartsNothingNew) {
  lone_writer here;
  here.world.shut("hub");
  here.submit("a", 1, "export-a");
  here.submit("b", 1, "export-b");
  bool done = false;
  here.world.stage.spawn<drainer>(here.world.hub_writer, std::ref(done));
  here.world.settle();
  here.submit("c", 1, "export-c");
  EXPECT_FALSE(done);
  here.world.open("hub");
  EXPECT_TRUE(here.world.finish());
  EXPECT_TRUE(done);
  EXPECT_EQ(here.take_answers(), (calls{told("a/1", verdict::done)}));
  EXPECT_EQ(here.world.take_calls().size(), 1U);
}

TEST(ApiWriter, DrainsAtOnceWhenNothingIsInFlight) {
  lone_writer here;
  bool done = false;
  here.world.stage.spawn<drainer>(here.world.hub_writer, std::ref(done));
  here.world.settle();
  EXPECT_TRUE(done);
}

/// Each way in which a write in flight may end leaves the drain nothing to wait for.
TEST(ApiWriter, DrainsWhateverBecomesOfWhatIsInFlight) {
  const failure reset{errc::ambiguous, "connection reset", {}, 0};
  const k8s::result<k8s::http_response> ends[] = {
    k8s::http_response{503, {}, ""},
    k8s::http_response{429, 1s, ""},
    k8s::http_response{422, {}, ""},
    k8s::http_response{409, {}, status_body(409, "Conflict", "")},
    reset,
  };
  for (const auto& end : ends) {
    SCOPED_TRACE(end ? std::to_string(end->status) : "reset");
    for (const bool read_fails : {false, true}) {
      lone_writer here;
      here.world.sabotage = [&](std::size_t call) -> std::optional<fault> {
        return call == 1 || (call == 2 && read_fails) ? std::optional(fault{false, end}) : std::nullopt;
      };
      here.world.shut("hub");
      here.submit("a", 1, "export-a");
      bool done = false;
      here.world.stage.spawn<drainer>(here.world.hub_writer, std::ref(done));
      here.world.settle();
      EXPECT_FALSE(done);
      here.world.open("hub");
      EXPECT_TRUE(here.world.finish());
      EXPECT_TRUE(done);
      EXPECT_LE(here.world.take_calls().size(), 2U);
    }
  }
}

TEST(ApiWriter, TellsReadinessOfAMissingHubNamespaceUntilItIsThere) {
  fake_fleet clusters;
  clusters.hub.remove_nspace("fleet-m1");
  clusters.put_slice("m1", "web-1", "10.0.0.1");
  clusters.grant("m1");
  mirror_world world(clusters);
  world.sync();
  world.pass(5s);
  EXPECT_NE(world.board.tell().lines.find("hub namespace fleet-m1"), std::string::npos) << world.board.tell().lines;
  clusters.hub.add_nspace("fleet-m1");
  EXPECT_TRUE(world.finish());
  EXPECT_EQ(clusters.difference(), "");
  EXPECT_EQ(world.board.tell().lines.find("hub namespace fleet-m1"), std::string::npos) << world.board.tell().lines;
}

TEST(ApiWriter, TellsReadinessOfNothingThatNobodyWaitsFor) {
  fake_fleet clusters;
  clusters.hub.remove_nspace("fleet-m1");
  clusters.put_slice("m1", "web-1", "10.0.0.1");
  clusters.grant("m1");
  mirror_world world(clusters);
  world.sync();
  world.pass(5s);
  clusters.revoke("m1");
  EXPECT_TRUE(world.finish());
  EXPECT_EQ(clusters.difference(), "");
  EXPECT_EQ(world.board.tell().lines.find("hub namespace fleet-m1"), std::string::npos) << world.board.tell().lines;
}

TEST(ApiWriter, TellsReadinessOfMissingRightsUntilAWriteGoesThrough) {
  fake_fleet clusters;
  clusters.put_slice("m1", "web-1", "10.0.0.1");
  clusters.grant("m1");
  mirror_world world(clusters);
  bool allowed = false;
  world.sabotage = [&](std::size_t) -> std::optional<fault> {
    const bool to_the_hub = world.requests.back().method == k8s::http_method::post;
    if (allowed || !to_the_hub)
      return std::nullopt;
    return fault{false,
                 k8s::http_response{403, {}, status_body(403, "Forbidden", "no create on endpointsliceexports")}};
  };
  world.sync();
  world.pass(5s);
  EXPECT_NE(world.board.tell().lines.find("right to apply for m1 on hub"), std::string::npos)
    << world.board.tell().lines;
  EXPECT_LE(world.take_calls().size(), 5U) << "tried after 1 s, 2 s, 4 s…, not in a loop";
  allowed = true;
  EXPECT_TRUE(world.finish());
  EXPECT_EQ(clusters.difference(), "");
  EXPECT_EQ(world.board.tell().lines.find("right to apply for m1 on hub"), std::string::npos)
    << world.board.tell().lines;
}

TEST(ApiWriter, SendsOneProbeAtATimeToAServerThatIsAway) {
  fake_fleet clusters;
  clusters.grant("m1");
  for (int i = 0; i < 50; ++i)
    clusters.put_slice("m1", "web-" + std::to_string(i), "10.0.0.1");
  mirror_world world(clusters);
  bool away = true;
  world.sabotage = [&](std::size_t) -> std::optional<fault> {
    const bool to_the_hub = world.requests.back().target.find("endpointsliceexports") != std::string::npos;
    if (!away || !to_the_hub)
      return std::nullopt;
    return fault{false, k8s::result<k8s::http_response>(failure{errc::unavailable, "connection refused", {}, 0})};
  };
  world.sync();
  world.pass(1ms);
  world.take_calls();
  world.pass(60s);
  EXPECT_LE(world.take_calls().size(), 60U * 5U / 16U + 3U);
  EXPECT_NE(world.board.tell().lines.find("writes to hub"), std::string::npos) << world.board.tell().lines;
  away = false;
  EXPECT_TRUE(world.finish(5s)) << "all go on as soon as it is back";
  EXPECT_EQ(clusters.difference(), "");
  EXPECT_EQ(world.board.tell().lines.find("writes to hub"), std::string::npos) << world.board.tell().lines;
}

} // namespace
} // namespace sliceferry
