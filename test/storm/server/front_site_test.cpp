#include "test/storm/server/front_site.hpp"

#include "test/storm/server/front_test_rig.hpp"

namespace sliceferry::storm {
namespace {

using ending = front_test_client::ending;

TEST(FrontSite, RestartsOnTheSamePort) {
  const front_test_rig rig;
  rig.make_slice("web-1");
  front_test_client idle{rig.member()};
  front_test_client watcher{rig.member()};
  EXPECT_EQ(idle.call("GET", rig.slice, {}, "storm").status, 200);
  rig.watch(watcher, "storm");
  rig.fault("server_restart", R"("amount_ms":300)");
  EXPECT_NE(idle.read_end(), ending::silent);
  EXPECT_NE(watcher.read_end(), ending::silent);
  EXPECT_FALSE(front_test_client{rig.member()}.is_connected());
  EXPECT_EQ(front_test_client{rig.hub()}.call("GET", "/api/v1/namespaces/shop").status, 200);
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds{20};
  while (!front_test_client{rig.member()}.is_connected() && std::chrono::steady_clock::now() < deadline)
    std::this_thread::yield();
  EXPECT_EQ(front_test_client{rig.member()}.call("GET", rig.slice).status, 200);
}

TEST(FrontSite, FallsSilentThenResets) {
  const front_test_rig rig;
  rig.make_slice("web-1");
  front_test_client before{rig.member()};
  front_test_client other{rig.member()};
  EXPECT_EQ(before.call("GET", rig.slice).status, 200);
  EXPECT_EQ(other.call("GET", rig.slice, {}, "storm").status, 200);
  rig.fault("half_open", R"("lasts_ms":300)");
  front_test_client during{rig.member()};
  before.ask("GET", rig.slice);
  during.ask("GET", rig.slice);
  EXPECT_EQ(other.call("GET", rig.slice, {}, "storm").status, 200);
  for (auto* each : {&before, &during}) {
    EXPECT_EQ(each->read_end(), ending::reset);
    EXPECT_EQ(each->unread(), "");
  }
  EXPECT_EQ(front_test_client{rig.member()}.call("GET", rig.slice).status, 200);
}

TEST(FrontSite, MutesWatchesThenCutsThem) {
  const front_test_rig rig;
  front_test_client before{rig.member()};
  rig.watch(before);
  rig.fault("mute_watches", R"("lasts_ms":300)");
  front_test_client during{rig.member()};
  rig.watch(during);
  front_test_client other{rig.member()};
  rig.watch(other, "storm");
  rig.make_slice("web-1");
  EXPECT_NE(other.read_chunk().find("web-1"), std::string::npos);
  for (auto* each : {&before, &during}) {
    EXPECT_EQ(each->read_end(), ending::reset);
    EXPECT_EQ(each->unread(), "");
  }
  EXPECT_EQ(other.ended(), ending::open);
}

TEST(FrontSite, CutsWatches) {
  const front_test_rig rig;
  front_test_client idle{rig.member()};
  idle.call("GET", rig.slice);
  front_test_client watcher{rig.member()};
  rig.watch(watcher);
  rig.fault("cut_watches", R"("seed":7)");
  const auto how = watcher.read_end();
  EXPECT_TRUE(how == ending::closed || how == ending::reset);
  EXPECT_EQ(watcher.unread(), "") << "not even a last chunk";
  EXPECT_EQ(idle.call("GET", rig.slice).status, 404) << "connections without a watch stay";
}

TEST(FrontSite, ExpiresWatches) {
  const front_test_rig rig;
  front_test_client watcher{rig.member()};
  rig.watch(watcher);
  rig.fault("expired_watches");
  EXPECT_NE(watcher.read_end(), ending::silent);
  const auto refused = front_test_client{rig.member()}.call("GET", rig.watch_slices);
  EXPECT_EQ(refused.status, 410);
  EXPECT_NE(refused.body.find(R"("reason":"Expired")"), std::string::npos);
  front_test_client other{rig.member()};
  rig.watch(other, "storm");
  rig.clear();
  front_test_client again{rig.member()};
  rig.watch(again);
}

TEST(FrontSite, RestoresItsBackup) {
  const front_test_rig rig;
  rig.make_slice("web-1");
  front_test_client watcher{rig.member()};
  rig.watch(watcher);
  rig.fault("restored_backup", R"("amount_ms":300)");
  EXPECT_EQ(rig.make_slice("web-2").status, 201);
  std::string line = watcher.read_chunk();
  while (!line.empty())
    line = watcher.read_chunk(); // until the restore ends the stream
  front_test_client after{rig.member()};
  EXPECT_EQ(after.call("GET", rig.slice).status, 200);
  EXPECT_EQ(after.call("GET", std::string{rig.slices} + "/web-2").status, 404);
}

TEST(FrontSite, LosesTheExportsKindForAWhile) {
  const front_test_rig rig;
  front_test_client client{rig.hub()};
  EXPECT_EQ(client.call("GET", rig.exports).status, 200);
  rig.fault("remove_crd", R"("lasts_ms":60000)", "hub");
  EXPECT_EQ(client.call("GET", rig.exports).status, 404);
  rig.clear();
  EXPECT_EQ(client.call("GET", rig.exports).status, 200);
}

} // namespace
} // namespace sliceferry::storm
