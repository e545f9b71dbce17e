#include "actors/journal_commands.hpp"

#include "actors/admin/admin_server.hpp"
#include "actors/journal/journal_directory.hpp"
#include "actors/memory_desk.hpp"
#include "actors/running_memories.hpp"
#include "test/journal/made_journal.hpp"

#include <gtest/gtest.h>

#include <arpa/inet.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

namespace sliceferry {
namespace {

using kind = journal::reading_end::kind;

constexpr journal::moment noon{std::chrono::milliseconds{1'796'040'000'000}};

/// A port that is bound, and listened at by somebody who never answers, or by nobody.
class silent_port {
public:
  explicit silent_port(bool is_listened_at) : socket_(socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(bind(socket_, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
    socklen_t size = sizeof address;
    EXPECT_EQ(getsockname(socket_, reinterpret_cast<sockaddr*>(&address), &size), 0);
    at_ = "127.0.0.1:" + std::to_string(ntohs(address.sin_port));
    if (is_listened_at) {
      EXPECT_EQ(listen(socket_, 8), 0);
    }
  }
  ~silent_port() { close(socket_); }
  silent_port(const silent_port&) = delete;
  silent_port& operator=(const silent_port&) = delete;

  const std::string& at() const { return at_; }

private:
  int socket_;
  std::string at_;
};

/// A program that serves member m1, which remembers one slice that no journal knows. It has a process of its own, as
/// whoever reads a journal forks, which a process with threads had better not.
class served {
public:
  explicit served(const std::optional<journal::journal_status>& kept) {
    int ends[2];
    EXPECT_EQ(pipe(ends), 0);
    child_ = fork();
    if (child_ == 0)
      serve(kept, ends[1]);
    close(ends[1]);
    EXPECT_EQ(read(ends[0], &port_, sizeof port_), static_cast<ssize_t>(sizeof port_));
    close(ends[0]);
  }
  ~served() {
    kill(child_, SIGKILL);
    waitpid(child_, nullptr, 0);
  }
  served(const served&) = delete;
  served& operator=(const served&) = delete;

  std::string at() const { return "127.0.0.1:" + std::to_string(port_); }

private:
  [[noreturn]] static void serve(const std::optional<journal::journal_status>& kept, int to) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    memory_desk desk{{"m1"}};
    desk.attach("m1", [](const memories_question& put) { put.answer(memory_line("m1", "new", 7)); });
    admin_site site;
    site.questions = with_journal_line(desk.pages(), [=] { return journal_line(kept, noon); });
    admin_server server{std::move(site)};
    const bool is_served = !server.listen("127.0.0.1:0");
    const auto port = server.port();
    if (!is_served || write(to, &port, sizeof port) != static_cast<ssize_t>(sizeof port))
      _exit(1);
    close(to);
    for (;;)
      pause();
  }

  pid_t child_ = -1;
  std::uint16_t port_ = 0;
};

struct ReplayCommand : testing::Test {
  journal::made_journal made;
  std::string text;

  ReplayCommand() {
    made.format();
    made.add({{1, noon, {"m1", "u"}, {"n", "s"}, journal::remembered{}},
              {2, noon, {"m2", "u"}, {"n", "s"}, journal::remembered{}}});
  }

  journal::reading_end ask(const std::string& listen, const std::string& member = "",
                           std::chrono::milliseconds patience = std::chrono::seconds(30)) {
    question asked;
    asked.member = member;
    text.clear();
    const auto sink = [this](std::string_view piece) {
      text += piece;
      return true;
    };
    return show_replay(made.directory(), asked, listen, sink, patience);
  }
};

TEST_F(ReplayCommand, SaysWhoHoldsTheJournalAndDoesNotAnswer) {
  const silent_port nobody{false};
  const silent_port mute{true};
  EXPECT_EQ(ask(nobody.at()).note,
            "No program that writes this journal answered at " + nobody.at() + ": compared with nothing that runs.\n");
  const auto claim = journal::claim_directory(made.directory(), 4'711);
  ASSERT_TRUE(claim.lock);
  EXPECT_EQ(ask(nobody.at()).note,
            "pid 4711 holds the journal but doesn't answer at " + nobody.at() + ": compared with nothing that runs.\n");
  const auto began = std::chrono::steady_clock::now();
  const auto end = ask(mute.at(), "", std::chrono::milliseconds(200));
  EXPECT_LT(std::chrono::steady_clock::now() - began, std::chrono::seconds(10)) << "its patience, not the client's";
  EXPECT_EQ(end.how, kind::answered);
  EXPECT_EQ(end.note,
            "pid 4711 holds the journal but doesn't answer at " + mute.at() + ": compared with nothing that runs.\n");
}

TEST_F(ReplayCommand, ComparesWithAProgramByTheStateOfItsJournal) {
  journal::journal_status kept;
  kept.state = core::journal_state::healthy;
  const served healthy{kept};
  EXPECT_EQ(ask(healthy.at()).how, kind::differs);
  EXPECT_NE(text.find("uid new: the running program remembers it, the journal doesn't"), std::string::npos) << text;
  kept.state = core::journal_state::degraded;
  kept.why = "the disk is full";
  const served degraded{kept};
  EXPECT_EQ(ask(degraded.at()).how, kind::answered);
  EXPECT_EQ(text.find("uid new"), std::string::npos) << text;
  EXPECT_NE(text.find("degraded since 2026-11-30T12:00:00.000Z: the disk is full; 1 stream"), std::string::npos)
    << text;
  const served none{std::nullopt};
  const auto end = ask(none.at());
  EXPECT_EQ(end.how, kind::answered);
  EXPECT_EQ(end.note, "The program at " + none.at() + " keeps no journal: compared with nothing that runs.\n");
}

TEST_F(ReplayCommand, KnowsWhichMembersThereAre) {
  journal::journal_status kept;
  kept.state = core::journal_state::healthy;
  const served running{kept};
  EXPECT_EQ(ask(running.at(), "m1").note, "");
  EXPECT_EQ(ask(running.at(), "m2").note,
            "The program at " + running.at() + " serves no member m2: compared with nothing that runs.\n");
  const auto unknown = ask(running.at(), "a member");
  EXPECT_EQ(unknown.how, kind::misasked);
  EXPECT_EQ(unknown.note, "the journal knows no member a member; it knows m1, m2\n");
}

} // namespace
} // namespace sliceferry
