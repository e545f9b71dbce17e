#include "actors/journal/replay.hpp"

#include "actors/journal/journal_reader.hpp"
#include "actors/journal/known_members.hpp"
#include "actors/journal/memory_codec.hpp"
#include "actors/journal/reading_child.hpp"
#include "actors/journal/record_codec.hpp"
#include "actors/journal/replay_report.hpp"
#include "actors/journal/stream_folds.hpp"
#include "actors/journal/stream_key.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <utility>
#include <variant>

namespace sliceferry::journal {
namespace {

using kind = reading_end::kind;

constexpr int attempts_max = 5;
constexpr std::size_t hash_bytes = 8; // that a key begins with

std::string flawed(const std::string& what, flaw why) {
  return what + (why == flaw::newer ? " is of a later version of this program" : " is damaged");
}

/// One replay of a journal that may change meanwhile.
class replayer {
public:
  replayer(journal_reader& from, const replay_query& asked, const journal_outline& seen)
    : from_(from), asked_(asked), seen_(seen), report_(asked.json, asked.degraded) {
    if (!asked.running)
      return;
    unmatched_ = *asked.running;
    for (const auto& [whose, digest] : unmatched_) {
      running_members_.insert(whose.member);
      if (auto key = stream_key(whose); is_hashed_key(key))
        hashed_.emplace(std::move(key), whose);
    }
  }

  /// What is wrong, or nothing.
  std::string run();
  const replay_report& report() const { return report_; }

private:
  std::string pass(stream_folds& folds, bool first);
  void take_kept(stream_folds& folds, std::string_view key, std::string_view bytes);
  void take_record(stream_folds& folds, std::uint64_t position, std::string_view bytes, bool first);
  bool is_wanted(std::string_view key) const;
  void compare(std::string_view key, const core::memory& held);

