#include "actors/memory_desk.hpp"

#include <charconv>
#include <set>
#include <utility>

namespace sliceferry {

namespace {

/// Collects what the members tell; replies when the last one has answered, or can't any more.
class gathering {
public:
  gathering(admin_reply reply, std::shared_ptr<std::atomic<bool>> busy)
    : reply_(std::move(reply)), busy_(std::move(busy)) {}
  gathering(const gathering&) = delete;
  gathering& operator=(const gathering&) = delete;
  ~gathering() {
    *busy_ = false;
    if (silent_.empty())
      reply_({.body = std::move(text_)});
    else
      reply_({.status = 503, .body = "member " + *silent_.begin() + " can't be asked now\n"});
  }

  void expect(const std::string& member) {
    const std::lock_guard guard{lock_};
    silent_.insert(member);
  }

  void take(const std::string& member, const std::string& lines) {
    const std::lock_guard guard{lock_};
    if (silent_.erase(member) != 0)
      text_ += lines;
  }

private:
  admin_reply reply_;
  std::shared_ptr<std::atomic<bool>> busy_;
  std::mutex lock_;
  std::string text_;
  std::set<std::string> silent_;
};

} // namespace

std::string memory_line(const std::string& member, const std::string& slice_uid, std::optional<std::uint64_t> digest) {
  std::string out = member + ' ' + slice_uid + ' ';
  char digits[16];
  if (digest)
    out.append(digits, std::to_chars(digits, digits + sizeof digits, *digest, 16).ptr);
  else
    out += '-';
  return out += '\n';
}

std::optional<journal::memory_digests> read_memory_lines(const std::string& text) {
  journal::memory_digests out;
  for (std::size_t at = 0; at < text.size();) {
    const auto first = text.find(' ', at);
    const auto second = first == text.npos ? text.npos : text.find(' ', first + 1);
    const auto end = second == text.npos ? text.npos : text.find('\n', second);
    if (end == text.npos)
      return std::nullopt;
    std::uint64_t digest = 0;
    const bool is_changing = text.compare(second + 1, end - second - 1, "-") == 0;
    if (!is_changing) {
      const auto [rest, problem] = std::from_chars(text.data() + second + 1, text.data() + end, digest, 16);
      if (problem != std::errc{} || rest != text.data() + end)
        return std::nullopt;
    }
    out[{text.substr(at, first - at), text.substr(first + 1, second - first - 1)}] =
      is_changing ? std::nullopt : std::optional{digest};
    at = end + 1;
  }
  return out;
}

memory_desk::memory_desk(const std::vector<std::string>& members) {
  for (const auto& member : members)
    seats_[member];
}

void memory_desk::attach(const std::string& member, std::function<void(memories_question)> put) {
  const std::lock_guard guard{lock_};
  seats_.at(member) = std::move(put);
}

void memory_desk::detach() {
  const std::lock_guard guard{lock_};
  for (auto& [member, put] : seats_)
    put = nullptr;
}

admin_questions memory_desk::pages() {
  return {{"/memories", [this](const asked_path& asked, admin_reply reply) { take(asked, reply); }}};
}

void memory_desk::take(const asked_path& asked, const admin_reply& reply) {
  const auto found = asked.query.find("member");
  const auto member = found == asked.query.end() ? std::string{} : found->second;
  const std::lock_guard guard{lock_};
  if (asked.path != "/memories")
    return reply({.status = 404, .body = "404 not found\n"});
  if (!member.empty() && !seats_.contains(member))
    return reply({.status = 404, .body = no_such_member_here + std::string{"\n"}});
  if (busy_->exchange(true))
    return reply({.status = 503, .body = "somebody else asks the same, ask again\n"});
  const auto all = std::make_shared<gathering>(reply, busy_);
  for (const auto& [name, put] : seats_) {
    if (!member.empty() && name != member)
      continue;
    all->expect(name);
    if (put)
      put({[all, name = name](const std::string& lines) { all->take(name, lines); }});
  }
}

} // namespace sliceferry
