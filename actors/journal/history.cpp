#include "actors/journal/history.hpp"

#include "actors/journal/journal_reader.hpp"
#include "actors/journal/known_members.hpp"
#include "actors/journal/packer.hpp"
#include "actors/journal/reading_child.hpp"
#include "actors/journal/record_codec.hpp"
#include "actors/journal/record_text.hpp"
#include "actors/journal/stream_key.hpp"

#include <algorithm>
#include <chrono>
#include <limits>
#include <memory>
#include <utility>
#include <variant>
#include <vector>

namespace sliceferry::journal {
namespace {

using kind = reading_end::kind;

/// By how much the clock may have been set back between two records without that one of them is overlooked.
constexpr std::chrono::hours clock_slack{1};
constexpr std::size_t piece_bytes = 64U << 10U;
constexpr int attempts_max = 5;

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
    if (sound && (is_too_old(bytes) || is_of_others(bytes)))
      return true;
    const auto record = sound ? decode_record(position, bytes) : std::nullopt;
    if (!record) {
      const bool newer = flaw_of_record(bytes) == flaw::newer;
      return out_.add(asked_.json ? unreadable_to_json(position, newer) : unreadable_to_line(position, newer));
    }
    if (std::holds_alternative<interruption>(record->what))
      return tell_kept(position) && tell_interruption(*record);
    return !is_wanted(*record) || (tell_kept(position) && tell(*record));
  }

  /// A memory of the snapshot, before any record.
  void keep(std::string_view key, std::string_view bytes) {
    if (bytes.find(trait_) == std::string_view::npos)
      return;
    auto kept = decode_memory(bytes);
    if (!kept || kept->slice != *asked_.slice)
      return;
    if (auto whose = stream_of(key))
      kept->whose = std::move(*whose);
    if (asked_.member.empty() || kept->whose.member == asked_.member)
      kept_.insert(std::ranges::upper_bound(kept_, kept->covers, {}, &kept_memory::covers), std::move(*kept));
  }
  void forget_kept() { kept_.clear(); }

  bool end() {
    const bool is_wanted = tell_kept(std::numeric_limits<std::uint64_t>::max());
    return out_.flush() && is_wanted;
  }
  bool told_of_snapshot() const { return told_of_snapshot_; }
  std::uint64_t told() const { return told_; }

private:
  bool is_too_old(std::string_view bytes) const {
    const auto at = asked_.since ? moment_in(bytes) : std::nullopt;
    return at && *at < *asked_.since;
  }

  /// An interruption has no stream, and concerns them all.
  bool is_of_others(std::string_view bytes) const {
    return bytes.find(trait_) == std::string_view::npos && !stream_key_in(bytes).empty();
  }

  bool is_wanted(const journal_record& record) const {
    return (!asked_.slice || record.slice == *asked_.slice) &&
           (asked_.member.empty() || record.whose.member == asked_.member);
  }

  bool tell(const journal_record& record) {
    // Its whole life follows.
    if (std::holds_alternative<remembered>(record.what))
      std::erase_if(kept_, [&](const kept_memory& each) { return each.whose == record.whose; });
    ++told_;
    if (asked_.json)
      return out_.add(to_json(record));
    return introduce(record.whose) && out_.add(lines_.line(record));
  }

  /// What lies before all that is told of a slice takes nothing from its story.
  bool tell_interruption(const journal_record& record) {
    if (asked_.slice && told_ == 0)
      return true;
    ++told_;
    return out_.add(asked_.json ? to_json(record) : lines_.line(record));
  }

  /// Memories that have folded nothing from this position on.
  bool tell_kept(std::uint64_t position) {
    const auto is_due = [&](const kept_memory& each) { return each.covers < position; };
    bool is_taken = true;
    for (auto each = kept_.begin(); is_taken && each != kept_.end(); ++each) {
      if (!is_due(*each))
        continue;
      ++told_;
      told_of_snapshot_ = true;
      is_taken = asked_.json ? out_.add(to_json(*each)) : introduce(each->whose) && out_.add(lines_.line(*each));
    }
    std::erase_if(kept_, is_due);
    return is_taken;
  }

  bool introduce(const stream_id& whose) {
    if (!asked_.slice || introduced_ == whose)
      return true;
    introduced_ = whose;
    return out_.add(to_string(*asked_.slice) + " of member " + whose.member + ", uid " + whose.slice_uid + ":\n");
  }

