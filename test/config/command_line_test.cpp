#include "config/command_line.hpp"

#include "config/version.hpp"

#include <gtest/gtest.h>

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
    {"replay", {"replay", "--data-dir", "d"}, {verb::replay, {.data_dir = "d"}}},
    {"diff", {"diff", "--member", "m1"}, {verb::diff, {}, {}, {.member = "m1"}}},
    {"version", {"version"}, {verb::version, {}}},
    {"help", {"help"}, {verb::help, {}}},
    {"--help", {"--help"}, {verb::help, {}}},
    {"--version", {"--version"}, {verb::version, {}}},
    {"-h behind a command", {"run", "-h"}, {verb::help, {}}},
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
    {"nothing", {}, {{"command line", "run, check or version"}}},
    {"no command", {"--config", "f"}, {{"command line", "run, check or version"}}},
    {"a command misspelt", {"chekc"}, {{"chekc", "\"check\""}}},
    {"a command and a flag misspelt", {"rnu", "--confgi", "f"}, {{"rnu", "\"run\""}, {"--confgi", "\"--config\""}}},
    {"two flags misspelt",
     {"run", "--hub_kubeconfig", "f", "--memberQps=1"},
     {{"--hub_kubeconfig", "\"--hub-kubeconfig\""}, {"--memberQps", "\"--member-qps\""}}},
    {"unlike anything", {"run", "--zzzzzzzzzzzzzzzzzzzz"}, {{"--zzzzzzzzzzzzzzzzzzzz", "--log-level"}}},
    {"two commands", {"run", "chekc"}, {{"chekc", "too many"}}},
    {"two known commands run nothing", {"check", "run"}, {{"check", "second command"}}},
    {"in whatever order", {"run", "check"}, {{"check", "second command"}}},
    {"half a command", {"guard"}, {{"guard", "guard status, or guard allow MEMBER"}}},
    {"half a command misspelt", {"guard", "sttus"}, {{"sttus", "\"status\""}}},
    {"no member", {"leave"}, {{"leave", "missing"}}},
    {"no member to allow", {"guard", "allow"}, {{"allow", "missing"}}},
    {"no slice", {"explain"}, {{"explain", "NAMESPACE/NAME"}}},
    {"no slice and no time", {"history"}, {{"history", "--since"}}},
    {"all that is wrong with a question",
     {"history", "web", "--since", "ten", "--after", "-1", "-o", "yaml"},
     {{"web", "NAMESPACE/NAME"}, {"--since", "10m"}, {"--after", "whole"}, {"--output", "json"}}},
    {"three parts", {"explain", "a/b/c"}, {{"a/b/c", "NAMESPACE/NAME"}}},
    {"since of another command", {"diff", "--since", "10m"}, {{"--since", "unknown"}}},
    {"two members", {"leave", "a", "b"}, {{"b", "too many"}}},
    {"a word too many", {"run", "--config", "f", "x"}, {{"x", "too many"}}},
    {"a value missing", {"run", "--config"}, {{"--config", "FILE"}}},
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

TEST(CommandLine, ReadsTimeSpans) {
  const std::pair<const char*, std::optional<long>> table[] = {
    {"90s", 90}, {"10m", 600}, {"1h30m", 5400}, {"2d", 172'800}, {"", {}},     {"0s", {}},     {"10", {}},
    {"m", {}},   {"-5m", {}},  {"1.5h", {}},    {"10 m", {}},    {"10mm", {}}, {"36501d", {}}, {"99999999999s", {}},
  };
  for (const auto& [text, seconds] : table) {
    const auto got = parse_duration(text);
    EXPECT_EQ(got ? std::optional<long>{got->count()} : std::nullopt, seconds) << text;
  }
}

TEST(CommandLine, HelpNamesEverything) {
  const std::string help = help_text();
  std::vector<std::string> words{"run",
                                 "check",
                                 "guard status",
                                 "guard allow MEMBER",
                                 "leave MEMBER",
                                 "explain NAMESPACE/NAME",
                                 "history NAMESPACE/NAME",
                                 "history --since",
                                 "replay",
                                 "diff",
                                 "version",
                                 "Usage:",
                                 "Examples:",
                                 "--help",
                                 "KUBECONFIG",
                                 "Exit codes:",
                                 "MEMBER_CLUSTER_NAME",
                                 "HUB_SERVER_URL",
                                 "CONFIG_PATH",
                                 "HUB_CERTIFICATE_AUTHORITY",
                                 "HUB_KUBE_HEADER"};
  for (const flag& known : known_flags()) {
    words.emplace_back(std::string(known.name) + " " + known.value);
    EXPECT_NE(std::string(known.what).find("(default: "), std::string::npos) << known.name;
  }
  for (const std::string& word : words)
    EXPECT_NE(help.find(word), std::string::npos) << word;
  std::size_t begin = 0;
  for (std::size_t end = help.find('\n'); end != std::string::npos; end = help.find('\n', begin)) {
    EXPECT_LE(end - begin, 120U) << help.substr(begin, end - begin);
    begin = end + 1;
  }
}

TEST(Version, IsTheProjects) {
  std::ifstream in(SLICEFERRY_SOURCE_DIR "/CMakeLists.txt");
  const std::string build{std::istreambuf_iterator<char>(in), {}};
  EXPECT_NE(build.find("project(sliceferry VERSION " + std::string(version) + " "), std::string::npos);
}

} // namespace
} // namespace sliceferry
