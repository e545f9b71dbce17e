#include "test/architecture/words.hpp"

#include <algorithm>
#include <set>

namespace sliceferry::architecture {
namespace {

enum class scope {
  code,    ///< C++ without comments and literals
  headers, ///< the same, headers only
  pure,    ///< the same, in messages/ and actors/core/
  every,   ///< the text of each file as it stands
};

/// A word, where it is looked for, and the paths that may hold it nevertheless.
struct ban {
  std::string word;
  scope where;
  std::string why;
  std::vector<std::string_view> allowed = {};
};

const std::vector<ban> bans{
  {"system_clock::now",
   scope::code,
   "time is an argument",
   {"actors/main.cpp", "actors/wall_clock.hpp", "k8s/", "test/storm/stage/"}},
  {"_clock::now", scope::pure, "time is an argument"},
  {"random_device", scope::code, "seeds are arguments", {"actors/main.cpp", "k8s/", "test/"}}, // tests print theirs
  {"this_thread::sleep", scope::code, "wait for what happens instead", {"actors/main.cpp"}},
  {"usleep", scope::code, "wait for what happens instead"},
  {"std::regex", scope::code, "slow, and recursive to the length of its input"},
  {"catch (...)", scope::code, "it would swallow bugs", {"actors/main.cpp"}},
  {"std::cout", scope::code, "an answer goes where it shows that it can't be written", {"test/storm/stage/"}},
  {"std::cerr", scope::code, "there is one log", {"actors/main.cpp", "test/storm/stage/"}},
  {"std::getenv",
   scope::code,
   "settings are read in one place",
   {"actors/main.cpp", "actors/server_access.cpp", "config/", "test/"}},
  {"throw ", scope::pure, "rules return values"},
  {"json::", scope::headers, "JSON ends where decoding ends", {"test/storm/"}}, // its servers are made of JSON
  {"boost/json", scope::headers, "JSON ends where decoding ends", {"test/storm/"}},
  {"caf/all.hpp", scope::every, "it costs seconds in each file"},
  {"FRIEND_TEST", scope::code, "tests use the door that everyone uses"},
  {"#ifdef TEST", scope::code, "tests use the door that everyone uses"},
  // Spelled in halves, so that this list doesn't find itself.
  {std::string{"TO"} + "DO", scope::every, "an issue says it better"},
  {std::string{"FIX"} + "ME", scope::every, "an issue says it better"},
  {std::string{"/wo"} + "rk/", scope::every, "a path of somebody's machine"},
  {std::string{"/far"} + "m/", scope::every, "a path of somebody's machine"},
  {std::string{"/ro"} + "ot/", scope::every, "a path of somebody's machine"},
};

/// What the ban's scope shows of the file, or nothing.
std::string_view part_to_search(const ban& banned, const source_file& file) {
  switch (banned.where) {
    case scope::code:
      return file.is_cpp() ? file.code : std::string_view{};
    case scope::headers:
      return file.is_header() ? file.text : std::string_view{};
    case scope::pure:
      return file.is_cpp() && (file.is_below("messages/") || file.is_below("actors/core/")) ? file.code
                                                                                            : std::string_view{};
    case scope::every:
      return file.text;
  }
  return {};
}

bool is_allowed(const ban& banned, const source_file& file) {
  return std::any_of(banned.allowed.begin(), banned.allowed.end(), [&](auto path) { return file.is_below(path); });
}

std::size_t line_at(std::string_view text, std::size_t at) {
  return static_cast<std::size_t>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n')) + 1;
}

} // namespace

violations check_words(const source_file& file) {
  violations out;
  // The plants in these tests are what the bans look for.
  if (file.is_below("test/architecture/"))
    return out;
  for (const auto& banned : bans) {
    if (is_allowed(banned, file))
      continue;
    const std::string_view text = part_to_search(banned, file);
    for (auto at = text.find(banned.word); at != std::string_view::npos; at = text.find(banned.word, at + 1))
      out.push_back(
        {"word", file.path, "line " + std::to_string(line_at(text, at)) + ": " + banned.word + ": " + banned.why});
  }
  return out;
}

violations check_names(const source_file& file) {
  static const std::set<std::string_view> folders{"src",     "include",  "common",     "utils", "util",
                                                  "helpers", "managers", "interfaces", "mocks", "misc"};
  static const std::set<std::string_view> stems{"helpers", "helper", "utils", "util",   "types",
                                                "all",     "common", "misc",  "manager"};
  violations out;
  std::string_view rest = file.path;
  for (auto slash = rest.find('/'); slash != std::string_view::npos; slash = rest.find('/')) {
    if (folders.count(rest.substr(0, slash)) != 0)
      out.push_back({"name", file.path, "a folder of this name says nothing"});
    rest.remove_prefix(slash + 1);
  }
  const std::string_view stem = rest.substr(0, rest.find('.'));
  const bool ends_badly = stem.ends_with("_manager") || stem.ends_with("_utils") || stem.ends_with("_helpers");
  if (stems.count(stem) != 0 || ends_badly)
    out.push_back({"name", file.path, "a file of this name says nothing"});
  return out;
}

} // namespace sliceferry::architecture
