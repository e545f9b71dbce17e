#include "k8s/collection_watch.hpp"

#include "messages/service_export.hpp"
#include "test/k8s/client_fixture.hpp"
#include "test/k8s/loopback_server.hpp"
#include "test/k8s/mirrored.hpp"
#include "test/k8s/wire_samples.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <condition_variable>
#include <future>
#include <mutex>

namespace sliceferry::k8s {
namespace {

using namespace std::chrono_literals;
using test::access_to;

struct answer {
  unsigned status = 200;
  std::string body;
  bool stays_open = false;            ///< as a watch does
  std::shared_future<void> gate = {}; ///< what it waits for, if for anything
};
using script = std::function<answer(const std::string& target)>;

/// Serves one connection as the script says.
void serve(test::peer& client, const script& says) {
  for (std::string head = client.request(); !head.empty(); head = client.request()) {
    const auto begin = head.find(' ') + 1;
    const answer reply = says(head.substr(begin, head.find(' ', begin) - begin));
    if (reply.gate.valid())
      reply.gate.wait();
    std::string out = "HTTP/1.1 " + std::to_string(reply.status) + " X\r\nTransfer-Encoding: chunked\r\n\r\n";
    if (!reply.body.empty())
      out += test::chunk(reply.body);
    if (!reply.stays_open)
      out += "0\r\n\r\n";
    client.send(out);
  }
}

std::string exported(const std::string& name, const std::string& version) {
  return R"({"metadata":{"name":")" + name + R"(","namespace":"shop","uid":"u","resourceVersion":")" + version +
         R"("}})";
}

std::string list(const std::string& version, const std::string& items, const std::string& token = {}) {
  return R"({"metadata":{"resourceVersion":")" + version + R"(","continue":")" + token + R"("},"items":[)" + items +
         "]}";
}

bool is_watch(const std::string& target) {
  return target.find("watch=1") != std::string::npos;
}

/// Client, loop and what the watch told, with waits that end when something is told.
struct rig {
  explicit rig(script with, std::optional<test::loopback_server::tls_settings> tls = {}, std::string ca_file = {})
    : server{[this, with](test::peer& connected, int) {
               serve(connected, [&](const std::string& target) {
                 const std::lock_guard lock{mutex};
                 requests.push_back(target);
                 changed.notify_all();
                 return with(target);
               });
             },
             std::move(tls)} {
    auto access = access_to(server.url());
    access.ca_file = std::move(ca_file);
    http_options options;
    options.upkeep = 20ms;
    client = std::make_unique<http_client>(loop, std::move(access), std::move(options));
  }

  std::mutex mutex;
  std::condition_variable changed;
  std::vector<std::string> requests;
  mirrored seen;
  std::size_t batches = 0;
  std::vector<collection_report> reports;
  std::vector<malformed> broken;
  std::vector<unsigned> rows;
  std::vector<std::pair<get_kind, unsigned>> answers;
  bool grants = true;

  test::loopback_server server;
  io_loop loop;
  std::unique_ptr<http_client> client;
  std::unique_ptr<collection_watch<service_export>> watch;

  void start(collection_options options) {
    collection_handlers<service_export> to;
    to.on_batch = [this](std::shared_ptr<const watch_batch<service_export>> batch) {
      const std::lock_guard lock{mutex};
      seen.take(*batch);
      ++batches;
      if (grants && watch)
        watch->grant(1);
      changed.notify_all();
    };
    to.on_report = [this](const collection_report& report) {
      const std::lock_guard lock{mutex};
      reports.push_back(report);
      changed.notify_all();
    };
    to.on_malformed = [this](const malformed& what) {
      const std::lock_guard lock{mutex};
      broken.push_back(what);
    };
    to.retry_after = [this](const failure&, unsigned in_a_row) {
      const std::lock_guard lock{mutex};
      rows.push_back(in_a_row);
      return 1ms;
    };
    to.on_answer = [this](get_kind what, unsigned status, std::chrono::nanoseconds took) {
      const std::lock_guard lock{mutex};
      answers.emplace_back(what, status);
      EXPECT_GT(took, 0ns);
      changed.notify_all();
    };
    auto made = std::make_unique<collection_watch<service_export>>(loop, *client, std::move(options), std::move(to));
    const std::lock_guard lock{mutex};
    watch = std::move(made);
  }
  template <class Condition>
  bool until(Condition holds) {
    std::unique_lock lock{mutex};
    return changed.wait_for(lock, 20s, holds);
  }
  /// Waits until the loop has done what was queued.
  void turn() {
    std::promise<void> done;
    loop.post([&] { done.set_value(); });
    done.get_future().wait();
  }
  ~rig() {
    std::unique_ptr<collection_watch<service_export>> last;
    {
      const std::lock_guard lock{mutex};
      last = std::move(watch);
    }
    last.reset(); // then the client, which waits for the loop, then the loop
  }
};

