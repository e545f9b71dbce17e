#include "config/command_line.hpp"

#include "config/nearest_name.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

namespace sliceferry {

namespace {

constexpr const char* see_help = "see sliceferry --help";

std::string see_page(const command_entry& command) {
  return fmt::format("see sliceferry {} --help", command.first);
}

std::vector<std::string> names_of_flags() {
  std::vector<std::string> names;
  for (const flag& known : known_flags())
    names.emplace_back(known.name);
  for (const question_flag& known : question_flags())
    names.emplace_back(known.name);
  names.emplace_back("--help");
  return names;
}

/// What isn't a known flag: words, and complaints of flags. The word after an unknown flag is taken for its value.
std::vector<std::string> words_of(const std::vector<std::string>& left_over, setting_errors& errors) {
  std::vector<std::string> words;
  bool value_may_follow = false;
  for (const std::string& word : left_over) {
    if (word.starts_with('-') && word != "-") {
      const std::string name = word.substr(0, word.find('='));
      errors.push_back({name, "unknown flag", nearest_name_advice(name, names_of_flags())});
      value_may_follow = name == word;
    } else if (!std::exchange(value_may_follow, false)) {
      words.push_back(word);
    }
  }
  return words;
}

setting_error without_value(const char* name, const char* value) {
  return {name, "its value is missing", fmt::format("write {} {}", name, value)};
}

/// The parser throws at a flag without its value, and hardly at anything else.
setting_error unreadable(const CLI::ParseError& wrong) {
  const std::string complaint = wrong.what();
  const std::string name = complaint.substr(0, complaint.find(':'));
  for (const flag& known : known_flags())
    if (name == known.name)
      return without_value(known.name, known.value);
  for (const question_flag& known : question_flags())
    if (name == known.name)
      return without_value(known.name, known.value);
  return {"command line", "it can't be read", see_help};
}

/// The parser takes whatever follows for a flag's value.
void require_values(const setting_flags& flags, const question_words& given, setting_errors& errors) {
  const auto is_flag = [](const std::optional<std::string>& value) { return value && value->starts_with("--"); };
  for (const flag& known : known_flags())
    if (is_flag(flags.*known.field))
      errors.push_back(without_value(known.name, known.value));
  for (const question_flag& known : question_flags())
    if (is_flag(given.*known.field))
      errors.push_back(without_value(known.name, known.value));
}

bool is_first_word(const std::string& word) {
  return std::ranges::count(first_words(), word) != 0;
}

/// The command that the words begin with; nothing: an error was noted.
const command_entry* find_command(const std::vector<std::string>& words, setting_errors& errors) {
  const std::string first = words.empty() ? "" : words[0];
  const std::string second = words.size() < 2 ? "" : words[1];
  std::vector<std::string> seconds;
  std::vector<std::string> ways;
  for (const command_entry& known : known_commands()) {
    if (first != known.first)
      continue;
    if (!known.second || second == known.second)
      return &known;
    seconds.emplace_back(known.second);
    ways.push_back(fmt::format("{} {}{}{}", first, known.second, *known.usage ? " " : "", known.usage));
  }
  if (words.empty())
    errors.push_back({"command line", "no command is given",
                      fmt::format("say one of {}; {}", fmt::join(first_words(), ", "), see_help)});
  else if (seconds.empty())
    errors.push_back({first, "unknown command", nearest_name_advice(first, first_words())});
  else if (second.empty())
    errors.push_back({first, "a second word is missing", fmt::format("say {}", fmt::join(ways, ", or "))});
  else
    errors.push_back({second, "unknown command", nearest_name_advice(second, seconds)});
  return nullptr;
}

/// `check run` must not run: the program would begin to write although it was asked not to.
void refuse(const std::vector<std::string>& too_many, const command_entry& command, setting_errors& errors) {
  for (const std::string& word : too_many)
    errors.push_back(is_first_word(word) ? setting_error{word, "a second command", "say only one"}
                                         : setting_error{word, "an argument too many", see_page(command)});
}

/// What is missing behind the command, if anything is.
void require(const command_entry& told, const std::string& argument, const question_words& given,
             setting_errors& errors) {
  if (told.next == follows::member && argument.empty())
    errors.push_back({name_of(told), "the member's name is missing", see_page(told)});
  if (told.next == follows::slice && argument.empty())
    errors.push_back({name_of(told), "the slice is missing", "name it as NAMESPACE/NAME"});
  if (told.next == follows::maybe_slice && argument.empty() && !given.since && !given.after)
    errors.push_back({name_of(told), "nothing says what of", "name a slice as NAMESPACE/NAME, or a time: --since 10m"});
}

/// The words and flags behind a command, judged.
command_line judge(const command_entry& told, const std::vector<std::string>& words, question_words given,
                   setting_errors& errors) {
  command_line out;
  out.what = told.what;
  const std::size_t own = told.second ? 2 : 1;
  const std::size_t allowed = own + (told.next == follows::nothing ? 0 : told.next == follows::topic ? 2 : 1);
  if (words.size() > allowed)
    refuse({words.begin() + static_cast<std::ptrdiff_t>(allowed), words.end()}, told, errors);
  for (const question_flag& each : question_flags())
    if (given.*each.field && !takes(told, each.name))
      errors.push_back({each.name, fmt::format("{} takes no {}", name_of(told), each.name), see_page(told)});
  const std::string argument = words.size() > own ? words[own] : "";
  if (told.next == follows::topic && !argument.empty()) {
    if (is_first_word(argument))
      out.topic = argument;
    else
      errors.push_back({argument, "unknown command", nearest_name_advice(argument, first_words())});
  }
  if (told.next == follows::member)
    out.member = argument;
  if ((told.next == follows::slice || told.next == follows::maybe_slice) && !argument.empty())
    given.slice = argument;
  if (errors.empty())
    require(told, argument, given, errors);
  out.about = judge_question(given, errors);
  return out;
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
  setting_flags flags;
  question_words given;
  for (const flag& known : known_flags())
    app.add_option(known.name, flags.*known.field)->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  for (const question_flag& known : question_flags()) {
    const auto names = known.letter ? fmt::format("{},{}", known.letter, known.name) : std::string(known.name);
    app.add_option(names, given.*known.field)->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  }
  try {
    app.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend())); // CLI11 reads from the back.
  } catch (const CLI::ParseError& wrong) {
    return setting_errors{unreadable(wrong)};
  }

  setting_errors of_flags;
  const auto words = words_of(app.remaining(), of_flags);
  require_values(flags, given, of_flags);
  if (help || std::ranges::count(arguments, "--help") != 0) { // also where a flag took it for its value
    command_line out;
    if (!words.empty() && is_first_word(words[0]))
      out.topic = words[0];
    return out;
  }
  if (version_asked && of_flags.empty())
    return command_line{verb::version, {}};
  setting_errors errors;
  const command_entry* told = find_command(words, errors);
  errors.insert(errors.end(), of_flags.begin(), of_flags.end());
  if (!told || !of_flags.empty())
    return errors;
  command_line out = judge(*told, words, given, errors);
  out.flags = flags;
  if (!errors.empty())
    return errors;
  return out;
}

} // namespace sliceferry
