#pragma once
#include "k8s/http_client.hpp"
#include "test/k8s/loopback_server.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <future>
#include <memory>
#include <string>
#include <vector>

namespace sliceferry::k8s::test {

using namespace std::chrono_literals;

/// Longer than anything here takes; a test that gets there has failed.
constexpr auto patience = 20s;

using answer = result<http_response>;

inline http_request get(std::string target = "/x") {
  return {http_method::get, std::move(target), {}, {}};
}

inline http_request post(std::string body = "{}") {
  return {http_method::post, "/x", "application/json", std::move(body)};
}

inline std::future<answer> start(http_client& client, http_request request) {
  auto promise = std::make_shared<std::promise<answer>>();
  client.call(std::move(request), [promise](answer got) { promise->set_value(std::move(got)); });
  return promise->get_future();
}

/// The answer; a failure that says so if none comes.
inline answer ask(http_client& client, http_request request) {
  auto got = start(client, std::move(request));
  if (got.wait_for(patience) != std::future_status::ready)
    return failure{errc::quota, "the test ran out of patience", {}, 0};
  return got.get();
}

inline std::string text_of(const answer& got) {
  return got ? std::to_string(got->status) + " " + got->body : to_string(got.error());
}

/// Runs `work` on the loop and waits for it.
inline void on_loop(io_loop& loop, const std::function<void()>& work) {
  std::promise<void> done;
  loop.post([&] {
    work();
    done.set_value();
  });
  done.get_future().wait();
}

/// What a stream reported so far; only touched on the loop until `ended` is ready.
struct stream_record {
  unsigned status = 0;
  std::string bytes;
  std::optional<failure> broken;
  std::promise<void> finished;
  std::future<void> ended = finished.get_future();
  io_loop* opened_on = nullptr;
  std::shared_ptr<http_stream> stream;
  std::function<void()> on_head = [] {};
  std::function<void()> on_bytes = [] {};
  std::function<void()> on_outdated = [] {};

  stream_record() = default;
  ~stream_record() {
    if (opened_on != nullptr)
      on_loop(*opened_on, [&] { stream.reset(); });
  }
  stream_record(const stream_record&) = delete;
  stream_record& operator=(const stream_record&) = delete;

  stream_handlers handlers() {
    return {[this](unsigned code, std::optional<std::chrono::seconds>) {
              status = code;
              on_head();
            },
            [this](std::string_view more) {
              bytes += more;
              on_bytes();
            },
            [this](std::optional<failure> why) {
              broken = std::move(why);
              finished.set_value();
            },
            [this] { on_outdated(); }};
  }

  void open(io_loop& loop, http_client& client, std::chrono::milliseconds idle = patience) {
    opened_on = &loop;
    on_loop(loop, [&] { stream = client.open("/watch", idle, handlers()); });
  }

  bool wait() { return ended.wait_for(patience) == std::future_status::ready; }
};

/// A folder that goes with its owner.
class temporary_folder {
public:
  temporary_folder() {
    std::string name = (std::filesystem::temp_directory_path() / "ferry-XXXXXX").string();
    path_ = mkdtemp(name.data());
  }
  ~temporary_folder() { std::filesystem::remove_all(path_); }
  temporary_folder(const temporary_folder&) = delete;
  temporary_folder& operator=(const temporary_folder&) = delete;

  std::string path(const std::string& name) const { return (path_ / name).string(); }

  /// Writes aside and renames, as the kubelet does. Gives back the path.
  std::string write(const std::string& name, const std::string& text) const {
    const auto at = path_ / name;
    std::filesystem::create_directories(at.parent_path());
    {
      std::ofstream aside{path(".aside")};
      aside << text;
    }
    std::filesystem::rename(path(".aside"), at);
    return at.string();
  }

private:
  std::filesystem::path path_;
};

inline cluster_access access_to(const std::string& url) {
  cluster_access out;
  out.server = url;
  return out;
}

/// Short deadlines, for servers that never answer.
inline http_options impatient() {
  http_options out;
  out.resolve = out.connect = out.handshake = out.answer = 150ms;
  return out;
}

} // namespace sliceferry::k8s::test