collection_options options_for(std::vector<resource> served_as) {
  collection_options out;
  out.served_as = std::move(served_as);
  return out;
}

TEST(CollectionWatch, MirrorsListAndWatch) {
  rig r{[](const std::string& target) -> answer {
    if (!is_watch(target))
      return {200, list("10", exported("a", "5") + R"(,{"metadata":{"name":"bad","namespace":"shop"}})")};
    if (target.find("resourceVersion=10&") != std::string::npos)
      return {200, R"({"type":"ADDED","object":)" + exported("b", "11") + "}\n" + R"({"type":"DELETED","object":)" +
                     exported("a", "12") + "}\n"};
    return {200, R"({"type":"ADDED","object":)" + exported("c", "13") + "}\n", true};
  }};
  r.start(options_for({service_exports}));
  ASSERT_TRUE(r.until([&] { return r.seen.objects.count("c") == 1; }));
  EXPECT_EQ(r.seen.objects, (std::map<std::string, std::string>{{"b", "11"}, {"c", "13"}}));
  EXPECT_EQ(r.seen.lists, 1U);
  ASSERT_EQ(r.broken.size(), 1U);
  EXPECT_EQ(r.broken[0].key.name, "bad");
  ASSERT_EQ(r.reports.size(), 1U);
  EXPECT_EQ(r.reports[0].why, restart_reason::clean_end);
  EXPECT_TRUE(r.reports[0].serving);
  EXPECT_TRUE(r.rows.empty());
}

TEST(CollectionWatch, TakesTheNameThatIsServed) {
  rig r{[](const std::string& target) -> answer {
    if (target.find("v1beta1") != std::string::npos)
      return {404, "404 page not found\n"};
    return is_watch(target) ? answer{200, "", true} : answer{200, list("10", exported("a", "5"))};
  }};
  r.start(options_for({service_exports, service_exports_alpha}));
  ASSERT_TRUE(r.until([&] { return r.seen.lists == 1; }));
  EXPECT_TRUE(r.reports.empty());
  EXPECT_TRUE(r.rows.empty());
}

TEST(CollectionWatch, ReturnsToThePreferredName) {
  enum class how { asked, expired, fallback_gone };
  for (const auto ends : {how::asked, how::expired, how::fallback_gone}) {
    SCOPED_TRACE(static_cast<int>(ends));
    std::atomic<bool> upgraded = false;
    rig r{[&](const std::string& target) -> answer {
      const bool preferred = target.find("v1beta1") != std::string::npos;
      if (preferred != upgraded && (preferred || ends == how::fallback_gone))
        return {404, "404 page not found\n"};
      if (!is_watch(target))
        return {200, list("10", exported(preferred ? "beta" : "alpha", "5"))};
      if (!preferred && ends != how::asked) {
        upgraded = true;
        return {200, ends == how::expired ? samples::error(410, "Expired") : ""};
      }
      return {200, "", true};
    }};
    r.start(options_for({service_exports, service_exports_alpha}));
    ASSERT_TRUE(r.until([&] { return r.seen.objects.count("alpha") == 1 && r.requests.size() >= 3; }));
    if (ends == how::asked) {
      upgraded = true;
      r.watch->relist();
    }
    ASSERT_TRUE(r.until([&] { return r.seen.objects.count("beta") == 1; }));
  }
}

