#include "test/architecture/inclusions.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace sliceferry::architecture {
namespace {

/// What the files of a folder may include besides the standard library.
struct folder_rule {
  std::string_view folder;
  std::vector<std::string_view> ours;
  std::vector<std::string_view> others;
  bool pure = false; ///< and of the standard library nothing that touches the world outside
};

/// The first match counts.
const std::vector<folder_rule> rules{
  {"messages/", {"messages/"}, {}, true},
  {"actors/core/", {"messages/", "actors/core/"}, {}, true},
  {"actors/journal/", {"messages/", "actors/core/", "actors/journal/"}, {"lmdb.h", "isa-l/"}},
  {"actors/admin/admin_server.cpp", {"actors/admin/"}, {"boost/"}},
  {"actors/admin/", {"messages/", "actors/core/", "actors/admin/"}, {"prometheus/"}},
  {"actors/log.cpp", {"actors/", "config/"}, {"spdlog/"}},
  {"actors/", {"messages/", "actors/", "k8s/", "config/"}, {"caf/"}},
  {"k8s/", {"messages/", "k8s/"}, {"boost/", "openssl/", "yaml-cpp/"}},
  {"config/", {"config/"}, {"fmt/", "yaml-cpp/", "CLI/"}},
  // The oracle must not repeat the program's mistakes: it shares nothing with it but the values.
  {"test/storm/history/", {"test/storm/history/"}, {"gtest/", "boost/json"}},
  {"test/storm/oracle/", {"messages/", "test/storm/history/", "test/storm/oracle/"}, {"gtest/", "boost/json"}},
  {"test/storm/weather/", {"test/storm/weather/"}, {"gtest/", "boost/json"}},
  {"test/storm/server/", {"test/storm/history/", "test/storm/server/"}, {"gtest/", "boost/", "openssl/", "zlib.h"}},
  {"test/storm/simulation/", {"messages/", "actors/core/", "test/core/", "test/storm/simulation/"}, {"gtest/"}},
  {"test/storm/disk/", {"test/storm/disk/"}, {"gtest/", "lmdb.h"}},
  {"test/storm/stage/", {"messages/", "k8s/", "test/k8s/", "test/storm/"}, {"gtest/", "boost/", "CLI/", "fmt/"}},
  {"test/",
   {"messages/", "actors/", "k8s/", "config/", "test/"},
   {"gtest/", "boost/", "caf/", "openssl/", "yaml-cpp/", "lmdb.h"}},
};

const std::set<std::string_view> worldly{
  "condition_variable", "filesystem", "fstream", "future", "iostream", "mutex", "semaphore", "thread", "shared_mutex"};
const std::set<std::string_view> system_folders{"arpa", "linux", "net", "netinet", "sys"};

bool begins_with_one_of(std::string_view target, const std::vector<std::string_view>& prefixes) {
  return std::any_of(prefixes.begin(), prefixes.end(), [&](auto prefix) { return target.starts_with(prefix); });
}

bool is_foreign(std::string_view target) {
  const auto slash = target.find('/');
  return target == "lmdb.h" || (slash != std::string_view::npos && system_folders.count(target.substr(0, slash)) == 0);
}

/// Why the rule forbids this, or nothing.
std::string objection(const folder_rule& rule, const source_file& file, const inclusion& wish) {
  if (wish.quoted)
    return begins_with_one_of(wish.target, rule.ours) ? "" : "this folder may not include that one";
  if (!is_foreign(wish.target)) {
    const bool outside = wish.target.ends_with(".h") || worldly.count(wish.target) != 0;
    return rule.pure && outside ? "rules and values do no I/O and know no threads" : "";
  }
  if (!begins_with_one_of(wish.target, rule.others))
    return "this folder may not use that library";
  const bool may_show = wish.target.starts_with("boost/") || wish.target.starts_with("caf/") || file.is_below("test/");
  return file.is_header() && !may_show ? "that library stays hidden in a source file" : "";
}

bool exists(const source_tree& tree, std::string_view path) {
  return std::any_of(tree.begin(), tree.end(), [&](const auto& file) { return file.path == path; });
}

std::string own_header(const source_file& file) {
  return file.path.substr(0, file.path.size() - 4) + ".hpp";
}

} // namespace

violations check_inclusions(const source_file& file, const source_tree& tree) {
  violations out;
  if (!file.is_cpp())
    return out;
  const auto complain = [&](const std::string& detail) { out.push_back({"inclusion", file.path, detail}); };
  const auto rule =
    std::find_if(rules.begin(), rules.end(), [&](const auto& each) { return file.is_below(each.folder); });
  if (rule == rules.end()) {
    complain("no rule for this folder");
    return out;
  }
  const auto wishes = inclusions_of(file);
  for (const auto& wish : wishes) {
    if (const std::string why = objection(*rule, file, wish); !why.empty())
      complain(wish.target + ": " + why);
    if (wish.quoted && !exists(tree, wish.target))
      complain(wish.target + ": no such file from the root");
  }
  if (file.is_header() && !file.text.starts_with("#pragma once\n"))
    complain("a header begins with #pragma once");
  if (!file.is_header() && exists(tree, own_header(file)) &&
      (wishes.empty() || wishes.front().target != own_header(file)))
    complain("its own header comes first");
  return out;
}

violations check_beast(const source_tree& tree) {
  violations out;
  std::map<std::string_view, std::vector<std::string>> users{{"k8s/", {}}, {"actors/admin/", {}}, {"test/storm/", {}}};
  for (const auto& file : tree) {
    const auto wishes = inclusions_of(file);
    const auto uses = [&](std::string_view library) {
      return std::any_of(wishes.begin(), wishes.end(),
                         [&](const inclusion& wish) { return wish.target.starts_with(library); });
    };
    if (!uses("boost/beast"))
      continue;
    if (file.is_header() || uses("caf/") || uses("actors/caf_seam.hpp"))
      out.push_back({"Beast", file.path, "not in a header and not together with CAF"});
    const auto home =
      std::find_if(users.begin(), users.end(), [&](const auto& each) { return file.is_below(each.first); });
    if (home == users.end())
      out.push_back({"Beast", file.path, "not in this folder"});
    else
      home->second.push_back(file.path);
  }
  for (const auto& [folder, files] : users)
    for (std::size_t i = 1; i < files.size(); ++i)
      out.push_back({"Beast", files[i], "already in " + files[0]});
  return out;
}

} // namespace sliceferry::architecture
