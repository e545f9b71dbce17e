#include "config/command_line.hpp"

#include "config/nearest_name.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>

namespace sliceferry {

namespace {

constexpr std::pair<const char*, verb> verbs[] = {
  {"run", verb::run},
  {"check", verb::check},
  {"version", verb::version},
  {"help", verb::help},
};

constexpr const char* see_help = "see sliceferry --help";

std::vector<std::string> names_of_verbs() {
  std::vector<std::string> names;
  for (const auto& [name, what] : verbs)
    names.emplace_back(name);
  return names;
}

std::vector<std::string> names_of_flags() {
  std::vector<std::string> names;
  for (const flag& known : known_flags())
    names.emplace_back(known.name);
  names.emplace_back("--help");
  return names;
}

/// What the parser left over. The word after an unknown flag is taken for its value.
setting_errors unknown(const std::vector<std::string>& left_over, bool verb_given) {
  setting_errors errors;
  bool value_may_follow = false;
  for (const std::string& word : left_over) {
    if (word.starts_with('-') && word != "-") {
      const std::string name = word.substr(0, word.find('='));
      errors.push_back({name, "unknown flag", nearest_name_advice(name, names_of_flags())});
      value_may_follow = name == word;
    } else if (value_may_follow) {
      value_may_follow = false;
    } else if (!verb_given) {
      errors.push_back({word, "unknown command", nearest_name_advice(word, names_of_verbs())});
      verb_given = true;
    } else {
      errors.push_back({word, "an argument too many", see_help});
    }
  }
  return errors;
}

/// The parser's own complaint, such as "--config: 1 required FILE missing".
setting_error unreadable(const std::string& complaint) {
  const std::size_t colon = complaint.find(": ");
  if (!complaint.starts_with("--") || colon == std::string::npos)
    return {"command line", complaint, see_help};
  return {complaint.substr(0, colon), complaint.substr(colon + 2), see_help};
}

} // namespace

std::variant<command_line, setting_errors> parse_command_line(const std::vector<std::string>& arguments) {
  CLI::App app;
  app.set_help_flag();
  app.allow_extras();
  bool help = false;
  app.add_flag("-h,--help", help);
  bool version_asked = false;
  app.add_flag("--version", version_asked);

  command_line out;
  for (const flag& known : known_flags()) {
    CLI::Option* option = app.add_option(known.name, out.flags.*known.field);
    option->type_name(known.value)->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  }
  std::vector<std::pair<CLI::App*, verb>> commands;
  for (const auto& [name, what] : verbs) {
    CLI::App* command = app.add_subcommand(name);
    command->set_help_flag();
    command->fallthrough();
    commands.emplace_back(command, what);
  }

  try {
    app.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend())); // CLI11 reads from the back.
  } catch (const CLI::ParseError& wrong) {
    return setting_errors{unreadable(wrong.what())};
  }
  const auto is_given = [](const auto& x) { return x.first->parsed(); };
  const auto given = std::find_if(commands.begin(), commands.end(), is_given);
  setting_errors errors = unknown(app.remaining(true), given != commands.end());
  // `check run` must not run: the program would begin to write although it was asked not to.
  for (auto other = given; other != commands.end(); ++other)
    if (other != given && is_given(*other))
      errors.push_back({other->first->get_name(), "a second command", "say one of run, check and version"});
  if (help)
    return command_line{verb::help, {}};
  if (version_asked && errors.empty())
    return command_line{verb::version, {}};
  if (errors.empty() && given == commands.end())
    errors.push_back({"command line", "no command is given", "say run, check or version; " + std::string(see_help)});
  if (!errors.empty())
    return errors;
  out.what = given->second;
  return out;
}

} // namespace sliceferry
