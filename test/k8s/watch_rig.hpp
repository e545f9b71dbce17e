#pragma once
#include "k8s/collection_watch.hpp"
#include "messages/service_export.hpp"
#include "test/k8s/client_fixture.hpp"
#include "test/k8s/loopback_server.hpp"
#include "test/k8s/mirrored.hpp"
#include "test/k8s/wire_samples.hpp"

#include <gtest/gtest.h>

#include <condition_variable>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sliceferry::k8s {

using namespace std::chrono_literals;
using test::access_to;

/// How the scripted server answers one GET.
struct answer {
  unsigned status = 200;
  std::string body;
  bool stays_open = false;            ///< as a watch does
  std::shared_future<void> gate = {}; ///< what it waits for, if for anything
};
using script = std::function<answer(const std::string& target)>;

/// Serves one connection as the script says.
inline void serve(test::peer& client, const script& says) {
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

inline std::string exported(const std::string& name, const std::string& version) {
  return R"({"metadata":{"name":")" + name + R"(","namespace":"shop","uid":"u","resourceVersion":")" + version +
         R"("}})";
}

inline std::string list(const std::string& version, const std::string& items, const std::string& token = {}) {
  return R"({"metadata":{"resourceVersion":")" + version + R"(","continue":")" + token + R"("},"items":[)" + items +
         "]}";
}

inline bool is_watch(const std::string& target) {
  return target.find("watch=1") != std::string::npos;
}

inline bool is_probe(const std::string& target) {
  return target.ends_with("?limit=1");
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

inline collection_options options_for(std::vector<resource> served_as) {
  collection_options out;
  out.served_as = std::move(served_as);
  return out;
}

} // namespace sliceferry::k8s
