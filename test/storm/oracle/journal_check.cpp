#include "test/storm/oracle/journal_check.hpp"

#include "test/storm/oracle/json_fields.hpp"
#include "test/storm/oracle/seen_export.hpp"
#include "test/storm/oracle/seen_slice.hpp"
#include "test/storm/oracle/syntax.hpp"

#include <boost/json.hpp>

#include <algorithm>

namespace sliceferry::storm {
namespace {

namespace json = boost::json;

// Kept from one round to the next: a command that is queued follows from what was told last, or shortly before.
constexpr std::size_t names_max = 16;
constexpr std::size_t dated_max = 128;
constexpr std::size_t withdrawn_max = 500'000;
constexpr std::chrono::seconds on_its_way{1};
constexpr unsigned rounds_max = 3; ///< that a write may wait for its explanation while the program runs
constexpr unsigned rounds_gone_max = 8;

template <class T>
void keep_newest(std::deque<T>& all, std::size_t count_max) {
  if (all.size() > count_max)
    all.erase(all.begin(), all.end() - static_cast<std::ptrdiff_t>(count_max));
}

template <class T>
bool has(const std::deque<T>& all, const T& what) {
  return std::ranges::find(all, what) != all.end();
}

bool is_accepted_write(const history_entry& entry) {
  return entry.code >= 200 && entry.code < 300 && entry.what != history_entry::change::none;
}

std::string to_text(const dated_generation& each) {
  return "generation " + std::to_string(each.generation) + " of " + std::to_string(each.since);
}

} // namespace

void journal_check::observe(const history_entry& entry) {
  if (entry.mark == "restored")
    restored_.insert(entry.cluster);
  if (entry.user != user_ || !is_accepted_write(entry))
    return;
  const auto hub = members_.find(entry.nspace);
  const bool is_export = entry.cluster == "hub" && entry.resource == "endpointsliceexports" && hub != members_.end();
  const bool is_slice = entry.cluster != "hub" && entry.resource == "endpointslices";
  if (!is_export && !is_slice)
    return;
  boost::system::error_code bad;
  const auto object = json::parse(entry.object.empty() ? "null" : entry.object, bad);
  if (is_slice)
    observe_slice(entry, object);
  else
    observe_export(entry, hub->second, object);
}

journal_check::write journal_check::begin(const history_entry& entry, const std::string& member) {
  write out;
  out.at = entry.at;
  out.member = member;
  return out;
}

void journal_check::observe_slice(const history_entry& entry, const json::value& object) {
  const auto seen = read_slice(object, entry.cluster);
  if (!seen || entry.what != history_entry::change::modified)
    return; // we create and delete no slices; the oracle's rules judge whoever does
  auto made = begin(entry, entry.cluster);
  made.slice_uid = seen->uid;
  made.object = to_string(seen->key);
  auto& of = streams_[{made.member, made.slice_uid}];
  if (!seen->ours.name) {
    made.is = write::kind::clear;
  } else {
    made.export_name = *seen->ours.name;
    made.dated.generation = decimal(seen->ours.generation.value_or("")).value_or(-1);
    const auto since = read_time(seen->ours.timestamp.value_or(""));
    made.dated.since = since ? std::chrono::floor<std::chrono::seconds>(*since).count() : -1;
    of.exported = true;
  }
  fresh_.push_back(std::move(made));
}

void journal_check::observe_export(const history_entry& entry, const std::string& member, const json::value& object) {
  const auto seen = read_export(object);
  auto made = begin(entry, member);
  made.object = entry.nspace + '/' + entry.name;
  made.export_name = entry.name;
  made.hub_uid = seen ? seen->uid : entry.uid;
  if (entry.verb == "delete") {
    made.is = write::kind::withdraw;
    made.slice_uid = seen ? seen->slice_uid : ""; // for people and excuses: anyone may have edited it
    if (made.hub_uid.empty())
      return; // an audit log may not tell whom a delete met
  } else if (seen) {
    made.is = write::kind::apply;
    made.slice_uid = seen->slice_uid;
    made.dated = {seen->generation, seen->since.value_or(-1)};
    streams_[{made.member, made.slice_uid}].exported = true;
  } else {
    return;
  }
  fresh_.push_back(std::move(made));
}

void journal_check::seal() {
  sealed_.insert(sealed_.end(), std::make_move_iterator(fresh_.begin()), std::make_move_iterator(fresh_.end()));
  fresh_.clear();
  round_began_ = position_;
}

void journal_check::record(std::string_view text) {
  const auto line = read_journal_line(text);
  if (!line) {
    ++figures_.unreadable;
    return;
  }
  if (line->position <= position_)
    return;
  if (position_ != 0 && line->position != position_ + 1)
    found_.add({"journal gap", line->member, line->slice_uid, line->at,
                "record " + std::to_string(line->position) + " follows " + std::to_string(position_) + '\n'});
  position_ = line->position;
  take(*line);
}

void journal_check::take(const journal_line& line) {
  // After a damage all is read again, and counted once.
  const bool is_news = line.at > counted_until_ || !was_damaged_;
  counted_until_ = std::max(counted_until_, line.at);
  figures_.records += is_news ? 1U : 0U;
  if (line.is == journal_line::kind::interruption) {
    interrupted_at_ = line.position;
    // What it handed over until then may still be on its way to a server.
    excuse(line.from, line.at + on_its_way);
    figures_.interruptions += is_news ? 1U : 0U;
    if (is_news)
      figures_.interrupted += std::chrono::duration_cast<std::chrono::milliseconds>(line.at - line.from);
    return;
  }
  if (line.is == journal_line::kind::unreadable) {
    if (!was_damaged_)
      found_.add({"journal damaged", "", "", {}, "record " + std::to_string(line.position) + " can't be read\n"});
    return;
  }
  auto& of = streams_[{line.member, line.slice_uid}];
  of.known = true;
  of.rounds_gone = line.is == journal_line::kind::gone ? 1 : 0;
  if (line.is == journal_line::kind::remembered && interrupted_at_ != 0)
    of.patched_over = line.position;
  if (!line.export_name.empty())
    of.names.push_back(line.export_name);
  if (line.dated)
    of.dated.push_back(*line.dated);
  for (const auto& uid : line.withdrawn)
    if (withdrawn_.emplace(line.member, uid).second)
      withdrawn_order_.emplace_back(line.member, uid);
  for (; withdrawn_order_.size() > withdrawn_max; withdrawn_order_.pop_front())
    withdrawn_.erase(withdrawn_order_.front());
}

std::string journal_check::missing(const write& made) const {
  static const stream none;
  const auto found = streams_.find({made.member, made.slice_uid});
  const auto& of = found == streams_.end() ? none : found->second;
  switch (made.is) {
    case write::kind::annotate:
      if (!has(of.names, made.export_name))
        return "a slice was annotated, and its name was never told";
      return has(of.dated, made.dated) ? "" : "a slice was annotated, and nothing told its " + to_text(made.dated);
    case write::kind::apply: {
      if (!has(of.names, made.export_name))
        return "an export was written, and its name was never told";
      // An apply carries the newest content under the time that was told for an older one. Only where a backup was
      // restored does a slice's generation go back.
      const bool is_dated = std::ranges::any_of(of.dated, [&](const auto& each) {
        const bool is_older = each.generation <= made.dated.generation || restored_.contains(made.member);
        return each.since == made.dated.since && is_older;
      });
      return is_dated ? "" : "an export was written, and nothing told its " + to_text(made.dated);
    }
    case write::kind::withdraw:
      return withdrawn_.contains({made.member, made.hub_uid}) ? "" : "an export was deleted, and no withdrawal begun";
    case write::kind::clear:
      return of.known || !of.exported ? "" : "annotations were cleared, and nothing at all was told of the slice";
  }
  return {};
}

bool journal_check::is_excused(const write& made) const {
  const auto within = [&](const auto& span) { return made.at >= span.first && made.at <= span.second; };
  if (std::ranges::any_of(excuses_, within))
    return true;
  const auto of = streams_.find({made.member, made.slice_uid});
  return of != streams_.end() && of->second.patched_over > round_began_;
}

void journal_check::judge(bool is_final) {
  std::vector<write> waiting;
  for (auto& each : sealed_) {
    const auto lack = missing(each);
    const bool excused = !lack.empty() && is_excused(each);
    if (!lack.empty() && !excused && !is_final && ++each.rounds < rounds_max) {
      waiting.push_back(std::move(each));
      continue;
    }
    ++figures_.writes;
    figures_.excused += excused ? 1U : 0U;
    if (!lack.empty() && !excused)
      accuse(each, lack);
  }
  sealed_ = std::move(waiting);
  prune();
}

void journal_check::accuse(const write& made, const std::string& lack) {
  std::string story = lack + "\n  " + made.object + ", export " + made.export_name + ", slice uid " + made.slice_uid;
  if (!made.hub_uid.empty())
    story += ", hub uid " + made.hub_uid;
  story += "\n  at " + std::to_string(made.at.count()) + " us";
  const auto before = [&](const auto& span) { return span.first <= made.at; };
  if (const auto last = std::ranges::find_if(excuses_.rbegin(), excuses_.rend(), before); last != excuses_.rend())
    story += ", " + std::to_string((made.at - last->second).count()) + " us after the newest excuse ended";
  if (const auto of = streams_.find({made.member, made.slice_uid}); of != streams_.end()) {
    story += "\n  its stream told";
    for (const auto& name : of->second.names)
      story += ' ' + name;
    for (const auto& each : of->second.dated)
      story += ", " + to_text(each);
  }
  found_.add({"unjournaled", made.member, made.object, made.at,
              story + "\n  the journal was read up to record " + std::to_string(position_) + '\n'});
}

void journal_check::prune() {
  for (auto each = streams_.begin(); each != streams_.end();) {
    keep_newest(each->second.names, names_max);
    keep_newest(each->second.dated, dated_max);
    auto& rounds = each->second.rounds_gone;
    each = rounds != 0 && ++rounds > rounds_gone_max ? streams_.erase(each) : std::next(each);
  }
}

void journal_check::excuse(instant from, instant until) {
  excuses_.emplace_back(from, until);
}

void journal_check::forget() {
  figures_.writes += fresh_.size() + sealed_.size();
  figures_.excused += fresh_.size() + sealed_.size();
  fresh_.clear();
  sealed_.clear();
  streams_.clear();
  withdrawn_.clear();
  withdrawn_order_.clear();
  position_ = interrupted_at_ = round_began_ = 0;
  was_damaged_ = true;
}

journal_figures journal_check::figures() const {
  auto out = figures_;
  out.streams = streams_.size();
  return out;
}

} // namespace sliceferry::storm
