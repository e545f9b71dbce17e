#pragma once
#include "actors/core/decide.hpp"
#include "actors/core/exporter.hpp"
#include "actors/core/write_queue.hpp"
#include "messages/overloaded.hpp"
#include "test/core/picture.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sliceferry::core {

/// A member, a hub and a writer around the exporter of one slice, as small as they can be.
///
/// The truth (`slice`, `hub`, `says`) is changed by the test and by the commands carried out; the exporter sees a copy
/// that `look` refreshes and that the answers to its own writes bring up to date. The writer is the write queue of the
/// real one, with one command at a time, which it carries out when asked to.
class fleet {
public:
  struct object {
    hub_export shown;
    slice_export_spec spec;
    bool held_by_finalizer = false;
  };
  using exports = std::map<std::string, object>;

  std::optional<endpoint_slice> slice;
  exports hub;
  consent says = consent::granted;
  bool adds_finalizer = true; ///< as the hub controller does to each export
  bool rests = false;         ///< the exporter is asked to give up its place
  seconds_utc now = noon;
  std::vector<command> written; ///< that reached a server
  std::vector<event> journal;

  fleet() : slice{picture{}.slice} { restart({}); }

  /// A new process, with the memory it has left.
  void restart(memory held) {
    machine_ = std::make_unique<exporter>(std::make_shared<const member_identity>(m1), "u1", std::move(held));
    writer_ = std::make_unique<write_queue>(write_limits{}, 1);
    queued_.reset();
    is_sent_ = is_wished_away_ = false;
    look();
  }

  const exporter& machine() const { return *machine_; }
  bool is_queued() const { return queued_.has_value(); }

  /// The watch catches up; the exporter hears of it by the next `observe`.
  void look() {
    seen_slice_ = slice;
    seen_hub_ = hub;
    seen_says_ = says;
  }

  exporter::step observe(const std::optional<outcome>& ended = {}) {
    observation told;
    told.number = ++number_;
    told.now = shown();
    told.ended = ended;
    told.rest = rests;
    const auto before = machine_->held();
    auto step = machine_->observe(told, now);
    EXPECT_EQ(replay(step.events, before), machine_->held()) << "memory is nothing but its events, folded";
    journal.insert(journal.end(), step.events.begin(), step.events.end());
    if (step.action)
      carry(*step.action);
    return step;
  }

  /// The command leaves the writer: from now on it is too late to replace it or take it back.
  void send() {
    if (std::exchange(is_sent_, true))
      return;
    moment_ += std::chrono::minutes{10}; // no wait of the writer is longer
    const auto sent = writer_->next(moment_);
    ASSERT_TRUE(sent && sent->asked.ticket == queued_->ticket && sent->asked.what == queued_->what);
    EXPECT_FALSE(is_wished_away_) << "it must not leave again";
  }

  /// The writer carries out what it holds. `lost`: the server did it, or not, and the answer never came. `unavailable`:
  /// the server did nothing, and the writer will try again.
  enum class answer { given, lost_done, lost_undone, unavailable };
  void serve(answer how = answer::given) {
    send();
    is_sent_ = false;
    const work_id id{{"m1", "u1"}, queued_->ticket};
    if (how == answer::unavailable) {
      if (writer_->retry(id, {errc::unavailable, {}, {}, 503}, moment_))
        let_go(verdict::taken_back);
      return;
    }
    const auto asked = *std::exchange(queued_, std::nullopt);
    is_wished_away_ = false;
    outcome end = make_outcome(asked.ticket, verdict::done);
    if (how != answer::lost_undone)
      execute(asked.what, end);
    if (how != answer::given)
      end.how = verdict::ambiguous;
    read_back(asked.what, end);
    writer_->finished(id, end.how, moment_);
    observe(end);
  }

  /// Observes and serves until nothing is owed. False if that doesn't come to an end.
  bool run() {
    look();
    bool settled = observe().settled;
    for (int rounds = 0; rounds < 40; ++rounds) {
      if (!is_queued() && settled && !finish_deletes())
        return true;
      if (is_queued())
        serve();
      look();
      settled = observe().settled;
    }
    return false;
  }

  void change_endpoints() {
    touch(slice->generation += 1);
    slice->ready.push_back(endpoint{{"10.0.1." + std::to_string(slice->generation)}});
  }
  void touch(std::int64_t = 0) { slice->resource_version = next_version(); }

  void put_foreign(const std::string& name) {
    auto spec = project(m1, *slice, now);
    spec.reference.uid = "another";
    store(name, spec, now);
  }

  /// Someone edits an export on the hub.
  void edit(object& each) {
    each.spec.endpoints = {endpoint{{"6.6.6.6"}}};
    each.shown.digest = digest(each.spec);
    each.shown.resource_version = next_version();
  }

  void remove(const std::string& name) {
    auto& each = hub.at(name);
    if (!each.held_by_finalizer) {
      hub.erase(name);
      return;
    }
    each.shown.terminating = true;
    each.shown.resource_version = next_version();
  }

  /// The hub controller lets go of what is terminating. True if there was any.
  bool finish_deletes() {
    return std::erase_if(hub, [](const auto& each) { return each.second.shown.terminating; }) > 0;
  }

