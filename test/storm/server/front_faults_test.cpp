#include "test/storm/server/front_test_rig.hpp"

#include <algorithm>

namespace sliceferry::storm {
namespace {

using ending = front_test_client::ending;

std::string a_write() {
  return front_test_rig::annotation("x");
}

TEST(FrontFaults, RefuseRequestsOfTheFaultyUserOnly) {
  const front_test_rig rig;
  rig.make_slice("web-1");
  struct row {
    const char* kind;
    std::vector<int> statuses;
    const char* in_answer;
  };
  const row table[] = {
    {"expired_token", {401}, R"("reason":"Unauthorized")"},
    {"throttle", {429}, "\r\nRetry-After: 1\r\n"},
    {"html_errors", {404, 502}, "<html>"},
    {"errors_5xx", {500, 503, 504}, R"("kind":"Status")"},
    {"conflict_bursts", {409}, R"("reason":"Conflict")"},
    {"revoked_rights", {403}, "Forbidden"},
    {"revoked_writes", {403}, "Forbidden"},
    {"denied_writes", {403}, R"(admission webhook \"storm.example.com\" denied the request: frozen)"},
  };
  for (const auto& [kind, statuses, in_answer] : table) {
    SCOPED_TRACE(kind);
    rig.fault(kind);
    front_test_client client{rig.member()};
    const auto answer = client.call("PATCH", rig.slice, a_write());
    EXPECT_NE(std::find(statuses.begin(), statuses.end(), answer.status), statuses.end()) << answer.status;
    EXPECT_NE((answer.head + answer.body).find(in_answer), std::string::npos) << answer.head << answer.body;
    EXPECT_EQ(client.call("PATCH", rig.slice, a_write(), "storm").status, 200);
    EXPECT_EQ(front_test_client{rig.hub()}.call("GET", "/api/v1/namespaces/shop").status, 200);
    rig.clear();
    EXPECT_EQ(client.call("PATCH", rig.slice, a_write()).status, 200);
  }
}

TEST(FrontFaults, AQuotaRefusesCreatesAlone) {
  const front_test_rig rig;
  rig.make_slice("web-1");
  rig.fault("quota");
  front_test_client client{rig.member()};
  const auto refused = client.call("POST", rig.slices, front_test_rig::new_slice("web-2"));
  EXPECT_EQ(refused.status, 403);
  EXPECT_NE(refused.body.find("exceeded quota"), std::string::npos) << refused.body;
  EXPECT_EQ(client.call("PATCH", rig.slice, a_write()).status, 200);
}

TEST(FrontFaults, ListsLackObjectsForAWhile) {
  const front_test_rig rig;
  rig.make_slice("web-1");
  front_test_client watcher{rig.member()};
  rig.watch(watcher);
  rig.fault("empty_lists");
  EXPECT_NE(watcher.read_end(), ending::silent);
  front_test_client client{rig.member()};
  EXPECT_NE(client.call("GET", rig.slices).body.find(R"("items":[])"), std::string::npos);
  EXPECT_NE(client.call("GET", rig.slices, {}, "storm").body.find("web-1"), std::string::npos);
  EXPECT_EQ(client.call("GET", rig.slice).status, 200);
  rig.clear();
  EXPECT_NE(client.call("GET", rig.slices).body.find("web-1"), std::string::npos);
}

TEST(FrontFaults, NobodyGoesOnFromBeforeListsLackedObjects) {
  const front_test_rig rig;
  rig.make_slice("web-1");
  front_test_client client{rig.member()};
  const auto list = boost::json::parse(client.call("GET", rig.slices).body);
  const std::string version{list.at("metadata").at("resourceVersion").as_string()};
  rig.fault("empty_lists");
  front_test_client late{rig.member()};
  late.ask("GET", rig.watch_slices + version);
  EXPECT_EQ(late.read_head().substr(0, 15), "HTTP/1.1 200 OK");
  EXPECT_NE(late.read_chunk().find("\"code\":410"), std::string::npos);
}

TEST(FrontFaults, RevokedWatchesAreCutAndRefusedAndWritesAreNot) {
  const front_test_rig rig;
  rig.make_slice("web-1");
  front_test_client watcher{rig.member()};
  rig.watch(watcher);
  rig.fault("revoked_watches");
  EXPECT_NE(watcher.read_end(), ending::silent);
  front_test_client client{rig.member()};
  EXPECT_EQ(client.call("GET", rig.slices).status, 403);
  EXPECT_EQ(client.call("GET", rig.watch_slices).status, 403);
  EXPECT_EQ(client.call("GET", rig.slice).status, 200);
  EXPECT_EQ(client.call("PATCH", rig.slice, a_write()).status, 200);
  rig.clear();
  EXPECT_EQ(client.call("GET", rig.slices).status, 200);
}

TEST(FrontFaults, AnEmptiedServerIsNewAndGetsItsNamespacesBack) {
  const front_test_rig rig;
  rig.make_slice("web-1");
  rig.fault("emptied", R"("amount_ms":60000)");
  front_test_client client{rig.member()};
  EXPECT_EQ(client.call("GET", "/api/v1/namespaces/shop").status, 404);
  EXPECT_EQ(client.call("GET", rig.slice).status, 404);
  rig.clear();
  EXPECT_EQ(client.call("GET", "/api/v1/namespaces/shop").status, 200);
  EXPECT_EQ(client.call("GET", rig.slice).status, 404);
}

TEST(FrontFaults, LeaveTheClusterAloneWhenTheyRefuse) {
  const front_test_rig rig;
  rig.make_slice("web-1");
  rig.fault("reset");
  front_test_client broken{rig.member()};
  broken.ask("PATCH", rig.slice, rig.annotation("never"));
  EXPECT_EQ(broken.read_end(), ending::reset);
  const auto now = front_test_client{rig.member()}.call("GET", rig.slice, {}, "storm");
  EXPECT_EQ(now.body.find("never"), std::string::npos);
  const auto lines = rig.history_until([](const auto& all) {
    return std::any_of(all.begin(), all.end(),
                       [](const auto& each) { return each.verb != "mark" && each.fault == "reset"; });
  });
  const auto noted = std::find_if(lines.begin(), lines.end(),
                                  [](const auto& each) { return each.fault == "reset" && each.verb != "mark"; });
  ASSERT_NE(noted, lines.end());
  EXPECT_EQ(noted->code, 0);
  EXPECT_EQ(noted->user, "sliceferry");
  EXPECT_EQ(noted->what, history_entry::change::none);
}

TEST(FrontFaults, CanLoseTheAnswerOfWhatWasDone) {
  const front_test_rig rig;
  rig.make_slice("web-1");
  rig.fault("lost_answers");
  front_test_client broken{rig.member()};
  broken.ask("PATCH", rig.slice, rig.annotation("kept"));
  EXPECT_EQ(broken.read_end(), ending::reset);
  EXPECT_EQ(broken.unread(), "");
  const auto now = front_test_client{rig.member()}.call("GET", rig.slice, {}, "storm");
  EXPECT_NE(now.body.find("kept"), std::string::npos);
  const auto is_it = [](const history_entry& each) { return each.fault == "lost_answers" && each.verb == "patch"; };
  const auto lines = rig.history_until([&](const auto& all) { return std::any_of(all.begin(), all.end(), is_it); });
  const auto entry = std::find_if(lines.begin(), lines.end(), is_it);
  ASSERT_NE(entry, lines.end());
  EXPECT_EQ(entry->code, 200);
  EXPECT_EQ(entry->what, history_entry::change::modified);
}

TEST(FrontFaults, LatencyHoldsTheAnswerBack) {
  const front_test_rig rig;
  rig.make_slice("web-1");
  rig.fault("latency", R"("lasts_ms":60000,"amount_ms":200)");
  front_test_client client{rig.member()};
  const auto asked = std::chrono::steady_clock::now();
  client.send(front_test_client::request("GET", rig.slice) + front_test_client::request("GET", rig.slice));
  EXPECT_EQ(client.read_answer().status, 200);
  EXPECT_GE(std::chrono::steady_clock::now() - asked, std::chrono::milliseconds{100});
  EXPECT_EQ(client.read_answer().status, 200);
  EXPECT_GE(std::chrono::steady_clock::now() - asked, std::chrono::milliseconds{200});
}

TEST(FrontFaults, OneByteChunksComeInManyPackets) {
  const front_test_rig rig;
  rig.make_slice("web-1");
  front_test_client client{rig.member()};
  const auto whole = client.call("GET", rig.slice);
  EXPECT_LE(client.packets(), 1U);
  rig.fault("one_byte_chunks");
  const auto pieces = client.call("GET", rig.slice);
  EXPECT_EQ(pieces.body, whole.body);
  EXPECT_GE(client.packets(), 8U);
}

TEST(FrontFaults, GzipComesUnasked) {
  const front_test_rig rig;
  rig.make_slice("web-1");
  rig.fault("gzip");
  const auto answer = front_test_client{rig.member()}.call("GET", rig.slice);
  EXPECT_NE(answer.head.find("\r\nContent-Encoding: gzip\r\n"), std::string::npos);
  EXPECT_TRUE(answer.body.starts_with("\x1f\x8b")) << answer.body;
}

TEST(FrontFaults, ChangeTheLinesOfWatches) {
  struct row {
    const char* kind;
    std::vector<std::size_t> sizes; ///< of the chunks; 0: the whole line's
    ending then;
  };
  const row table[] = {
    {"blank_lines", {1, 0}, ending::open},
    {"one_byte_chunks", {1, 1, 1, 1}, ending::open},
    {"truncated_lines", {}, ending::closed},
    {"huge_lines", {0}, ending::open},
  };
  for (const auto& [kind, sizes, then] : table) {
    SCOPED_TRACE(kind);
    const front_test_rig rig;
    front_test_client healthy{rig.member()};
    rig.watch(healthy, "storm");
    front_test_client watcher{rig.member()};
    rig.watch(watcher);
    rig.fault(kind);
    rig.make_slice("web-1");
    const std::string line = healthy.read_chunk();
    ASSERT_TRUE(line.ends_with("}}\n")) << line;
    for (const std::size_t size : sizes)
      EXPECT_EQ(watcher.read_chunk().size(), size == 0 ? line.size() : size);
    if (then == ending::closed) {
      const std::string half = watcher.read_chunk();
      EXPECT_EQ(half, line.substr(0, line.size() / 2));
      EXPECT_EQ(watcher.read_end(), then);
      EXPECT_EQ(watcher.unread(), "");
    }
    if (std::string_view{kind} == "huge_lines") {
      const std::string again = watcher.read_chunk();
      EXPECT_GT(again.size(), 1'500'000U);
      EXPECT_TRUE(again.starts_with(line.substr(0, line.size() - 3)));
      boost::system::error_code bad;
      boost::json::parse(again, bad);
      EXPECT_FALSE(bad);
    }
  }
}

} // namespace
} // namespace sliceferry::storm
