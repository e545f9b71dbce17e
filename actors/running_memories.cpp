#include "actors/running_memories.hpp"

#include "actors/journal/record_text.hpp"
#include "actors/memory_desk.hpp"
#include "actors/wall_clock.hpp"

#include <algorithm>
#include <chrono>
#include <string_view>
#include <utility>

namespace sliceferry {

namespace {

constexpr std::string_view mark = "# journal ";
constexpr std::string_view none = "none";

/// What is before the next such character, which is taken too.
std::string_view take(std::string_view& rest, char until) {
  const auto end = std::min(rest.find(until), rest.size());
  const auto out = rest.substr(0, end);
  rest.remove_prefix(std::min(end + 1, rest.size()));
  return out;
}

} // namespace

std::string journal_line(const std::optional<journal::journal_status>& kept, journal::moment now) {
  std::string out{mark};
  out += kept ? std::string_view{core::name_of(kept->state)} : none;
  if (kept && kept->state == core::journal_state::degraded) {
    const auto since = now - std::chrono::duration_cast<std::chrono::milliseconds>(kept->lasts);
    out += ' ' + journal::format_moment(since) + ' ' + kept->why;
    std::ranges::replace(out, '\n', ' ');
  }
  return out + '\n';
}

admin_questions with_journal_line(admin_questions pages, std::function<std::string()> line) {
  for (auto& [path, page] : pages)
    page = [line, page = std::move(page)](const asked_path& asked, admin_reply reply) {
      page(asked, [line, reply = std::move(reply)](admin_answer answer) {
        if (answer.status == 200)
          answer.body.insert(0, line());
        reply(std::move(answer));
      });
    };
  return pages;
}

admin_questions with_journal_line(admin_questions pages, const journal::journal* kept) {
  return with_journal_line(std::move(pages), [kept] {
    const auto now = kept != nullptr ? std::optional{kept->status()} : std::nullopt;
    return journal_line(now, wall_clock_in_milliseconds());
  });
}

std::optional<running_memories> read_memories(const std::string& text) {
  std::string_view rest{text};
  if (!rest.starts_with(mark))
    return std::nullopt;
  auto line = take(rest, '\n').substr(mark.size());
  const auto state = take(line, ' ');
  running_memories out;
  out.keeps_journal = state != none;
  if (state == core::name_of(core::journal_state::degraded)) {
    const auto since = take(line, ' ');
    out.degraded = {std::string{since}, std::string{line}};
  }
  auto digests = read_memory_lines(std::string{rest});
  if (!digests)
    return std::nullopt;
  out.digests = std::move(*digests);
  return out;
}

} // namespace sliceferry
