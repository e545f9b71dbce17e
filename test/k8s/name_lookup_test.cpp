#include "k8s/name_lookup.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <condition_variable>
#include <future>
#include <map>
#include <mutex>

namespace sliceferry::k8s {

namespace {

using namespace std::chrono_literals;

/// A system that answers when it is told to, and notes what it was asked.
class scripted_system {
public:
  name_lookup::answer look_up(const std::string& host) {
    std::unique_lock lock{guard_};
    ++asked_[host];
    ++under_way_;
    changed_.notify_all();
    changed_.wait(lock, [&] { return answers_; });
    --under_way_;
    return std::vector<std::string>{host};
  }

  void wait_until_under_way(unsigned count) {
    std::unique_lock lock{guard_};
    ASSERT_TRUE(changed_.wait_for(lock, 20s, [&] { return under_way_ == count; }));
  }

  void answer() {
    const std::lock_guard lock{guard_};
    answers_ = true;
    changed_.notify_all();
  }

  std::map<std::string, int> asked() {
    const std::lock_guard lock{guard_};
    return asked_;
  }

private:
  std::mutex guard_;
  std::condition_variable changed_;
  std::map<std::string, int> asked_;
  unsigned under_way_ = 0;
  bool answers_ = false;
};

struct rig {
  const std::shared_ptr<scripted_system> system =
    std::make_shared<scripted_system>(); // also of look-ups that outlive us
  std::shared_ptr<const int> asker = std::make_shared<int>();
  std::atomic<int> answered = 0;
  name_lookup names{[asked = system](const std::string& host) { return asked->look_up(host); }};

  void ask(const std::string& host, const std::weak_ptr<const void>& by) {
    names.start(host, by, [this](const name_lookup::answer&) { ++answered; });
  }
  bool find(const std::string& host) {
    auto found = std::make_shared<std::promise<void>>();
    auto told = found->get_future();
    names.start(host, asker, [found](const name_lookup::answer&) { found->set_value(); });
    system->answer();
    return told.wait_for(20s) == std::future_status::ready;
  }
};

TEST(NameLookup, LooksANameUpOnceForAllWhoAsk) {
  rig r;
  r.ask("dead", r.asker);
  r.system->wait_until_under_way(1);
  for (int i = 0; i < 100; ++i)
    r.ask("dead", r.asker);
  ASSERT_TRUE(r.find("dead")) << "told last, for it asked last";
  EXPECT_EQ(r.answered, 101);
  EXPECT_EQ(r.system->asked(), (std::map<std::string, int>{{"dead", 1}}));
}

TEST(NameLookup, PassesOverThoseWhoLeft) {
  rig r;
  auto leaving = std::make_shared<int>();
  for (int i = 0; i < 8; ++i) // all that may run at once
    r.ask("dead" + std::to_string(i), leaving);
  r.system->wait_until_under_way(8);
  for (int i = 0; i < 100; ++i)
    r.ask("waits" + std::to_string(i), leaving);
  r.ask("shared", leaving);
  leaving.reset();
  ASSERT_TRUE(r.find("shared"));
  ASSERT_TRUE(r.find("last"));
  EXPECT_EQ(r.answered, 0);
  const auto asked = r.system->asked();
  EXPECT_EQ(asked.size(), 10U) << "those under way, the one that somebody still waits for, and the last";
  EXPECT_EQ(asked.count("shared"), 1U);
}

TEST(NameLookup, LooksUpAnewAfterAnAnswer) {
  rig r;
  for (int i = 1; i <= 3; ++i) {
    ASSERT_TRUE(r.find("host"));
    EXPECT_EQ(r.system->asked()["host"], i);
  }
}

} // namespace

} // namespace sliceferry::k8s