  inputs shown() const {
    inputs out = picture{}.seen;
    out.says = seen_says_;
    out.gone = !seen_slice_;
    if (seen_slice_)
      out.slice = std::make_shared<const endpoint_slice>(*seen_slice_);
    for (const auto& [name, each] : seen_hub_)
      if (each.shown.mine || (seen_slice_ && seen_slice_->ours.name == name))
        out.hub.push_back(each.shown);
    return out;
  }

private:
  std::string next_version() { return std::to_string(++versions_); }

  void store(const std::string& name, const slice_export_spec& spec, seconds_utc created) {
    object each;
    each.spec = spec;
    each.shown.name = name;
    each.shown.uid = "h" + next_version();
    each.shown.created = created;
    each.held_by_finalizer = adds_finalizer;
    hub[name] = each;
    refresh(hub[name]);
  }

  void refresh(object& each) {
    each.shown.resource_version = next_version();
    each.shown.generation = each.spec.reference.generation;
    each.shown.since = each.spec.reference.exported_since;
    each.shown.digest = digest(each.spec);
    each.shown.mine = each.spec.reference.uid == "u1";
  }

  void carry(const slot_action& action) {
    std::visit(overloaded{
                 [&](const submit_command& x) { submit(x); },
                 [&](const take_back_command& x) {
                   ASSERT_TRUE(queued_ && queued_->ticket == x.ticket);
                   if (writer_->take_back({{"m1", "u1"}, x.ticket}, moment_))
                     return let_go(verdict::taken_back);
                   come_too_late(x.ticket);
                 },
               },
               action);
  }

  void submit(const submit_command& x) {
    if (const auto* applied = std::get_if<apply_export>(&x.what)) {
      EXPECT_EQ(seen_slice_->ours.name, applied->name) << "never before the slice carries the name";
    }
    ASSERT_EQ(queued_.has_value(), x.replaces.has_value()) << "one command out";
    const auto end = writer_->submit({"m1", "u1", x.ticket, x.what}, x.replaces, moment_);
    if (!end.accepted)
      return come_too_late(x.ticket);
    EXPECT_EQ(end.superseded, x.replaces);
    queued_ = x;
    if (end.superseded)
      observe(make_outcome(*end.superseded, verdict::superseded));
  }

  void let_go(verdict how) {
    is_wished_away_ = false;
    observe(make_outcome(std::exchange(queued_, std::nullopt)->ticket, how));
  }

  void come_too_late(std::uint64_t ticket) {
    EXPECT_TRUE(is_sent_);
    is_wished_away_ = true;
    observe(make_outcome(ticket, verdict::too_late));
  }

  void execute(const command& what, outcome& end) {
    written.push_back(what);
    std::visit(overloaded{
                 [&](const annotate_slice& x) {
                   annotate(end, {x.name, std::to_string(x.generation), format_rfc3339(x.since)});
                 },
                 [&](const clear_annotations&) { annotate(end, {}); },
                 [&](const apply_export& x) { apply(x, end); },
                 [&](const withdraw_export& x) {
                   const auto at = hub.find(x.name);
                   if (at == hub.end())
                     end.how = verdict::missing;
                   else if (at->second.shown.uid != x.hub_uid)
                     end.how = verdict::other_uid;
                   else {
                     EXPECT_TRUE(at->second.shown.mine) << "law 6";
                     remove(x.name);
                   }
                 },
               },
               what);
  }

  void annotate(outcome& end, const slice_annotations& ours) {
    if (!slice) {
      end.how = verdict::missing;
      return;
    }
    if (slice->ours != ours)
      touch();
    slice->ours = ours;
  }

  void apply(const apply_export& x, outcome& end) {
    const auto at = hub.find(x.name);
    if (!x.target && at == hub.end()) {
      store(x.name, *x.spec, now);
    } else if (!x.target) {
      end.how = verdict::already_exists;
    } else if (at == hub.end()) {
      end.how = verdict::missing;
    } else if (at->second.shown.uid != x.target->uid) {
      end.how = verdict::other_uid;
    } else if (at->second.shown.resource_version != x.target->resource_version) {
      end.how = verdict::conflict;
    } else {
      at->second.spec = *x.spec;
      refresh(at->second);
    }
  }

  /// The object in the answer, or in the read that follows a lost one, is an observation like any other.
  void read_back(const command& what, outcome& end) {
    end.read = end.how != verdict::done;
    if (is_member_write(what)) {
      end.slice_answered = slice.has_value();
      seen_slice_ = slice;
      return;
    }
    const auto name = std::holds_alternative<apply_export>(what) ? std::get<apply_export>(what).name
                                                                 : std::get<withdraw_export>(what).name;
    const auto at = hub.find(name);
    if (at == hub.end()) {
      seen_hub_.erase(name);
      return;
    }
    end.exported = at->second.shown;
    seen_hub_[name] = at->second;
  }

  std::optional<endpoint_slice> seen_slice_;
  exports seen_hub_;
  consent seen_says_ = consent::granted;
  std::unique_ptr<exporter> machine_;
  std::unique_ptr<write_queue> writer_;
  tick moment_{};
  std::optional<submit_command> queued_;
  bool is_sent_ = false;
  bool is_wished_away_ = false; ///< too late
  std::uint64_t number_ = 0;
  std::uint64_t versions_ = 1000;
};

/// Exported at noon; now it is a minute later.
inline fleet exported() {
  fleet all;
  EXPECT_TRUE(all.run());
  all.written.clear();
  all.now += std::chrono::seconds{60};
  return all;
}

} // namespace sliceferry::core
