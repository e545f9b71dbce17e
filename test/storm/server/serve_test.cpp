#include "test/storm/server/serve.hpp"

#include "test/storm/history/entry.hpp"
#include "test/storm/server/front_test_client.hpp"

#include <boost/json.hpp>
#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include <sys/wait.h>
#include <unistd.h>

namespace sliceferry::storm {
namespace {

serve_options some_options() {
  serve_options out;
  out.members = {"m1", "m2"};
  out.history = "/dev/null";
  out.clock = [] { return std::chrono::duration_cast<instant>(std::chrono::steady_clock::now().time_since_epoch()); };
  return out;
}

std::string text_of(const std::string& path) {
  std::ostringstream out;
  out << std::ifstream{path}.rdbuf();
  return out.str();
}

TEST(Serve, SaysWhereItServesAndEndsAtATerm) {
  const std::string place = testing::TempDir() + "serve_" + std::to_string(getpid());
  auto options = some_options();
  options.ready_file = place + "_ready";
  options.history = place + "_history";
  const pid_t child = fork();
  if (child == 0)
    _exit(serve(options));
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds{20};
  std::string ready;
  while (ready.empty() && std::chrono::steady_clock::now() < deadline)
    ready = text_of(options.ready_file);
  ASSERT_NE(ready, "");
  const auto urls = boost::json::parse(ready);
  EXPECT_EQ(urls.at("clusters").as_object().size(), 3U);
  const std::string url{urls.at("clusters").at("m2").as_string()};
  ASSERT_TRUE(url.starts_with("http://127.0.0.1:")) << url;
  front_test_client client{static_cast<std::uint16_t>(std::stoul(url.substr(url.rfind(':') + 1)))};
  EXPECT_EQ(client.call("GET", "/readyz").status, 200);
  kill(child, SIGTERM);
  int status = 0;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  const auto history = text_of(options.history);
  EXPECT_NE(history.find(R"("mark":"started")"), std::string::npos);
  EXPECT_NE(history.find(R"("mark":"stopped")"), std::string::npos);
  std::remove(options.ready_file.c_str());
  std::remove(options.history.c_str());
}

TEST(Serve, RefusesToBeginWithoutWhatItNeeds) {
  struct row {
    const char* name;
    std::function<void(serve_options&)> spoil;
    const char* says;
  };
  const row table[] = {
    {"two members of one name",
     [](auto& each) {
       each.members = {"a", "a"};
     },
     "two clusters named a"},
    {"a member named hub", [](auto& each) { each.members = {"hub"}; }, "two clusters named hub"},
    {"no clock", [](auto& each) { each.clock = nullptr; }, "clock"},
    {"no certificate", [](auto& each) { each.certificate_file = "/nowhere/c.pem"; }, "/nowhere/c.pem"},
    {"no place for the history", [](auto& each) { each.history = "/nowhere/h"; }, "/nowhere/h"},
    {"no place for the ready file", [](auto& each) { each.ready_file = "/nowhere/r"; }, "/nowhere/r"},
  };
  for (const auto& [name, spoil, says] : table) {
    SCOPED_TRACE(name);
    auto options = some_options();
    spoil(options);
    std::string said;
    try {
      serve(options);
    } catch (const std::runtime_error& failed) {
      said = failed.what();
    }
    EXPECT_NE(said.find(says), std::string::npos) << said;
  }
}

} // namespace
} // namespace sliceferry::storm