  journal_reader& from_;
  const replay_query& asked_;
  const journal_outline& seen_;
  replay_report report_;
  memory_digests unmatched_;              ///< of the running program
  std::set<std::string> running_members_; ///< that it told of
  std::map<std::string, stream_id, std::less<>>
    hashed_; ///< of the running program's streams, those whose keys don't tell
  // Told already: what one pass has no room for, the next one meets again.
  std::set<std::uint64_t> faulty_records_;
  std::set<std::string, std::less<>> faulty_memories_;
  std::uint64_t expected_ = 0;
};

std::string replayer::run() {
  std::string from_key;
  for (bool first = true;; first = false) {
    stream_folds folds(seen_.has_snapshot ? std::optional{seen_.covers} : std::nullopt, from_key, asked_.streams_max);
    if (std::string wrong = pass(folds, first); !wrong.empty())
      return wrong;
    report_.add(folds.finish([this](std::string_view key, const core::memory& held) { compare(key, held); }));
    for (const auto& each : folds.found())
      report_.add(each);
    if (!folds.end_key())
      break;
    from_key = *folds.end_key();
  }
  for (const auto& [whose, digest] : unmatched_)
    if (digest && (asked_.member.empty() || whose.member == asked_.member))
      report_.add_running(whose, "the running program remembers it, the journal doesn't");
  return {};
}

std::string replayer::pass(stream_folds& folds, bool first) {
  std::string wrong;
  if (seen_.has_snapshot)
    wrong = from_.read_snapshot(seen_.snapshot, {}, [&](std::string_view key, std::string_view bytes) {
      take_kept(folds, key, bytes);
      return true;
    });
  expected_ = seen_.first;
  if (wrong.empty() && seen_.first != 0)
    wrong = from_.read_log(seen_.first, seen_.last, [&](std::uint64_t position, std::string_view bytes) {
      take_record(folds, position, bytes, first);
      return true;
    });
  return wrong;
}

/// A hashed key doesn't tell its member, but the running program may.
bool replayer::is_wanted(std::string_view key) const {
  if (asked_.member.empty())
    return true;
  if (is_hashed_key(key)) {
    const auto hashed = hashed_.find(key);
    return hashed != hashed_.end() && hashed->second.member == asked_.member;
  }
  const std::string_view rest = key.substr(std::min(hash_bytes, key.size()));
  return rest.substr(0, rest.find('\0')) == asked_.member;
}

void replayer::take_kept(stream_folds& folds, std::string_view key, std::string_view bytes) {
  if (!is_wanted(key) || !folds.takes(key))
    return;
  if (auto kept = decode_memory(bytes)) {
    folds.keep(key, std::move(*kept));
    return;
  }
  if (!faulty_memories_.emplace(key).second)
    return;
  const auto whose = stream_of(key).value_or(stream_id{});
  report_.add_fault(
    0, flawed("the snapshot's memory of member " + whose.member + ", uid " + whose.slice_uid, flaw_of_memory(bytes)));
}

void replayer::take_record(stream_folds& folds, std::uint64_t position, std::string_view bytes, bool first) {
  if (first && position != expected_)
    report_.add_fault(expected_,
                      "records " + std::to_string(expected_) + " to " + std::to_string(position - 1) + " are missing");
  expected_ = position + 1;
  if (first)
    report_.count_record();
  const std::string_view key = stream_key_in(bytes);
  if (!is_intact(bytes) || (!key.empty() && is_wanted(key) && folds.takes(key))) {
    const auto record = decode_record(position, bytes);
    if (record)
      folds.add(key, *record);
    else if (faulty_records_.insert(position).second)
      report_.add_fault(position, flawed("record " + std::to_string(position), flaw_of_record(bytes)));
  }
}

void replayer::compare(std::string_view key, const core::memory& held) {
  if (!asked_.running)
    return;
  const auto hashed = hashed_.find(key);
  const auto whose = hashed == hashed_.end() ? stream_of(key) : hashed->second;
  if (!whose || !running_members_.contains(whose->member))
    return;
  const auto theirs = unmatched_.find(*whose);
  if (theirs == unmatched_.end()) {
    if (!core::ended(held) && held != core::memory{})
      report_.add_running(*whose, "the journal remembers it, the running program doesn't");
    return;
  }
  report_.count_compared(theirs->second ? 1 : 0);
  if (theirs->second && *theirs->second != digest_of(held))
    report_.add_running(*whose, "the running program remembers something else than the journal");
  unmatched_.erase(theirs);
}

/// True if what was read belongs together: no newer snapshot took the place of the one, and no record was cut.
bool unchanged(const journal_outline& before, const journal_outline& after) {
  return before.first == after.first && before.has_snapshot == after.has_snapshot &&
         before.snapshot == after.snapshot && before.covers == after.covers;
}

bool is_running(const replay_query& asked) {
  const auto is_its = [&](const auto& each) { return each.first.member == asked.member; };
  return asked.running != nullptr && std::ranges::any_of(*asked.running, is_its);
}

} // namespace

reading_end replay(journal_reader& from, const replay_query& asked, const text_sink& sink) {
  if (!asked.member.empty() && !is_running(asked)) {
    auto [unknown, wrong] = judge_member(from, asked.member);
    if (!wrong.empty())
      return {kind::failed, wrong + '\n'};
    if (!unknown.empty())
      return {kind::misasked, std::move(unknown)};
  }
  for (int attempt = 0; attempt < attempts_max; ++attempt) {
    journal_outline before;
    journal_outline after;
    std::string wrong = from.outline(before);
    replayer one(from, asked, before);
    if (wrong.empty())
      wrong = one.run();
    if (wrong.empty())
      wrong = from.outline(after);
    if (!wrong.empty())
      return {kind::failed, wrong + '\n'};
    if (unchanged(before, after)) {
      sink(one.report().text(before));
      return {one.report().differs() ? kind::differs : kind::answered, {}};
    }
  }
  return {kind::failed, "the program is taking snapshots faster than they can be read; ask again\n"};
}

reading_end show_replay(const replay_query& asked, const text_sink& sink) {
  const auto work = [&](const text_sink& to) -> reading_end {
    auto opened = journal_reader::open(asked.directory);
    if (const auto* why = std::get_if<std::string>(&opened))
      return {kind::failed, *why + '\n'};
    return replay(*std::get<std::unique_ptr<journal_reader>>(opened), asked, to);
  };
  return read_in_child(asked.directory, work, sink);
}

} // namespace sliceferry::journal