  const history_query& asked_;
  line_buffer out_;
  record_lines lines_;
  std::string trait_;                   ///< bytes that each wanted record has; all have none
  std::optional<stream_id> introduced_; ///< whose records follow
  std::vector<kept_memory> kept_;       ///< what the snapshot knows, and the log perhaps doesn't; in order
  std::uint64_t told_ = 0;
  bool told_of_snapshot_ = false;
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
  if (asked.after)
    out += " after " + std::to_string(*asked.after);
  return out;
}

/// Takes what the snapshot knows, if the log may know less; `seen` is then of the same snapshot.
std::string read_kept(journal_reader& from, const history_query& asked, journal_outline& seen, narrator& story) {
  if (!asked.slice || asked.since || asked.after)
    return {};
  for (int attempt = 0; attempt < attempts_max; ++attempt) {
    if (!seen.has_snapshot || seen.first == 1)
      return {};
    const journal_outline before = seen;
    std::string wrong = from.read_snapshot(seen.snapshot, {}, [&](std::string_view key, std::string_view bytes) {
      story.keep(key, bytes);
      return true;
    });
    if (wrong.empty())
      wrong = from.outline(seen);
    if (!wrong.empty())
      return wrong;
    if (seen.has_snapshot && seen.snapshot == before.snapshot && seen.covers == before.covers)
      return {};
    story.forget_kept();
  }
  return "the program is taking snapshots faster than they can be read; ask again";
}

std::string note_on(const history_query& asked, const journal_outline& seen, std::optional<moment> oldest,
                    const narrator& story) {
  std::string out = story.told() == 0 ? "Nothing is recorded of " + subject(asked) + ".\n" : std::string{};
  const std::string_view kept = story.told_of_snapshot() ? "; the snapshot's memory of it is shown" : "";
  if (!oldest)
    return out + "The journal's log is empty" + std::string{kept} + ".\n";
  out += "The journal's log reaches back to " + format_moment(*oldest);
  out += seen.first <= 1 ? ", its beginning" : "; what was before has been cut";
  return out + std::string{kept} + ".\n";
}

/// Why the question can't be answered with these members and positions, if so.
std::optional<reading_end> why_not(journal_reader& from, const history_query& asked, const journal_outline& seen) {
  if (!asked.member.empty()) {
    auto [unknown, wrong] = judge_member(from, asked.member);
    if (!wrong.empty())
      return reading_end{kind::failed, wrong + '\n'};
    if (!unknown.empty())
      return reading_end{kind::misasked, std::move(unknown)};
  }
  // A log that was cut whole goes on behind its snapshot.
  const std::uint64_t newest =
    std::max({seen.last, seen.has_snapshot ? seen.covers : 0, std::max<std::uint64_t>(seen.start, 1) - 1});
  if (asked.after.value_or(0) <= newest)
    return std::nullopt;
  // A journal that began anew begins at 1: whoever waited for more would wait for ever.
  return reading_end{kind::failed, "nothing after " + std::to_string(*asked.after) + "; the last position is " +
                                     std::to_string(newest) + '\n'};
}

} // namespace

reading_end tell_history(journal_reader& from, const history_query& asked, const text_sink& sink) {
  journal_outline seen;
  if (std::string wrong = from.outline(seen); !wrong.empty())
    return {kind::failed, wrong + '\n'};
  if (auto why = why_not(from, asked, seen))
    return std::move(*why);
  narrator story(asked, sink);
  if (std::string wrong = read_kept(from, asked, seen, story); !wrong.empty())
    return {kind::failed, wrong + '\n'};
  std::optional<moment> oldest;
  if (seen.first != 0) {
    oldest = time_at(from, seen.first, seen.last);
    const std::uint64_t known = asked.after.value_or(0);
    const std::uint64_t start = std::max(asked.since ? first_since(from, seen, *asked.since) : seen.first, known + 1);
    const auto take = [&](std::uint64_t position, std::string_view bytes) { return story.take(position, bytes); };
    const std::string wrong = known < seen.last ? from.read_log(start, seen.last, take) : std::string{};
    if (!wrong.empty()) {
      story.end();
      return {kind::failed, wrong + '\n'};
    }
  }
  story.end();
  // As of a name that isn't there; but who asks for news alone may well hear of none.
  const bool is_unknown = asked.slice && !asked.since && !asked.after && story.told() == 0;
  return {is_unknown ? kind::failed : kind::answered, note_on(asked, seen, oldest, story)};
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
