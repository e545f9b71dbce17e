#include "k8s/collection_list.hpp"

#include "test/k8s/watch_rig.hpp"

#include <gtest/gtest.h>

namespace sliceferry::k8s {
namespace {

using listed = result<collection_list<service_export>>;

list_options list_of(std::vector<resource> served_as) {
  list_options out;
  out.served_as = std::move(served_as);
  out.retry_after = 1ms;
  return out;
}

std::vector<std::string> names_of(const listed& got) {
  std::vector<std::string> out;
  if (got)
    for (const auto& each : got->items)
      out.push_back(each.key.name);
  return out;
}

/// One list from a server that answers as the script says.
struct reading {
  listed got;
  std::vector<std::string> requests;
};

reading read_from(const script& says, list_options options = list_of({service_exports})) {
  rig r{says};
  listed got = list_reader<service_export>{r.loop, *r.client, std::move(options)}.wait();
  const std::lock_guard lock{r.mutex};
  return {std::move(got), r.requests};
}

std::string status(int code, const std::string& reason) {
  return R"({"kind":"Status","apiVersion":"v1","status":"Failure","message":"so be it","reason":")" + reason +
         R"(","code":)" + std::to_string(code) + "}";
}

bool is_second(const std::string& target) {
  return target.find("continue=next") != std::string::npos;
}

using names = std::vector<std::string>;

TEST(CollectionList, IsReadByPagesWithoutAWatch) {
  const auto [got, requests] = read_from([](const std::string& target) -> answer {
    if (is_second(target))
      return {200, list("10", exported("c", "7"))};
    return {200,
            list("10", exported("a", "5") + R"(,{"metadata":{"name":"bad","namespace":"shop"}},)" + exported("b", "6"),
                 "next")};
  });
  ASSERT_TRUE(got);
  EXPECT_EQ(names_of(got), (names{"a", "b", "c"}));
  EXPECT_EQ(got->resource_version, "10");
  ASSERT_EQ(got->unreadable.size(), 1U);
  EXPECT_EQ(got->unreadable[0].key, (object_key{"shop", "bad"}));
  ASSERT_EQ(requests.size(), 2U);
  EXPECT_EQ(requests[0], "/apis/networking.fleet.azure.com/v1beta1/serviceexports?limit=500");
}

TEST(CollectionList, MayBeEmpty) {
  const auto [got, requests] = read_from([](const std::string&) -> answer { return {200, list("10", "")}; });
  ASSERT_TRUE(got);
  EXPECT_TRUE(got->items.empty());
  EXPECT_EQ(got->resource_version, "10");
}

TEST(CollectionList, ComesUnderTheNameThatIsServed) {
  const auto only = [](const std::string& version) {
    return [version](const std::string& target) -> answer {
      if (target.find(version) == std::string::npos)
        return {404, "404 page not found\n"};
      return {200, list("10", exported("a", "5"))};
    };
  };
  const auto both = list_of({service_exports, service_exports_alpha});
  const auto alpha = read_from(only("v1alpha1"), both);
  EXPECT_EQ(names_of(alpha.got), names{"a"});
  EXPECT_EQ(alpha.requests.size(), 2U);
  const auto none = read_from(only("v9"), both);
  ASSERT_FALSE(none.got) << "never an empty list";
  EXPECT_EQ(none.got.error().code, errc::kind_missing);
  EXPECT_NE(none.got.error().text.find("v1beta1"), std::string::npos) << none.got.error().text;
  EXPECT_EQ(none.requests.size(), 2U) << "each name once";
}

TEST(CollectionList, FailsAtOnceWhereARightIsMissing) {
  const auto [got, requests] = read_from([](const std::string&) -> answer { return {403, status(403, "Forbidden")}; });
  ASSERT_FALSE(got);
  EXPECT_EQ(got.error().code, errc::forbidden);
  EXPECT_NE(got.error().text.find("GET http://127.0.0.1:"), std::string::npos) << got.error().text;
  EXPECT_EQ(requests.size(), 1U);
}

TEST(CollectionList, ReadsTheCredentialsAgainOnce) {
  const auto refused = read_from([](const std::string&) -> answer { return {401, ""}; });
  ASSERT_FALSE(refused.got);
  EXPECT_EQ(refused.got.error().code, errc::unauthorized);
  EXPECT_EQ(refused.requests.size(), 2U);
  unsigned asked = 0;
  const auto renewed = read_from([&](const std::string&) -> answer {
    return ++asked == 1 ? answer{401, ""} : answer{200, list("10", exported("a", "5"))};
  });
  EXPECT_EQ(names_of(renewed.got), names{"a"});
}

