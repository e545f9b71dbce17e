#include "k8s/collection_watch.hpp"

#include "test/k8s/watch_rig.hpp"

#include <gtest/gtest.h>

#include <atomic>

namespace sliceferry::k8s {
namespace {

TEST(CollectionWatch, NewCertificatesAreNoOutage) {
  const auto ca = test::make_certificate({"test-ca", {}, true, false});
  const auto leaf = test::make_certificate({"leaf", {"IP:127.0.0.1"}, false, false}, &ca);
  const test::temporary_folder folder;
  const auto ca_file = folder.write("ca.crt", ca.certificate);
  std::promise<void> rest;
  const auto gate = rest.get_future().share();
  rig r{[&](const std::string& target) -> answer {
          return is_watch(target) ? answer{200, "", true} : answer{200, list("10", exported("a", "5")), false, gate};
        },
        test::loopback_server::tls_settings{leaf, {}}, ca_file};
  r.start(options_for({service_exports}));
  ASSERT_TRUE(r.until([&] { return r.requests.size() == 1; }));
  folder.write("ca.crt", ca.certificate + ca.certificate);
  std::promise<void> looked; // longer than it takes to look at the files
  const auto timer = r.loop.after(200ms, [&] { looked.set_value(); });
  looked.get_future().wait();
  rest.set_value();
  ASSERT_TRUE(r.until([&] { return r.answers.size() == 2; }));
  EXPECT_EQ(r.seen.lists, 1U) << "AU05 a list at hand is let finish";
  EXPECT_TRUE(r.reports.empty());

  folder.write("ca.crt", ca.certificate);
  ASSERT_TRUE(r.until([&] { return r.answers.size() == 3; }));
  ASSERT_EQ(r.requests.size(), 3U);
  EXPECT_NE(r.requests[2].find("resourceVersion=10&"), std::string::npos) << "a watch is resumed";
  ASSERT_EQ(r.reports.size(), 1U);
  EXPECT_EQ(r.reports[0].why, restart_reason::new_credentials);
  EXPECT_TRUE(r.reports[0].serving);
  EXPECT_FALSE(r.reports[0].failed);
  EXPECT_TRUE(r.rows.empty());
}

TEST(CollectionWatch, TellsEachGetOnce) {
  rig* self = nullptr;
  rig r{[&self](const std::string& target) -> answer {
    if (self->requests.size() == 1)
      return {503, "<html>"};
    if (is_watch(target))
      return {200, "", true};
    const bool first = self->requests.size() == 2;
    return {200, list("10", exported(first ? "a" : "b", "5"), first ? "next" : "")};
  }};
  self = &r;
  auto options = options_for({service_exports});
  options.reflecting.probe_every = 1s;
  r.start(std::move(options));
  ASSERT_TRUE(r.until([&] { return r.answers.size() >= 5; }));
  r.answers.resize(5);
  using enum get_kind;
  EXPECT_EQ(r.answers, (decltype(r.answers){{list, 503}, {list, 200}, {list, 200}, {watch, 200}, {probe, 200}}));
}

TEST(CollectionWatch, TellsOfAGetWithoutAnAnswer) {
  const test::closed_port closed;
  io_loop loop;
  http_client client{loop, access_to(closed.url())};
  std::promise<unsigned> told;
  collection_handlers<service_export> to;
  to.on_report = [](const collection_report&) {};
  to.on_batch = [](const auto&) {};
  to.retry_after = [](const failure&, unsigned) { return 1h; };
  to.on_answer = [&](get_kind, unsigned status, std::chrono::nanoseconds) { told.set_value(status); };
  const collection_watch<service_export> watch{loop, client, options_for({service_exports}), std::move(to)};
  auto got = told.get_future();
  ASSERT_EQ(got.wait_for(20s), std::future_status::ready);
  EXPECT_EQ(got.get(), 0U);
}

TEST(CollectionWatch, FailuresSayWhoRefusedWhat) {
  struct row {
    const char* name;
    bool watch;
    answer reply;
    const char* text; ///< after the server's URL
  };
  const std::string path = "/apis/networking.fleet.azure.com/v1beta1/serviceexports: ";
  for (const auto& [name, watch, reply, text] :
       {row{"a list",
            false,
            {401, R"({"kind":"Status","message":"Unauthorized"})"},
            "the server rejects our credentials (Unauthorized)"},
        {"a watch", true, {401, ""}, "the server rejects our credentials (HTTP 401)"},
        {"a proxy", false, {503, "<html>"}, "HTTP 503"},
        {"a page for a list", false, {200, "<html>"}, ""},
        {"in the stream", true, {200, samples::error(500, "InternalError")}, "said InternalError"}}) {
    SCOPED_TRACE(name);
    rig r{[&, wrong = watch, wrongly = reply](const std::string& target) -> answer {
      return is_watch(target) == wrong ? wrongly : answer{200, list("10", "")};
    }};
    r.start(options_for({service_exports}));
    std::string said; // a copy: more reports follow
    ASSERT_TRUE(r.until([&] {
      if (!r.reports.empty() && r.reports[0].failed)
        said = r.reports[0].failed->text;
      return !said.empty();
    }));
    EXPECT_EQ(said.find("GET " + r.server.url() + path + text), 0U) << said;
  }
}

TEST(CollectionWatch, SurvivesBrokenConnections) {
  rig* self = nullptr;
  rig r{[&self](const std::string& target) -> answer {
    const auto count = self->requests.size();
    if (count % 3 == 1)
      return {503, "<html>"};
    if (is_watch(target))
      return {
        200, R"({"type":"ADDED","object":)" + exported("w" + std::to_string(count), std::to_string(10 + count)) + "}\n",
        count > 12};
    return {200, list("10", exported("a", "5"))};
  }};
  self = &r;
  r.start(options_for({service_exports}));
  ASSERT_TRUE(r.until([&] { return r.requests.size() > 12 && r.seen.objects.size() >= 5; }));
  EXPECT_EQ(r.seen.lists, 1U) << "a watch is resumed, not listed";
}

} // namespace
} // namespace sliceferry::k8s
