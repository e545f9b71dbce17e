#include "config/command_line.hpp"

#include "config/version.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>

namespace sliceferry {
namespace {

using arguments = std::vector<std::string>;

TEST(CommandLine, SaysWhatToDo) {
  struct row {
    const char* name;
    arguments given;
    command_line expected;
  };
  const row table[] = {
    {"run", {"run"}, {verb::run, {}}},
    {"check", {"check", "--config", "f"}, {verb::check, {.config = "f"}}},
    {"guard status", {"guard", "status"}, {verb::guard_status, {}}},
    {"guard allow", {"guard", "allow", "m1"}, {verb::guard_allow, {}, "m1"}},
    {"leave", {"leave", "m1", "--listen", "a"}, {verb::leave, {.listen = "a"}, "m1"}},
    {"a flag before the member", {"leave", "--config=f", "m1"}, {verb::leave, {.config = "f"}, "m1"}},
    {"explain",
     {"explain", "shop/web", "--member", "m1", "-o", "json"},
     {verb::explain, {}, {}, {"shop", "web", "m1", {}, {}, true}}},
    {"explain with flags of settings",
     {"explain", "a/b", "--config", "f"},
     {verb::explain, {.config = "f"}, {}, {"a", "b"}}},
    {"history of a slice", {"history", "a/b", "--data-dir=d"}, {verb::history, {.data_dir = "d"}, {}, {"a", "b"}}},
    {"history beyond a position", {"history", "--after=17"}, {verb::history, {}, {}, {.after = 17}}},
    {"history of a time",
     {"history", "--since", "1h30m", "--output=text"},
     {verb::history, {}, {}, {{}, {}, {}, std::chrono::minutes{90}}}},
    {"a flag of some commands before the command",
     {"--after", "17", "history"},
     {verb::history, {}, {}, {.after = 17}}},
    {"of a flag of some commands, too, the last one counts",
     {"diff", "--member", "m1", "--member", "m2"},
     {verb::diff, {}, {}, {.member = "m2"}}},
    {"replay", {"replay", "--data-dir", "d"}, {verb::replay, {.data_dir = "d"}}},
    {"diff", {"diff", "--member", "m1"}, {verb::diff, {}, {}, {.member = "m1"}}},
    {"version", {"version"}, {verb::version, {}}},
    {"help", {"help"}, {verb::help, {}}},
    {"--help", {"--help"}, {verb::help, {}}},
    {"help on a command", {"help", "history"}, {verb::help, {}, {}, {}, "history"}},
    {"help on a command of two words", {"help", "guard", "allow"}, {verb::help, {}, {}, {}, "guard"}},
    {"-h behind half a command", {"guard", "-h"}, {verb::help, {}, {}, {}, "guard"}},
    {"--help among a command's flags", {"history", "--since", "--help"}, {verb::help, {}, {}, {}, "history"}},
    {"--version", {"--version"}, {verb::version, {}}},
    {"-h behind a command", {"run", "-h"}, {verb::help, {}, {}, {}, "run"}},
    {"--help among nonsense", {"nonsense", "--help"}, {verb::help, {}}},
    {"a flag before the command", {"--config", "f", "run"}, {verb::run, {.config = "f"}}},
    {"an equals sign", {"run", "--config=f"}, {verb::run, {.config = "f"}}},
    {"the last one counts", {"run", "--listen", "a", "--listen", "b"}, {verb::run, {.listen = "b"}}},
    {"a negative number is a value", {"run", "--hub-qps=-5"}, {verb::run, {.hub_qps = "-5"}}},
  };
  for (const auto& [name, given, expected] : table) {
    SCOPED_TRACE(name);
    const auto got = parse_command_line(given);
    const auto* parsed = std::get_if<command_line>(&got);
    ASSERT_TRUE(parsed) << to_string(std::get<setting_errors>(got).front());
    EXPECT_EQ(*parsed, expected);
  }
}

TEST(CommandLine, TakesEveryFlag) {
  for (const flag& known : known_flags()) {
    SCOPED_TRACE(known.name);
    setting_flags expected;
    expected.*known.field = "value";
    EXPECT_EQ(parse_command_line({"run", known.name, "value"}),
              (std::variant<command_line, setting_errors>{command_line{verb::run, expected}}));
  }
}

TEST(CommandLine, NamesWhatIsNearToAnUnknownWord) {
  struct row {
    const char* name;
    arguments given;
    std::vector<std::pair<const char*, const char*>> errors; ///< where, and part of the line
  };
  const row table[] = {
    {"nothing", {}, {{"command line", "run, check, guard, leave, explain, history, replay, diff, version, help;"}}},
    {"no command", {"--config", "f"}, {{"command line", "run, check, guard"}}},
    {"a command misspelt", {"chekc"}, {{"chekc", "\"check\""}}},
    {"a command and a flag misspelt", {"rnu", "--confgi", "f"}, {{"rnu", "\"run\""}, {"--confgi", "\"--config\""}}},
    {"two flags misspelt",
     {"run", "--hub_kubeconfig", "f", "--memberQps=1"},
     {{"--hub_kubeconfig", "\"--hub-kubeconfig\""}, {"--memberQps", "\"--member-qps\""}}},
    {"unlike anything", {"run", "--zzzzzzzzzzzzzzzzzzzz"}, {{"--zzzzzzzzzzzzzzzzzzzz", "--log-level"}}},
    {"two commands", {"run", "chekc"}, {{"chekc", "too many"}}},
    {"two known commands run nothing", {"check", "run"}, {{"run", "second command"}}},
    {"in whatever order", {"run", "check"}, {{"check", "second command"}}},
    {"half a command", {"guard"}, {{"guard", "guard status, or guard allow MEMBER"}}},
    {"half a command misspelt", {"guard", "sttus"}, {{"sttus", "\"status\""}}},
    {"no member", {"leave"}, {{"leave", "missing"}}},
    {"no member to allow", {"guard", "allow"}, {{"guard allow", "missing"}}},
    {"no slice", {"explain"}, {{"explain", "NAMESPACE/NAME"}}},
    {"no slice and no time", {"history"}, {{"history", "--since"}}},
    {"all that is wrong with a question",
     {"history", "web", "--since", "ten", "--after", "-1", "-o", "yaml"},
     {{"web", "NAMESPACE/NAME"}, {"--since", "10m"}, {"--after", "whole"}, {"--output", "json"}}},
    {"three parts", {"explain", "a/b/c"}, {{"a/b/c", "NAMESPACE/NAME"}}},
    {"a command misspelt with what belongs to it", {"histroy", "a/b"}, {{"histroy", "\"history\""}}},
    {"since of another command", {"diff", "--since", "10m"}, {{"--since", "diff takes no --since"}}},
    {"before that command", {"--since=10m", "guard", "status"}, {{"--since", "guard status takes no --since"}}},
    {"two of another command",
     {"run", "--after", "7", "-o", "json"},
     {{"--after", "run takes no --after"}, {"--output", "run takes no --output"}}},
    {"help on nothing known", {"help", "histroy"}, {{"histroy", "\"history\""}}},
    {"help on too much", {"help", "guard", "allow", "m1"}, {{"m1", "too many"}}},
    {"two members", {"leave", "a", "b"}, {{"b", "too many"}}},
    {"a word too many", {"run", "--config", "f", "x"}, {{"x", "too many"}}},
    {"a value missing", {"run", "--config"}, {{"--config", "value is missing; write --config FILE"}}},
    {"of a flag of some commands", {"history", "--since"}, {{"--since", "value is missing; write --since TIME"}}},
    {"a flag in its place",
     {"history", "--since", "--member", "m1"},
     {{"--since", "value is missing; write --since TIME"}}},
    {"in short", {"diff", "-o"}, {{"--output", "value is missing; write --output FORMAT"}}},
  };
  for (const auto& [name, given, errors] : table) {
    SCOPED_TRACE(name);
    const auto got = parse_command_line(given);
    const auto* found = std::get_if<setting_errors>(&got);
    ASSERT_TRUE(found);
    ASSERT_EQ(found->size(), errors.size()) << to_string(found->front());
    for (std::size_t i = 0; i < errors.size(); ++i) {
      EXPECT_EQ((*found)[i].where, errors[i].first);
      EXPECT_NE(to_string((*found)[i]).find(errors[i].second), std::string::npos) << to_string((*found)[i]);
    }
  }
}

TEST(CommandLine, EachCommandTakesItsOwnFlagsAndRefusesTheOthers) {
  for (const command_entry& command : known_commands()) {
    arguments words{command.first};
    if (command.second)
      words.emplace_back(command.second);
    if (command.next == follows::member)
      words.emplace_back("m1");
    if (command.next == follows::slice || command.next == follows::maybe_slice)
      words.emplace_back("a/b");
    for (const question_flag& known : question_flags()) {
      SCOPED_TRACE(name_of(command) + ' ' + known.name);
      auto given = words;
      given.insert(given.end(), {known.name, known.field == &question_words::output ? "json" : "7m"});
      if (known.field == &question_words::after)
        given.back() = "7";
      const auto got = parse_command_line(given);
      EXPECT_EQ(std::holds_alternative<command_line>(got), takes(command, known.name));
      if (const auto* errors = std::get_if<setting_errors>(&got)) {
        EXPECT_EQ(errors->size(), 1U);
        EXPECT_EQ(errors->front().what, name_of(command) + " takes no " + known.name);
      }
    }
  }
}

TEST(CommandLine, ReadsTimeSpans) {
  const std::pair<const char*, std::optional<long>> table[] = {
    {"90s", 90},      {"10m", 600},      {"1h30m", 5400}, {"2d", 172'800}, {"1w", 604'800},      {"1.5h", 5400},
    {"0.5d", 43'200}, {"1.5h30m", 7200}, {"", {}},        {"0s", {}},      {"0.1s", {}},         {"10", {}},
    {"m", {}},        {"-5m", {}},       {".5h", {}},     {"1.5", {}},     {"1e3s", {}},         {"infs", {}},
    {"nans", {}},     {"10 m", {}},      {"10mm", {}},    {"36501d", {}},  {"99999999999s", {}},
  };
  for (const auto& [text, seconds] : table) {
    const auto got = parse_duration(text);
    EXPECT_EQ(got ? std::optional<long>{got->count()} : std::nullopt, seconds) << text;
  }
}

TEST(CommandLine, ReadsTimes) {
  using namespace std::chrono_literals;
  const std::chrono::sys_seconds nine{std::chrono::sys_days{std::chrono::year{2026} / 11 / 30} + 9h};
  const std::pair<const char*, std::optional<std::chrono::sys_seconds>> table[] = {
    {"2026-11-30T09:00:00Z", nine},
    {"2026-11-30T09:00:00.999Z", nine},
    {"2026-11-30T10:30:00+01:30", nine},
    {"2026-11-30T00:00:00-09:00", nine},
    {"2026-11-30", {}},
    {"2026-11-30T09:00:00", {}},
    {"2026-11-30 09:00:00Z", {}},
    {"2026-11-31T09:00:00Z", {}},
    {"2026-11-30T09:00:00.Z", {}},
    {"2026-11-30T09:00:00Zx", {}},
    {"2026-11-30T09:00:0", {}},
    {"2026-11-30T-9:00:00Z", {}},
    {"", {}},
    {"2026-13-30T09:00:00Z", {}},
    {"2026-11-30T24:00:00Z", {}},
    {"10m", {}},
  };
  for (const auto& [text, time] : table)
    EXPECT_EQ(parse_time(text), time) << text;
  const auto got = parse_command_line({"history", "--since", "2026-11-30T09:00:00Z"});
  ASSERT_TRUE(std::holds_alternative<command_line>(got)) << "it says what of";
  EXPECT_EQ(std::get<command_line>(got).about.since_time, nine);
  EXPECT_FALSE(std::get<command_line>(got).about.since);
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

void expect_narrow(const std::string& text) {
  std::size_t begin = 0;
  for (std::size_t end = text.find('\n'); end != std::string::npos; end = text.find('\n', begin)) {
    EXPECT_LE(end - begin, 120U) << text.substr(begin, end - begin);
    begin = end + 1;
  }
}

TEST(CommandLine, HelpNamesEverything) {
  const std::string help = help_text();
  std::vector<std::string> words{"Usage:",      "Commands:",       "Examples:",           "--help",
                                 "KUBECONFIG",  "Exit codes:",     "MEMBER_CLUSTER_NAME", "HUB_SERVER_URL",
                                 "CONFIG_PATH", "HUB_KUBE_HEADER", "-o, --output FORMAT", "HUB_CERTIFICATE_AUTHORITY"};
  for (const command_entry& known : known_commands()) {
    words.push_back("\n  " + name_of(known));
    words.emplace_back(known.sentence);
  }
  for (const flag& known : known_flags()) {
    words.emplace_back(std::string(known.name) + " " + known.value);
    EXPECT_TRUE(has(known.what, "(default: ")) << known.name;
  }
  for (const question_flag& known : question_flags())
    words.emplace_back(std::string(known.name) + " " + known.value);
  for (const std::string& word : words)
    EXPECT_TRUE(has(help, word)) << word;
  expect_narrow(help);
}

TEST(CommandLine, HelpOnACommandShowsWhatItTakes) {
  for (const command_entry& command : known_commands()) {
    SCOPED_TRACE(name_of(command));
    const std::string page = help_text(command.first);
    EXPECT_TRUE(has(page, "\n  sliceferry " + name_of(command) + (*command.usage ? " " : "") + command.usage));
    EXPECT_TRUE(has(page, command.sentence) && has(page, command.examples));
    EXPECT_FALSE(has(page, "Exit codes:")) << "that is the general page";
    for (const question_flag& known : question_flags())
      EXPECT_EQ(has(page, std::string(known.name) + " " + known.value), takes(command, known.name)) << known.name;
    for (const flag& known : known_flags())
      EXPECT_EQ(has(page, std::string(known.name) + " " + known.value),
                takes(command, known.name) || takes(command, "*"))
        << known.name;
    expect_narrow(page);
  }
  EXPECT_EQ(help_text("nonsense"), help_text());
}

TEST(CommandLine, NamesInTheTableAreThoseOfFlags) {
  for (const command_entry& command : known_commands()) {
    std::size_t known_ones = 0;
    for (const question_flag& known : question_flags())
      known_ones += takes(command, known.name) ? 1 : 0;
    for (const flag& known : known_flags())
      known_ones += takes(command, known.name) ? 1 : 0;
    const std::string_view flags = command.flags;
    const auto words = flags.empty() ? 0 : 1 + std::count(flags.begin(), flags.end(), ' ');
    EXPECT_EQ(known_ones + (takes(command, "*") ? 1 : 0), static_cast<std::size_t>(words)) << name_of(command);
  }
}

TEST(Version, IsTheProjects) {
  std::ifstream in(SLICEFERRY_SOURCE_DIR "/CMakeLists.txt");
  const std::string build{std::istreambuf_iterator<char>(in), {}};
  EXPECT_NE(build.find("project(sliceferry VERSION " + std::string(version) + " "), std::string::npos);
}

} // namespace
} // namespace sliceferry
