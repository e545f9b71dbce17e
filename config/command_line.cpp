#include "config/command_line.hpp"

#include "config/nearest_name.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>

namespace sliceferry {

namespace {

/// What follows a command besides flags of settings.
enum class follows {
  nothing,
  member,      ///< its name
  slice,       ///< NAMESPACE/NAME, and how to answer
  maybe_slice, ///< that or --since, and how to answer
  manner,      ///< how to answer
};

/// A command in one or two words, and what follows it.
struct verb_words {
  const char* first;
  const char* second; ///< or null
  verb what;
  follows next = follows::nothing;
};

constexpr verb_words verbs[] = {
  {"run", nullptr, verb::run},
  {"check", nullptr, verb::check},
  {"guard", "status", verb::guard_status},
  {"guard", "allow", verb::guard_allow, follows::member},
  {"leave", nullptr, verb::leave, follows::member},
  {"explain", nullptr, verb::explain, follows::slice},
  {"history", nullptr, verb::history, follows::maybe_slice},
  {"replay", nullptr, verb::replay, follows::manner},
  {"diff", nullptr, verb::diff, follows::manner},
  {"version", nullptr, verb::version},
  {"help", nullptr, verb::help},
};

constexpr const char* see_help = "see sliceferry --help";

std::vector<std::string> names_of_verbs() {
  std::vector<std::string> names;
  for (const verb_words& known : verbs)
    if (names.empty() || names.back() != known.first)
      names.emplace_back(known.first);
  return names;
}

std::vector<std::string> second_words() {
  std::vector<std::string> names;
  for (const verb_words& known : verbs)
    if (known.second)
      names.emplace_back(known.second);
  return names;
}

std::vector<std::string> names_of_flags() {
  std::vector<std::string> names;
  for (const flag& known : known_flags())
    names.emplace_back(known.name);
  for (const char* more : {"--member", "--since", "--after", "--output", "--help"})
    names.emplace_back(more);
  return names;
}

enum class verb_part { none, first_of_two, whole };

/// What the parser left over. The word after an unknown flag is taken for its value.
setting_errors unknown(const std::vector<std::string>& left_over, verb_part given) {
  setting_errors errors;
  bool value_may_follow = false;
  for (const std::string& word : left_over) {
    if (word.starts_with('-') && word != "-") {
      const std::string name = word.substr(0, word.find('='));
      errors.push_back({name, "unknown flag", nearest_name_advice(name, names_of_flags())});
      value_may_follow = name == word;
    } else if (value_may_follow) {
      value_may_follow = false;
    } else if (given == verb_part::whole) {
      errors.push_back({word, "an argument too many", see_help});
    } else {
      const auto known = given == verb_part::none ? names_of_verbs() : second_words();
      errors.push_back({word, "unknown command", nearest_name_advice(word, known)});
      given = verb_part::whole;
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

struct given_verb {
  const verb_words* words;
  CLI::App* command;
};

CLI::App* subcommand(CLI::App& of, const std::string& name) {
  for (CLI::App* held : of.get_subcommands([&](const CLI::App* each) { return each->get_name() == name; }))
    return held;
  CLI::App* made = of.add_subcommand(name);
  made->set_help_flag();
  made->fallthrough();
  return made;
}

/// Words that belong to one command or another, as they were given.
struct given_words {
  std::string member;
  question_words question;
};

CLI::App* add_command(CLI::App& app, const verb_words& known, given_words& given) {
  CLI::App* command = subcommand(app, known.first);
  if (known.second)
    command = subcommand(*command, known.second);
  if (known.next == follows::nothing)
    return command;
  if (known.next == follows::member) {
    command->add_option("MEMBER", given.member);
    return command;
  }
  auto& about = given.question;
  if (known.next != follows::manner)
    command->add_option("NAMESPACE/NAME", about.slice);
  command->add_option("--member", about.member)->type_name("MEMBER");
  command->add_option("-o,--output", about.output)->type_name("FORMAT");
  if (known.next == follows::maybe_slice) {
    command->add_option("--since", about.since)->type_name("SPAN");
    command->add_option("--after", about.after)->type_name("POSITION");
  }
  return command;
}

/// What is missing behind the command, if anything is.
void require(const verb_words& told, const given_words& given, setting_errors& errors) {
  const std::string command = told.second ? told.second : told.first;
  if (told.next == follows::member && given.member.empty())
    errors.push_back({command, "the member's name is missing", see_help});
  if (told.next == follows::slice && !given.question.slice)
    errors.push_back({command, "the slice is missing", "name it as NAMESPACE/NAME"});
  if (told.next == follows::maybe_slice && !given.question.slice && !given.question.since && !given.question.after)
    errors.push_back({command, "nothing says what of", "name a slice as NAMESPACE/NAME, or a time: --since 10m"});
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
  std::vector<given_verb> commands;
  given_words words;
  for (const verb_words& known : verbs)
    commands.push_back({&known, add_command(app, known, words)});

  try {
    app.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend())); // CLI11 reads from the back.
  } catch (const CLI::ParseError& wrong) {
    return setting_errors{unreadable(wrong.what())};
  }
  const auto is_given = [](const given_verb& x) { return x.command->parsed(); };
  const auto given = std::find_if(commands.begin(), commands.end(), is_given);
  const CLI::App* guard = app.get_subcommand("guard");
  setting_errors errors = unknown(app.remaining(true), given != commands.end() ? verb_part::whole
                                                       : guard->parsed()       ? verb_part::first_of_two
                                                                               : verb_part::none);
  // `check run` must not run: the program would begin to write although it was asked not to.
  for (auto other = given; other != commands.end(); ++other)
    if (other != given && is_given(*other))
      errors.push_back({other->command->get_name(), "a second command", "say only one"});
  if (help)
    return command_line{verb::help, {}};
  if (version_asked && errors.empty())
    return command_line{verb::version, {}};
  if (errors.empty() && given == commands.end())
    errors.push_back(
      guard->parsed()
        ? setting_error{"guard", "a second word is missing", "say guard status, or guard allow MEMBER"}
        : setting_error{"command line", "no command is given", "say run, check or version; " + std::string(see_help)});
  if (errors.empty())
    require(*given->words, words, errors);
  out.member = words.member;
  out.about = judge_question(words.question, errors);
  if (!errors.empty())
    return errors;
  out.what = given->words->what;
  return out;
}

} // namespace sliceferry
