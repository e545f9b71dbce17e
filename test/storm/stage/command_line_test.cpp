#include "test/storm/stage/command_line.hpp"

#include "test/storm/weather/scenario.hpp"

#include <gtest/gtest.h>

#include <sstream>

namespace sliceferry::storm {
namespace {

command_line read(const std::string& line) {
  std::vector<std::string> words{"storm"};
  std::istringstream in{line};
  for (std::string word; in >> word;)
    words.push_back(word);
  std::vector<const char*> pointers;
  for (const auto& each : words)
    pointers.push_back(each.c_str());
  return read_command_line(static_cast<int>(pointers.size()), pointers.data());
}

TEST(StormCommandLine, TakesARunAsAsked) {
  const auto asked = read("soak --minutes 2 --members 5 --slices 700 --rate 33 --seed 9 --faults kill_program,latency "
                          "--storm rolling,flapping --qps 50 --drain 7");
  ASSERT_EQ(asked.is, command_line::kind::run) << asked.text;
  EXPECT_EQ(asked.run.length, std::chrono::minutes{2});
  EXPECT_EQ(asked.run.member_names().size(), 5U);
  EXPECT_EQ(asked.run.slices, 700U);
  EXPECT_EQ(asked.run.rate, 33);
  EXPECT_EQ(asked.run.seed, 9U);
  EXPECT_EQ(asked.run.faults, (std::vector<std::string>{"kill_program", "latency"}));
  EXPECT_EQ(asked.run.storms, (std::vector<std::string>{"rolling", "flapping"}));
  EXPECT_EQ(asked.run.qps, 50);
  EXPECT_EQ(asked.run.burst, 100);
  EXPECT_EQ(read("soak").run.drain, std::chrono::seconds{30});
  EXPECT_EQ(read("soak --faults remove_crd").run.drain, std::chrono::seconds{150}) << "the guard takes its time";
  EXPECT_EQ(asked.run.drain, std::chrono::seconds{7});
}

TEST(StormCommandLine, KnowsItsDefaults) {
  const auto demo = read("demo --keep");
  ASSERT_EQ(demo.is, command_line::kind::run) << demo.text;
  EXPECT_EQ(demo.run.length, std::chrono::seconds{30});
  EXPECT_EQ(demo.run.slices, 3'000U);
  EXPECT_TRUE(demo.run.in_front_of_people && demo.run.keep);
  const auto soak = read("soak");
  ASSERT_EQ(soak.is, command_line::kind::run) << soak.text;
  EXPECT_EQ(soak.run.length, std::chrono::minutes{10});
  EXPECT_EQ(soak.run.qps, 200);
  EXPECT_EQ(soak.run.burst, 400);
}

TEST(StormCommandLine, SaysWhatIsKnownInsteadOfWhatIsNot) {
  struct row {
    const char* line;
    std::vector<const char*> said;
  };
  const row table[] = {
    {"soak --storm roling", {"roling", "rolling", "flapping", "everything"}},
    {"soak --faults baisc", {"baisc", "basic", "all", "kill_program"}},
    {"soak --storm roling --faults baisc", {"roling", "baisc"}}, // all at once
    {"soak --minuets 3", {"--minuets", "--minutes", "--slices"}},
    {"soak --seed=1 --sed=3", {"--sed", "--seed"}},
    {"play everythin", {"everythin", "Known:"}},
    {"soak --faults disc", {"disc", "disk"}},
    {"kills --moments 0", {"--moments"}},
    {"kills --minutes 3", {"--minutes", "--moments"}},
    {"soak --faults none,basic", {"none"}},
    {"soak --members 0", {"--members"}},
    {"soak --rate -1", {"--rate"}},
    {"soak --rate many", {"--rate"}},
    {"soak --program nowhere", {"nowhere"}},
    {"sok", {"sok"}},
    {"", {"subcommand"}},
  };
  for (const auto& [line, said] : table) {
    SCOPED_TRACE(line);
    const auto refused = read(line);
    ASSERT_EQ(refused.is, command_line::kind::text);
    EXPECT_EQ(refused.exit_code, 2);
    for (const auto* word : said)
      EXPECT_NE(refused.text.find(word), std::string::npos) << word << " in: " << refused.text;
  }
}

TEST(StormCommandLine, ShowsHelpWithoutComplaint) {
  for (const char* line : {"--help", "soak --help", "demo -h", "kills --help"}) {
    const auto help = read(line);
    EXPECT_EQ(help.is, command_line::kind::text);
    EXPECT_EQ(help.exit_code, 0);
    EXPECT_FALSE(help.text.empty());
  }
}

TEST(StormCommandLine, TakesAScenarioByName) {
  const auto asked = read("play everything-basic --seed 4");
  ASSERT_EQ(asked.is, command_line::kind::run) << asked.text;
  EXPECT_EQ(asked.run.faults, std::vector<std::string>{"basic"});
  EXPECT_EQ(asked.run.seed, 4U);
  EXPECT_EQ(asked.run.qps, 200);
  const auto limited = read("play restless-crowd");
  EXPECT_EQ(limited.run.qps, 100);
  EXPECT_EQ(limited.run.burst, 200);
}

TEST(StormCommandLine, ScalesAScenarioDown) {
  const auto* const as_written = find_scenario("rolling");
  ASSERT_NE(as_written, nullptr);
  EXPECT_EQ(read("play rolling").run.slices, as_written->slices);
  EXPECT_EQ(read("play rolling").run.rate, as_written->changes_per_s);
  const auto asked = read("play rolling --slices 30 --rate 5");
  ASSERT_EQ(asked.is, command_line::kind::run) << asked.text;
  EXPECT_EQ(asked.run.slices, 30U);
  EXPECT_EQ(asked.run.rate, 5);
  EXPECT_EQ(read("play rolling --rate -1").exit_code, 2);
}

TEST(StormCommandLine, TakesMomentsToKillAt) {
  const auto asked = read("kills --moments 20 --seed 5");
  ASSERT_EQ(asked.is, command_line::kind::run) << asked.text;
  EXPECT_EQ(asked.run.kills, 20U);
  EXPECT_EQ(asked.run.seed, 5U);
  EXPECT_EQ(asked.run.faults, std::vector<std::string>{"none"});
  EXPECT_TRUE(asked.run.journal);
  EXPECT_EQ(read("kills").run.kills, 200U);
  EXPECT_EQ(read("soak").run.kills, 0U);
}

TEST(StormCommandLine, KeepsAJournalUnlessToldOtherwise) {
  for (const char* command : {"soak", "demo", "play rolling"}) {
    EXPECT_TRUE(read(command).run.journal) << command;
    EXPECT_FALSE(read(std::string{command} + " --no-journal").run.journal) << command;
  }
}

TEST(StormCommandLine, ServesAlone) {
  const auto asked = read("serve --member a --member b --ready-file r --history 7 --no-hub-controller");
  ASSERT_EQ(asked.is, command_line::kind::serve) << asked.text;
  EXPECT_EQ(asked.serve.members, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(asked.serve.history, "7");
  EXPECT_FALSE(asked.serve.hub_controller);
}

} // namespace
} // namespace sliceferry::storm
