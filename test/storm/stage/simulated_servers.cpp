#include "test/storm/stage/simulated_servers.hpp"

#include <boost/json.hpp>

#include <fcntl.h>
#include <fstream>
#include <poll.h>
#include <sstream>
#include <unistd.h>
#include <utility>

namespace sliceferry::storm {
namespace {

namespace json = boost::json;

constexpr std::chrono::seconds patience{20};

std::string text_of(const json::object& from, std::string_view key) {
  const auto* found = from.if_contains(key);
  return found && found->is_string() ? std::string{found->get_string()} : std::string{};
}

std::string content(const std::filesystem::path& file) {
  std::ostringstream out;
  out << std::ifstream{file}.rdbuf();
  return std::move(out).str();
}

} // namespace

simulated_servers::simulated_servers(const std::vector<std::string>& members, const std::filesystem::path& folder,
                                     std::uint64_t seed, bool hub_controller)
  : ready_file_{folder / "servers.json"} {
  if (::pipe2(pipe_, O_CLOEXEC) != 0)
    return;
  child_options how;
  how.command = {std::filesystem::read_symlink("/proc/self/exe").string(),
                 "serve",
                 "--history",
                 std::to_string(pipe_[1]),
                 "--ready-file",
                 ready_file_.string(),
                 "--seed",
                 std::to_string(seed)};
  for (const std::string& name : members)
    how.command.insert(how.command.end(), {"--member", name});
  if (!hub_controller)
    how.command.emplace_back("--no-hub-controller");
  how.log = (folder / "servers.log").string();
  how.keep_fd = pipe_[1];
  child_ = std::make_unique<child>(std::move(how));
}

simulated_servers::~simulated_servers() {
  child_.reset();
  for (const int end : pipe_)
    if (end >= 0)
      ::close(end);
}

std::string simulated_servers::start() {
  if (!child_ || !child_->start())
    return "the simulated servers could not be started";
  ::close(std::exchange(pipe_[1], -1));
  const auto until = std::chrono::steady_clock::now() + patience;
  while (!std::filesystem::exists(ready_file_)) {
    if (!child_->alive() || std::chrono::steady_clock::now() > until)
      return "the simulated servers don't listen: " + child_->tail();
    ::poll(nullptr, 0, 5);
  }
  return read_addresses();
}

int simulated_servers::take_history() {
  return std::exchange(pipe_[0], -1);
}

std::string simulated_servers::read_addresses() {
  boost::system::error_code bad;
  const auto parsed = json::parse(content(ready_file_), bad);
  if (bad || !parsed.is_object() || !parsed.get_object().contains("clusters"))
    return "the simulated servers' addresses are unreadable";
  const auto& all = parsed.get_object();
  map_.control = text_of(all, "control");
  for (const auto& [name, url] : all.at("clusters").get_object())
    map_.by_name[std::string{name}] = {std::string{url.get_string()}, {}, "sliceferry-token", "storm-token", {}};
  return {};
}

std::string read_server_map(const std::filesystem::path& file, server_map& out) {
  boost::system::error_code bad;
  const auto parsed = json::parse(content(file), bad);
  const auto* all = bad ? nullptr : parsed.if_object();
  const auto* servers = all ? all->if_contains("servers") : nullptr;
  if (!servers || !servers->is_object())
    return file.string() + ": not a JSON document with \"servers\"";
  if (const auto user = text_of(*all, "program_user"); !user.empty())
    out.program_user = user;
  for (const auto& [name, fields] : servers->get_object()) {
    if (!fields.is_object())
      return file.string() + ": server " + std::string{name} + " is not an object";
    const auto& each = fields.get_object();
    out.by_name[std::string{name}] = {text_of(each, "url"), text_of(each, "ca_file"), text_of(each, "program_token"),
                                      text_of(each, "user_token"), text_of(each, "audit_log")};
  }
  return out.by_name.contains("hub") && out.by_name.size() > 1 ? "" : file.string() + ": needs a hub and a member";
}

} // namespace sliceferry::storm
