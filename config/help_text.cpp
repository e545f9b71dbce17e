#include "config/command_line.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

namespace sliceferry {

namespace {

constexpr const char* title =
  "Sliceferry mirrors the EndpointSlices of exported Services from member clusters into a hub cluster.\n";

constexpr const char* environment = R"(
Environment (the first five as for the Go agent; the last three of them belong to a URL of the hub):
  MEMBER_CLUSTER_NAME        the one member to serve, like --member-cluster
  HUB_SERVER_URL             https://HOST:PORT of the hub
  CONFIG_PATH                file with a bearer token for the hub, read again when it changes
  HUB_CERTIFICATE_AUTHORITY  certificates that vouch for the hub, PEM or base64 of it
  HUB_KUBE_HEADER            more headers for requests to the hub, "Name: value" lines
  KUBECONFIG                 for a member, or a context, that no kubeconfig is named for
)";

constexpr const char* exit_codes = R"(
Exit codes:
  0  stopped as asked; the settings are right; what was asked is done or answered; nothing differs
  1  failed while starting or running; the running program wasn't found or refused; diff or replay found a difference
  2  the command line or the settings are wrong
)";

using rows = std::vector<std::pair<std::string, std::string>>;

/// Two columns, the first as wide as it need be.
std::string table(const rows& all) {
  std::size_t width = 0;
  for (const auto& [left, right] : all)
    width = std::max(width, left.size());
  std::string out;
  for (const auto& [left, right] : all)
    out += fmt::format("  {:<{}}  {}\n", left, width, right);
  return out;
}

std::string with_usage(const command_entry& command) {
  return name_of(command) + (*command.usage ? " " : "") + command.usage;
}

void add(rows& out, const question_flag& each) {
  const auto names = each.letter ? fmt::format("{}, {}", each.letter, each.name) : std::string(each.name);
  out.emplace_back(fmt::format("{} {}", names, each.value), each.what);
}

void add(rows& out, const flag& each) {
  out.emplace_back(fmt::format("{} {}", each.name, each.value), each.what);
}

rows flags_of_settings() {
  rows out;
  for (const flag& known : known_flags())
    add(out, known);
  out.emplace_back("-h, --help", "print this text, or behind a command what there is to know of it");
  return out;
}

std::string text_of_all() {
  rows commands;
  for (const command_entry& known : known_commands())
    commands.emplace_back(with_usage(known), known.sentence);
  rows own;
  for (const question_flag& known : question_flags())
    add(own, known);
  return std::string(title) + "\nUsage:\n  sliceferry COMMAND [flags]\n  sliceferry COMMAND --help\n\nCommands:\n" +
         table(commands) + "\nExamples:\n" + known_commands()[0].examples +
         "\nFlags of settings, for every command (stronger than the environment, which is stronger than the file):\n" +
         table(flags_of_settings()) + "\nFlags of some commands, whose pages tell:\n" + table(own) + environment +
         exit_codes;
}

std::string flags_of(const command_entry& command) {
  if (takes(command, "*"))
    return "\nFlags (stronger than the environment, which is stronger than the file):\n" + table(flags_of_settings());
  rows out;
  for (const question_flag& known : question_flags())
    if (takes(command, known.name))
      add(out, known);
  for (const flag& known : known_flags())
    if (takes(command, known.name))
      add(out, known);
  if (out.empty())
    return {};
  return "\nFlags:\n" + table(out) + "\nThe other flags of settings are taken too: sliceferry --help lists them.\n";
}

} // namespace

std::string help_text(const std::string& topic) {
  std::string out;
  for (const command_entry& known : known_commands()) {
    if (topic != known.first)
      continue;
    out += fmt::format("{}sliceferry {}: {}\n\nUsage:\n  sliceferry {}{}\n", out.empty() ? "" : "\n", name_of(known),
                       known.sentence, with_usage(known), *known.flags ? " [flags]" : "");
    out += flags_of(known);
    if (*known.examples)
      out += std::string("\nExamples:\n") + known.examples;
  }
  return out.empty() ? text_of_all() : out;
}

} // namespace sliceferry