TEST(CollectionList, WhosePageExpiredBeginsAnewInOnePiece) {
  const auto [got, requests] = read_from([](const std::string& target) -> answer {
    if (is_second(target))
      return {410, status(410, "Expired")};
    if (target.find("limit=") != std::string::npos)
      return {200, list("10", exported("a", "5") + "," + exported("gone", "6"), "next")};
    return {200, list("12", exported("a", "5") + "," + exported("c", "11"))};
  });
  EXPECT_EQ(names_of(got), (names{"a", "c"})) << "what only the first list held is gone";
  EXPECT_EQ(got->resource_version, "12");
  EXPECT_EQ(requests.size(), 3U);
}

TEST(CollectionList, ThatNeverComesWholeIsNone) {
  for (const auto& bad : {answer{503, ""}, answer{429, ""}, answer{500, "boom"}, answer{200, R"({"items":[)"},
                          answer{200, R"({"metadata":{},"items":[]})"}, answer{200, "<html>"}}) {
    SCOPED_TRACE(std::to_string(bad.status) + ' ' + bad.body);
    const auto [got, requests] = read_from([&](const std::string& target) -> answer {
      return is_second(target) ? bad : answer{200, list("10", exported("a", "5"), "next")};
    });
    EXPECT_FALSE(got) << "half a list proves nothing";
  }
  const auto [got, requests] = read_from([](const std::string&) -> answer { return {503, ""}; });
  ASSERT_FALSE(got);
  EXPECT_EQ(got.error().code, errc::unavailable);
  EXPECT_EQ(requests.size(), 5U);
}

TEST(CollectionList, EndsInTheTimeThatItHas) {
  std::promise<void> open;
  const auto gate = open.get_future().share();
  rig r{[&](const std::string&) -> answer { return {200, list("10", ""), false, gate}; }};
  auto options = list_of({service_exports});
  options.longest = 20ms;
  const listed got = list_reader<service_export>{r.loop, *r.client, options}.wait();
  ASSERT_FALSE(got);
  EXPECT_EQ(got.error().code, errc::unavailable);
  EXPECT_NE(got.error().text.find("20 ms"), std::string::npos) << got.error().text;
  open.set_value();
}

/// Whatever a connection breaks off after, the list is whole in the end and holds each item once.
TEST(CollectionList, SurvivesABreakAfterEachByte) {
  const auto page = [](const std::string& body) {
    return "HTTP/1.1 200 X\r\nTransfer-Encoding: chunked\r\n\r\n" + test::chunk(body) + "0\r\n\r\n";
  };
  const std::string first = page(list("10", exported("a", "5") + "," + exported("b", "6"), "next"));
  const std::string second = page(list("10", exported("c", "7")));
  for (const bool breaks_second : {false, true}) {
    const std::size_t size = (breaks_second ? second : first).size();
    for (std::size_t cut = 0; cut < size; cut += cut + 9 < size ? 9 : 1) {
      SCOPED_TRACE((breaks_second ? "second page, byte " : "first page, byte ") + std::to_string(cut));
      std::atomic<bool> broke = false;
      test::loopback_server server{[&](test::peer& client, int) {
        for (std::string head = client.request(); !head.empty(); head = client.request()) {
          const bool is_next = is_second(head);
          const std::string& bytes = is_next ? second : first;
          if (is_next != breaks_second || broke.exchange(true)) {
            client.send(bytes);
            continue;
          }
          client.send(bytes.substr(0, cut));
          return client.reset();
        }
      }};
      io_loop loop;
      http_client client{loop, access_to(server.url())};
      const listed got = list_reader<service_export>{loop, client, list_of({service_exports})}.wait();
      EXPECT_EQ(names_of(got), (names{"a", "b", "c"})) << (got ? "" : to_string(got.error()));
      EXPECT_TRUE(broke);
    }
  }
}

TEST(CollectionList, MayBeGivenUp) {
  std::promise<void> open;
  const auto gate = open.get_future().share();
  rig r{[&](const std::string&) -> answer { return {200, list("10", ""), false, gate}; }};
  {
    const list_reader<service_export> reader{r.loop, *r.client, list_of({service_exports})};
    ASSERT_TRUE(r.until([&] { return r.requests.size() == 1; }));
  }
  open.set_value();
  r.turn();
}

} // namespace
} // namespace sliceferry::k8s
