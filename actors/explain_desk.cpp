#include "actors/explain_desk.hpp"

#include "actors/explanation_report.hpp"
#include "actors/journal/json_line.hpp"
#include "actors/log_line.hpp"
#include "actors/no_such_member.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

namespace sliceferry {

namespace {

constexpr std::string_view prefix = "/explain/";

/// Collects what the members tell. It replies when the last one has answered, or can't any more: with the last of those
/// who hold it.
class gathering {
public:
  gathering(object_key slice, bool as_json, admin_reply reply, std::shared_ptr<std::atomic<unsigned>> open)
    : slice_(std::move(slice)), as_json_(as_json), reply_(std::move(reply)), open_(std::move(open)) {}
  gathering(const gathering&) = delete;
  gathering& operator=(const gathering&) = delete;
  ~gathering() {
    --*open_;
    std::ranges::sort(told_, {}, &member_told::member);
    reply_(report(slice_, told_, {silent_.begin(), silent_.end()}, as_json_));
  }

  void expect(const std::string& member) {
    const std::lock_guard guard{lock_};
    silent_.insert(member);
  }

  void take(member_told told) {
    const std::lock_guard guard{lock_};
    if (silent_.erase(told.member) != 0)
      told_.push_back(std::move(told));
  }

private:
  object_key slice_;
  bool as_json_;
  admin_reply reply_;
  std::shared_ptr<std::atomic<unsigned>> open_;
  std::mutex lock_;
  std::vector<member_told> told_;
  std::set<std::string> silent_;
};

/// Nothing unless the path names a slice and nothing else.
std::optional<object_key> slice_of(const std::string& path) {
  if (!path.starts_with(prefix))
    return std::nullopt;
  const auto rest = path.substr(prefix.size());
  const auto slash = rest.find('/');
  if (slash == std::string::npos || slash == 0 || slash + 1 == rest.size() || rest.find('/', slash + 1) != rest.npos)
    return std::nullopt;
  return object_key{rest.substr(0, slash), rest.substr(slash + 1)};
}

/// Whoever asked for JSON gets JSON, whatever the answer.
admin_answer refuse(unsigned status, const std::string& why, bool as_json) {
  if (as_json)
    return {status, "application/json", journal::json_line{}.add("error", why).text()};
  return {.status = status, .body = log::to_text(why, {}) + '\n'};
}

} // namespace

explain_desk::explain_desk(const std::vector<std::string>& members, unsigned open_max) : open_max_(open_max) {
  for (const auto& member : members)
    seats_[member];
}

void explain_desk::attach(const std::string& member, std::function<void(slice_question)> put) {
  const std::lock_guard guard{lock_};
  seats_.at(member) = std::move(put);
}

void explain_desk::detach() {
  const std::lock_guard guard{lock_};
  for (auto& [member, put] : seats_)
    put = nullptr;
}

std::vector<std::string> explain_desk::members() const {
  std::vector<std::string> out;
  for (const auto& [member, put] : seats_)
    out.push_back(member);
  return out;
}

admin_questions explain_desk::pages() {
  return {{std::string{prefix}, [this](const asked_path& asked, admin_reply reply) { take(asked, reply); }}};
}

void explain_desk::take(const asked_path& asked, const admin_reply& reply) {
  const auto slice = slice_of(asked.path);
  const auto value_of = [&](const char* name) {
    const auto found = asked.query.find(name);
    return found == asked.query.end() ? std::string{} : found->second;
  };
  const auto member = value_of("member");
  const auto output = value_of("output");
  const bool as_json = output == "json";
  if (!slice)
    return reply(refuse(400, "this doesn't name a slice, ask for /explain/NAMESPACE/NAME", as_json));
  if (!output.empty() && output != "json" && output != "text")
    return reply(refuse(400, "output is text or json, not " + output, as_json));
  const std::lock_guard guard{lock_};
  if (!member.empty() && !seats_.contains(member))
    return reply(refuse(400, no_such_member(member, members()), as_json)); // 404 says it of a slice
  if (*open_ >= open_max_)
    return reply(refuse(503, "too many questions are open, ask again", as_json));
  ++*open_;
  const auto all = std::make_shared<gathering>(*slice, as_json, reply, open_);
  for (const auto& [name, put] : seats_) {
    if (!member.empty() && name != member)
      continue;
    all->expect(name);
    if (put)
      put({*slice, [all](member_told told) { all->take(std::move(told)); }});
  }
}

} // namespace sliceferry
