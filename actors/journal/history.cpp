#include "actors/journal/history.hpp"

#include "actors/journal/journal_reader.hpp"
#include "actors/journal/packer.hpp"
#include "actors/journal/reading_child.hpp"
#include "actors/journal/record_codec.hpp"
#include "actors/journal/record_text.hpp"

#include <algorithm>
#include <chrono>
#include <memory>
#include <utility>
#include <variant>

namespace sliceferry::journal {
namespace {

using kind = reading_end::kind;

/// By how much the clock may have been set back between two records without that one of them is overlooked.
constexpr std::chrono::hours clock_slack{1};
constexpr std::size_t piece_bytes = 64U << 10U;

/// Gathers lines into bigger pieces for the sink.
class line_buffer {
public:
  explicit line_buffer(const text_sink& sink) : sink_(sink) {}

  bool add(std::string_view line) {
    text_ += line;
    return text_.size() < piece_bytes || flush();
  }
  bool flush() {
    const bool taken = text_.empty() || sink_(text_);
    text_.clear();
    return taken;
  }

private:
  const text_sink& sink_;
  std::string text_;
};

/// Picks the records that were asked for and puts them into words.
class narrator {
public:
  narrator(const history_query& asked, const text_sink& sink) : asked_(asked), out_(sink) {
    if (!asked.slice)
      return;
    packer trait{trait_};
    trait.put_text(asked.slice->nspace);
    trait.put_text(asked.slice->name);
  }

  bool take(std::uint64_t position, std::string_view bytes) {
    const bool sound = is_intact(bytes);
    // Decoding takes most of the time, and most records are of others.
    if (sound && (is_too_old(bytes) || bytes.find(trait_) == std::string_view::npos))
      return true;
    const auto record = sound ? decode_record(position, bytes) : std::nullopt;
    if (!record) {
      const bool newer = flaw_of_record(bytes) == flaw::newer;
      return out_.add(asked_.json ? unreadable_to_json(position, newer) : unreadable_to_line(position, newer));
    }
    return !is_wanted(*record) || tell(*record);
  }

  bool flush() { return out_.flush(); }
  std::uint64_t told() const { return told_; }

private:
  bool is_too_old(std::string_view bytes) const {
    const auto at = asked_.since ? moment_in(bytes) : std::nullopt;
    return at && *at < *asked_.since;
  }

  bool is_wanted(const journal_record& record) const {
    if (std::holds_alternative<interruption>(record.what))
      return !asked_.slice;
    return (!asked_.slice || record.slice == *asked_.slice) &&
           (asked_.member.empty() || record.whose.member == asked_.member);
  }

  bool tell(const journal_record& record) {
    ++told_;
    if (asked_.json)
      return out_.add(to_json(record));
    if (asked_.slice && (told_ == 1 || record.whose != whose_)) {
      whose_ = record.whose;
      if (!out_.add(to_string(record.slice) + " of member " + whose_.member + ", uid " + whose_.slice_uid + ":\n"))
        return false;
    }
    return out_.add(lines_.line(record));
  }

  const history_query& asked_;
  line_buffer out_;
  record_lines lines_;
  std::string trait_; ///< bytes that each wanted record has; all have none
  stream_id whose_;
  std::uint64_t told_ = 0;
};

/// The time of the first record at or after this position that can be read.
std::optional<moment> time_at(journal_reader& from, std::uint64_t position, std::uint64_t last) {
  std::optional<moment> out;
  // An error shows again when the log is read.
  (void)from.read_log(position, last, [&](std::uint64_t at, std::string_view bytes) {
    if (const auto record = decode_record(at, bytes))
      out = record->at;
    return !out;
  });
  return out;
}

/// Where to begin so that nothing since then is left out.
std::uint64_t first_since(journal_reader& from, const journal_outline& seen, moment since) {
  std::uint64_t low = seen.first;
  std::uint64_t high = seen.last + 1; // first that is late enough
  while (low < high) {
    const std::uint64_t middle = low + (high - low) / 2;
    const auto time = time_at(from, middle, middle);
    if (time && *time < since - clock_slack)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

std::string subject(const history_query& asked) {
  std::string out = asked.slice ? to_string(*asked.slice) : "any slice";
  if (!asked.member.empty())
    out += " of member " + asked.member;
  if (asked.since)
    out += " since " + format_moment(*asked.since);
  return out;
}

std::string note_on(const history_query& asked, const journal_outline& seen, std::optional<moment> oldest,
                    std::uint64_t told) {
  std::string out = told == 0 ? "Nothing is recorded of " + subject(asked) + ".\n" : std::string{};
  if (!oldest)
    return out + "The journal's log is empty.\n";
  out += "The journal's log reaches back to " + format_moment(*oldest);
  out += seen.first <= 1 ? ", its beginning.\n" : "; what was before has been cut.\n";
  return out;
}

} // namespace

reading_end tell_history(journal_reader& from, const history_query& asked, const text_sink& sink) {
  journal_outline seen;
  if (std::string wrong = from.outline(seen); !wrong.empty())
    return {kind::failed, wrong + '\n'};
  narrator story(asked, sink);
  std::optional<moment> oldest;
  if (seen.first != 0) {
    oldest = time_at(from, seen.first, seen.last);
    const std::uint64_t known = asked.after.value_or(0);
    const std::uint64_t start = std::max(asked.since ? first_since(from, seen, *asked.since) : seen.first, known + 1);
    const auto take = [&](std::uint64_t position, std::string_view bytes) { return story.take(position, bytes); };
    const std::string wrong = known < seen.last ? from.read_log(start, seen.last, take) : std::string{};
    story.flush();
    if (!wrong.empty())
      return {kind::failed, wrong + '\n'};
  }
  return {kind::answered, note_on(asked, seen, oldest, story.told())};
}

reading_end show_history(const history_query& asked, const text_sink& sink) {
  const auto work = [&](const text_sink& to) -> reading_end {
    auto opened = journal_reader::open(asked.directory);
    if (const auto* why = std::get_if<std::string>(&opened))
      return {kind::failed, *why + '\n'};
    return tell_history(*std::get<std::unique_ptr<journal_reader>>(opened), asked, to);
  };
  return read_in_child(asked.directory, work, sink);
}

} // namespace sliceferry::journal
