#include "test/storm/oracle/audit_line.hpp"
#include "test/storm/oracle/syntax.hpp"
#include "test/storm/oracle/toy_script.hpp"

#include <gtest/gtest.h>

namespace sliceferry::storm {
namespace {

using namespace std::chrono_literals;

oracle_options tight() {
  auto out = toy_world::options();
  out.hub = {10, 20};
  out.members[0].rate = {10, 5};
  out.in_flight = 4;
  return out;
}

std::uint64_t excess(const toy_world& world) {
  const auto counts = world.judge.counts();
  const auto found = counts.find("limit");
  return found == counts.end() ? 0 : found->second;
}

void get(toy_world& world, int times, const toy_world::place& where = export_place("n1")) {
  while (times-- > 0)
    world.get(program, where);
}

TEST(Limit, AllowsTheBurstAndWhatIsOnTheWay) {
  toy_world world{tight()};
  get(world, 24);
  EXPECT_EQ(excess(world), 0U);
  get(world, 1);
  EXPECT_EQ(excess(world), 1U);
  get(world, 9, slice_place("a"));
  EXPECT_EQ(excess(world), 1U);
  get(world, 1, slice_place("a"));
  EXPECT_EQ(excess(world), 2U);
}

TEST(Limit, RefillsWithTimeAndWithANewProcess) {
  toy_world world{tight()};
  get(world, 24);
  world.pass(500ms);
  get(world, 5);
  EXPECT_EQ(excess(world), 0U);
  get(world, 1);
  EXPECT_EQ(excess(world), 1U);
  world.judge.program_started(world.now);
  get(world, 24);
  EXPECT_EQ(excess(world), 1U);
  world.pass(1h);
  get(world, 25);
  EXPECT_EQ(excess(world), 2U) << "no more than a full bucket is saved up";
}

TEST(Limit, CountsFaultsAndNeitherLeasesNorOthers) {
  toy_world world{tight()};
  get(world, 24);
  get(world, 99, {"hub", "leases", "fleet-member-m1", "l"});
  for (int i = 0; i < 99; ++i)
    world.get("admin", export_place("n1"));
  EXPECT_EQ(excess(world), 0U);
  world.fault = "unavailable";
  get(world, 1);
  EXPECT_EQ(excess(world), 1U);
}

TEST(Starved, IsWhatIsOwedForTooLongWithoutProgress) {
  const auto starved = [](bool serves, bool stopped, std::chrono::milliseconds starve) {
    auto options = toy_world::options();
    options.starve = starve;
    toy_world world{options};
    export_one(world);
    if (stopped)
      world.judge.program_stopped(world.now);
    for (int i = 0; i < 30; ++i) {
      move_endpoint(world, "a", "10.0.1." + std::to_string(i));
      annotate(world, "a", "n1");
      move_endpoint(world, "a", "10.0.2." + std::to_string(i));
      if (serves)
        patch_export(world, "a", "n1");
      world.pass(1s);
    }
    return world.judge.counts().count("starved");
  };
  EXPECT_EQ(starved(true, false, 10s), 0U);
  EXPECT_EQ(starved(false, false, 10s), 1U);
  EXPECT_EQ(starved(false, false, 0s), 0U) << "the rule is off";
  EXPECT_EQ(starved(false, true, 10s), 0U);
}

TEST(Figures, TellHowLongAChangeTook) {
  toy_world world;
  set_consent(world, "web", true);
  world.create("kube", slice_place("a"), make_toy_slice("web"));
  EXPECT_EQ(world.judge.figures().backlog, 1U);
  world.pass(100ms);
  annotate(world, "a", "n1");
  create_export(world, "a", "n1");
  EXPECT_EQ(world.judge.figures().propagation.max, 100ms);
  move_endpoint(world, "a", "10.0.0.8");
  world.pass(200ms);
  move_endpoint(world, "a", "10.0.0.9");
  world.pass(50ms);
  annotate(world, "a", "n1");
  patch_export(world, "a", "n1");
  const auto found = world.judge.figures();
  EXPECT_EQ(found.backlog, 0U);
  EXPECT_EQ(found.propagation.count, 3U);
  EXPECT_EQ(found.propagation.max, 250ms);
  EXPECT_EQ(found.propagation_lately.p50, 100ms);
  EXPECT_GE(found.propagation.p50, 100ms);
  EXPECT_LE(found.propagation.p50, 110ms);
  EXPECT_EQ(found.program_writes.at({"m1", "patch"}), 2U);
  EXPECT_EQ(found.program_writes.at({"hub", "create"}), 1U);
  EXPECT_EQ(found.member_changes, 4U);
}

/// A call counts two accepted writes: of the annotations and of the export.
TEST(Figures, CountWhatTheHubCameToHaveToHoldAndTheWritesForIt) {
  toy_world world;
  const auto figures = [&] {
    const auto told = world.judge.figures();
    return std::pair{told.called_changes, told.accepted_writes};
  };
  const auto counted = [](std::uint64_t changes, std::uint64_t writes) { return std::pair{changes, writes}; };
  export_one(world);
  EXPECT_EQ(figures(), counted(1, 2)) << "a first export";
  move_endpoint(world, "a", "10.0.0.9");
  annotate(world, "a", "n1"), patch_export(world, "a", "n1");
  EXPECT_EQ(figures(), counted(2, 4)) << "a change";
  world.change("admin", slice_place("a"),
               [](toy_object& any) { metadata_of(any)["annotations"].get_object()["x"] = 1; });
  EXPECT_EQ(figures(), counted(2, 4)) << "of nothing";
  world.change("admin", slice_place("a"), [](toy_object& any) { annotations_of(any).erase(toy_name); });
  annotate(world, "a", "n1");
  EXPECT_EQ(figures(), counted(3, 5)) << "a tampered slice";
  world.remove("admin", export_place("n1"));
  create_export(world, "a", "n1");
  EXPECT_EQ(figures(), counted(4, 6)) << "an export that somebody deleted";
  world.remove(program, export_place("n9"));
  EXPECT_EQ(figures(), counted(4, 6)) << "a write that was refused";
  world.pass(10s);
  set_consent(world, "web", false);
  withdraw(world), clear(world, "a");
  EXPECT_EQ(figures(), counted(5, 8)) << "a withdrawal";
}

/// The hub is away for so long while a slice changes; the program has it right some time after.
std::map<std::string, std::uint64_t> recover(std::chrono::milliseconds down, std::chrono::milliseconds late) {
  toy_world world;
  export_one(world);
  world.mark("hub", "stopped");
  move_endpoint(world, "a", "10.0.0.9");
  world.pass(down);
  world.mark("hub", "started");
  world.pass(late);
  annotate(world, "a", "n1"), patch_export(world, "a", "n1");
  world.pass(200ms);
  if (down >= 5s) {
    EXPECT_EQ(world.judge.figures().owed_after_outage, 1U);
    EXPECT_TRUE(world.judge.figures().recovered);
  }
  return world.judge.counts();
}

TEST(Recovery, TakesAsLongAsTheLimiterExplains) {
  EXPECT_TRUE(recover(10s, 4800ms).empty());
  EXPECT_TRUE(recover(10s, 5200ms).contains("slow recovery"));
  EXPECT_TRUE(recover(4s, 5200ms).empty()) << "too short an outage to be judged";
}

TEST(Contest, IsLostByOneWhoAnswersEachTime) {
  const auto fight = [](int rounds, int answered_each) {
    toy_world world;
    export_one(world);
    for (int i = 0; i < rounds; ++i) {
      world.pass(100ms);
      world.change("rival", export_place("n1"), [&](toy_object& any) {
        any["spec"].get_object()["ports"].get_array().at(0).get_object()["port"] = 1000 + i;
      });
      if (i % answered_each == 0)
        patch_export(world, "a", "n1");
    }
    return world.judge.counts();
  };
  EXPECT_TRUE(fight(30, 1).contains("contested"));
  EXPECT_TRUE(fight(15, 1).empty()) << "not for long enough";
  EXPECT_TRUE(fight(100, 3).empty()) << "ever less";
}

TEST(Oracle, CountsAllAndKeepsTheFirst) {
  toy_world world;
  export_one(world);
  for (int i = 0; i < 70; ++i)
    annotate(world, "a", "n1");
  EXPECT_EQ(world.judge.counts().at("needless write"), 70U);
  EXPECT_EQ(world.judge.violations().size(), 50U);
  const auto first = world.judge.violations().front();
  EXPECT_EQ(first.member, "m1");
  EXPECT_EQ(first.object, "shop/a");
}

TEST(Oracle, ForgetsWhatIsOver) {
  toy_world world;
  set_consent(world, "web", true);
  for (int i = 0; i < 100; ++i) {
    world.create("kube", slice_place("a"), make_toy_slice("web"));
    annotate(world, "a", "n" + std::to_string(i));
    create_export(world, "a", "n" + std::to_string(i));
    world.remove("kube", slice_place("a"));
    world.remove(program, export_place("n" + std::to_string(i)));
  }
  EXPECT_EQ(world.judge.figures().lives, 100U);
  world.pass(61s);
  EXPECT_EQ(world.judge.figures().lives, 0U);
  EXPECT_TRUE(world.judge.counts().empty());
}

TEST(Oracle, SaysWhatItCannotRead) {
  toy_world world;
  history_entry entry;
  entry.cluster = "m1";
  entry.resource = "endpointslices";
  entry.nspace = "shop";
  entry.name = "a";
  entry.user = "kube";
  entry.verb = "create";
  entry.what = history_entry::change::added;
  for (const char* text : {"", "{", "[]", "{}", R"({"metadata":{"uid":7}})"}) {
    entry.object = text;
    world.judge.observe(entry);
  }
  EXPECT_EQ(world.judge.figures().unreadable, 5U);
}

std::string audit(const std::string& verb, int code, const std::string& answered, const std::string& name = "n1") {
  return R"({"kind":"Event","apiVersion":"audit.k8s.io/v1","level":"RequestResponse","stage":"ResponseComplete","verb":")" +
         verb + R"(","user":{"username":"sliceferry"},"objectRef":{"resource":"endpointsliceexports","namespace":)" +
         R"("fleet-member-m1","name":")" + name + R"("},"responseStatus":{"code":)" + std::to_string(code) +
         R"(},"responseObject":)" + answered +
         R"(,"requestReceivedTimestamp":"2027-01-15T08:00:00.200000Z","stageTimestamp":"2027-01-15T08:00:00.250000Z"})";
}

TEST(AuditLine, BecomesAnEntry) {
  using change = history_entry::change;
  const std::string object = R"({"kind":"EndpointSliceExport","metadata":{"name":"n1","uid":"u"}})";
  const std::string held =
    R"({"metadata":{"uid":"u","deletionTimestamp":"2027-01-15T08:00:00Z","finalizers":["x/y"]}})";
  const std::string ended = R"({"metadata":{"uid":"u","deletionTimestamp":"2027-01-15T08:00:00Z","finalizers":[]}})";
  const std::string status = R"({"kind":"Status","metadata":{},"status":"Success"})";
  struct row {
    const char* verb;
    int code;
    std::string answered;
    change what;
    bool has_object;
  };
  for (const auto& [verb, code, answered, what, has_object] : std::vector<row>{
         {"create", 201, object, change::added, true},
         {"patch", 200, object, change::modified, true},
         {"update", 200, ended, change::deleted, true},
         {"patch", 409, status, change::none, false},
         {"delete", 200, status, change::deleted, false},
         {"delete", 200, held, change::modified, true},
         {"get", 200, object, change::none, false},
       }) {
    SCOPED_TRACE(verb + answered);
    const auto found = read_audit_line(audit(verb, code, answered), "hub");
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].what, what);
    EXPECT_EQ(!found[0].object.empty(), has_object);
    EXPECT_EQ(found[0].verb, verb);
    EXPECT_EQ(found[0].code, code);
    EXPECT_EQ(found[0].cluster, "hub");
    EXPECT_EQ(found[0].user, "sliceferry");
    EXPECT_EQ(found[0].name, "n1");
    EXPECT_EQ(found[0].at, instant{1'800'000'000'250'000});
  }
  EXPECT_EQ(read_audit_line(audit("patch", 200, object), "m1").at(0).at, instant{1'800'000'000'200'000});
  EXPECT_EQ(read_audit_line(audit("create", 201, object, ""), "hub").at(0).name, "n1");
  EXPECT_EQ(
    read_audit_line(audit("deletecollection", 200, R"({"items":[)" + object + ',' + object + "]}"), "hub").size(), 2U);
  const std::string gone = R"({"kind":"Status","metadata":{},"status":"Success","details":{"name":"n1","uid":"u"}})";
  EXPECT_EQ(read_audit_line(audit("delete", 200, gone), "hub").at(0).uid, "u");
  EXPECT_TRUE(read_audit_line("{\"stage\":\"RequestReceived\"}", "hub").empty());
  EXPECT_TRUE(read_audit_line("{\"stage\":\"Respon", "hub").empty());
}

TEST(AuditLine, TellsANeedlessWriteByItsResourceVersion) {
  toy_world world;
  export_one(world);
  history_entry entry;
  for (auto each : world.log)
    if (each.resource == "endpointsliceexports")
      entry = each;
  entry.at = world.now;
  entry.verb = "patch";
  entry.what = history_entry::change::modified;
  world.judge.observe(entry);
  EXPECT_EQ(world.judge.counts().at("needless write"), 1U);
  entry.verb = "delete";
  entry.what = history_entry::change::deleted;
  entry.object.clear();
  world.judge.observe(entry);
  EXPECT_EQ(world.judge.differences().size(), 1U);
  EXPECT_EQ(world.judge.counts().at("unwarranted delete"), 1U);
}

TEST(Syntax, OfTimes) {
  EXPECT_EQ(read_time("1970-01-01T00:00:01Z"), 1s);
  EXPECT_EQ(read_time("1970-01-01T01:00:01.5+01:00"), 1500ms);
  for (const char* wrong : {"", "soon", "1970-01-01", "1970-01-01T00:00:01", "1970-02-30T00:00:01Z",
                            "1970-01-01T24:00:01Z", "1970-01-01T00:00:01Zz", "1970-01-01T00:00:01.Z"})
    EXPECT_FALSE(read_time(wrong)) << wrong;
}

TEST(Syntax, OfNames) {
  for (const char* right : {"a", "a-b.c", "0.9", "a--b"})
    EXPECT_TRUE(is_subdomain(right)) << right;
  for (const char* wrong : {"", "A", "-a", "a-", "a.-b", "a-.b", "a..b", ".a", "a.", "a_b"})
    EXPECT_FALSE(is_subdomain(wrong)) << wrong;
  EXPECT_TRUE(is_subdomain(std::string(253, 'a')));
  EXPECT_FALSE(is_subdomain(std::string(254, 'a')));
}

} // namespace
} // namespace sliceferry::storm