TEST(CollectionWatch, ANameInVainDoesNotEndARowOfFailures) {
  rig* self = nullptr;
  rig r{[&self](const std::string& target) -> answer {
    if (target.find("v1beta1") != std::string::npos)
      return {404, "404 page not found\n"};
    if (!is_watch(target))
      return {200, list("10", "")};
    const bool expires = self->rows.size() < 3;
    return {200, expires ? samples::error(410, "Expired") : "", !expires};
  }};
  self = &r;
  r.start(options_for({service_exports, service_exports_alpha}));
  ASSERT_TRUE(r.until([&] { return r.rows.size() >= 3; }));
  EXPECT_EQ(r.rows, (std::vector<unsigned>{2, 3, 4})) << "LW34 the first at once, then slower and slower";
}

TEST(CollectionWatch, AKindThatIsMissingIsWaitedFor) {
  rig* self = nullptr;
  rig r{[&self](const std::string& target) -> answer {
    if (self->requests.size() <= 6)
      return {404, "404 page not found\n"};
    return is_watch(target) ? answer{200, "", true} : answer{200, list("10", "")};
  }};
  self = &r;
  r.start(options_for({service_exports, service_exports_alpha}));
  ASSERT_TRUE(r.until([&] { return r.seen.lists == 1; }));
  EXPECT_EQ(r.rows, (std::vector<unsigned>{1, 2, 3})) << "once for each round over the names";
  ASSERT_EQ(r.reports.size(), 4U);
  EXPECT_FALSE(r.reports[0].serving);
  EXPECT_EQ(r.reports[0].failed->code, errc::kind_missing);
  EXPECT_TRUE(r.reports[3].serving) << "the recovery";
  EXPECT_EQ(r.reports[3].why, restart_reason::none);
}

TEST(CollectionWatch, WithoutCreditsNothingIsAskedFor) {
  for (const unsigned credits : {1U, 2U}) { // for the list's beginning, and for its first page
    SCOPED_TRACE(credits);
    rig r{[](const std::string& target) -> answer {
      if (is_watch(target))
        return {200, R"({"type":"ADDED","object":)" + exported("w", "11") + "}\n", true};
      const bool second = target.find("continue=") != std::string::npos;
      return {200, list("10", exported(second ? "b" : "a", "5"), second ? "" : "next")};
    }};
    r.grants = false;
    auto options = options_for({service_exports});
    options.credits = credits;
    r.start(std::move(options));
    ASSERT_TRUE(r.until([&] { return r.batches >= credits && r.requests.size() == 1; }));
    r.turn();
    r.turn(); // the loop has come to the page's end
    {
      const std::lock_guard lock{r.mutex};
      EXPECT_EQ(r.requests.size(), 1U) << "the second page was asked for without a credit";
      EXPECT_EQ(r.batches, credits);
      r.watch->grant(10);
    }
    ASSERT_TRUE(r.until([&] { return r.seen.objects.count("w") == 1; }));
    EXPECT_EQ(r.seen.objects.size(), 3U);
    EXPECT_EQ(r.seen.lists, 1U);
  }
}

TEST(CollectionWatch, ListsWhenAsked) {
  rig r{[](const std::string& target) -> answer {
    return is_watch(target) ? answer{200, "", true} : answer{200, list("10", exported("a", "5"))};
  }};
  r.start(options_for({service_exports}));
  ASSERT_TRUE(r.until([&] { return r.requests.size() == 2; }));
  r.watch->relist();
  ASSERT_TRUE(r.until([&] { return r.seen.lists == 2; }));
  EXPECT_EQ(r.reports.at(0).why, restart_reason::asked);
}

TEST(CollectionWatch, FindsARestoredBackup) {
  rig* self = nullptr;
  rig r{[&self](const std::string& target) -> answer {
    if (is_watch(target))
      return {200, "", true};
    const bool restored = self->requests.size() > 1; // LW07
    return {200, list(restored ? "7" : "10", exported(restored ? "old" : "new", "5"))};
  }};
  self = &r;
  auto options = options_for({service_exports});
  options.reflecting.probe_every = 1s;
  r.start(std::move(options));
  ASSERT_TRUE(r.until([&] { return r.seen.objects.count("old") == 1 && r.seen.lists == 2; }));
  EXPECT_EQ(r.seen.objects.count("new"), 0U);
  EXPECT_EQ(r.reports.at(0).why, restart_reason::restored_backup);
}

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
