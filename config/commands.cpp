#include "config/commands.hpp"

namespace sliceferry {

namespace {

constexpr command_entry commands[] = {
  {"run", nullptr, verb::run, follows::nothing, "", "mirror until stopped by SIGTERM or SIGINT", "*",
   R"(  # Beside the hub, for all members that a file lists
  sliceferry run --config sliceferry.yaml

  # In a member cluster, as the pod's service account
  sliceferry run --member-cluster prod-1 --hub-kubeconfig /etc/sliceferry/hub.kubeconfig

  # From a desk, with two contexts of one kubeconfig
  sliceferry run --member-cluster prod-1 --member-context prod-1 --hub-context hub
)"},
  {"check", nullptr, verb::check, follows::nothing, "",
   "judge the settings, list every error, show what counts; contacts no cluster", "*",
   R"(  # What is wrong with a file, all at once
  sliceferry check --config sliceferry.yaml
)"},
  {"guard", "status", verb::guard_status, follows::nothing, "",
   "of each member, how many withdrawals the running program holds back, and why", "--listen --config",
   R"(  # Of the program that listens on port 9090 of this machine
  sliceferry guard status --listen 127.0.0.1:9090
)"},
  {"guard", "allow", verb::guard_allow, follows::member, "MEMBER",
   "what the guard holds back of this member is meant to go: the running program withdraws it", "--listen --config",
   R"(  # The slices that prod-1 lacks were meant to go
  sliceferry guard allow prod-1
)"},
  {"leave", nullptr, verb::leave, follows::member, "MEMBER",
   "the running program withdraws all exports of this member; ends when the hub holds none", "--listen --config",
   R"(  # Said on the machine of the program that serves it; until that is started anew, it exports no more
  sliceferry leave prod-1 --listen 127.0.0.1:9090
)"},
  {"explain", nullptr, verb::explain, follows::slice, "NAMESPACE/NAME",
   "why a slice is or isn't exported, by the running program or, without one, by the clusters",
   "--member --output --listen --config",
   R"(  # Why is this slice not exported? Asked on the machine of the program that serves its member
  sliceferry explain shop/web-x2x7k

  # No program runs: the clusters are read, as the settings say
  sliceferry explain shop/web-x2x7k --config sliceferry.yaml -o json
)"},
  {"history", nullptr, verb::history, follows::maybe_slice, "[NAMESPACE/NAME]",
   "what the journal tells of a slice, through all its re-creations, or of a time",
   "--since --after --member --output --data-dir --config",
   R"(  # One slice's life
  sliceferry history shop/web-x2x7k --data-dir /var/lib/sliceferry

  # Everything of the last ten minutes; --since or --after is needed where no slice is named
  sliceferry history --since 10m --config sliceferry.yaml
)"},
  {"replay", nullptr, verb::replay, follows::nothing, "",
   "folds the journal's events anew, from the start and from its snapshot, and compares",
   "--member --output --data-dir --listen --config",
   R"(  # Also compares with what the running program remembers
  sliceferry replay --data-dir /var/lib/sliceferry
)"},
  {"diff", nullptr, verb::diff, follows::nothing, "",
   "what differs between the clusters as they are and as they should be; writes nothing", "--member --output --config",
   R"(  # What would this program change, were it run beside the Go agent?
  sliceferry diff --member-cluster prod-1 --hub-kubeconfig hub.kubeconfig
)"},
  {"version", nullptr, verb::version, follows::nothing, "", "print the version", "", ""},
  {"help", nullptr, verb::help, follows::topic, "[COMMAND]", "print this text, or what there is to know of a command",
   "", ""},
};

} // namespace

std::span<const command_entry> known_commands() {
  return commands;
}

std::span<const question_flag> question_flags() {
  static constexpr question_flag flags[] = {
    {"--member", nullptr, "MEMBER", "of this member alone (default: all)", &question_words::member},
    {"--since", nullptr, "TIME", "how far back, such as 90s, 10m, 1.5h, 2d or 1w, or since when: 2026-11-30T09:00:00Z",
     &question_words::since},
    {"--after", nullptr, "POSITION", "only what the journal holds beyond this position", &question_words::after},
    {"--output", "-o", "FORMAT", "text, or json for programs (default: text)", &question_words::output},
  };
  return flags;
}

bool takes(const command_entry& command, std::string_view flag_name) {
  std::string_view rest = command.flags;
  while (!rest.empty()) {
    const auto word = rest.substr(0, rest.find(' '));
    if (word == flag_name)
      return true;
    rest.remove_prefix(word.size() == rest.size() ? word.size() : word.size() + 1);
  }
  return false;
}

std::string name_of(const command_entry& command) {
  return command.second ? std::string(command.first) + ' ' + command.second : command.first;
}

std::vector<std::string> first_words() {
  std::vector<std::string> out;
  for (const command_entry& known : known_commands())
    if (out.empty() || out.back() != known.first)
      out.emplace_back(known.first);
  return out;
}

} // namespace sliceferry
