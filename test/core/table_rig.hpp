#pragma once
#include "actors/core/decide.hpp"
#include "actors/core/exporter.hpp"
#include "messages/overloaded.hpp"
#include "messages/rfc3339.hpp"
#include "test/core/member_world.hpp"

#include <gtest/gtest.h>

#include <deque>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sliceferry::core {

/// A member's table with real exporters over a `member_world`: what its dispatcher, its writers and two API servers do,
/// as small as it can be. Watches bring news when `hear` is called; a command is carried out, and answered, when
/// `serve` is called. While the member is out of reach its watches are silent and its commands wait.
class table_rig {
public:
  explicit table_rig(unsigned seed, std::string cluster = "m1") : world(seed) {
    who_.cluster = std::move(cluster);
    who_.hub_nspace = "fleet-m1";
    who_.seed = seed;
    restart();
  }

  member_world world;
  bool is_reachable = true;
  bool holds_deletes = false; ///< by a finalizer; `let_go` ends that
  std::size_t withdrawn = 0;  ///< deletes that the hub accepted

  member_table& table() { return *table_; }

  /// A new process that knows nothing.
  void restart(bool leaving = false) {
    table_.emplace(std::make_shared<const member_identity>(who_));
    exporters_.clear();
    queued_.clear();
    table_->leave(leaving);
    relist();
  }

  void relist() {
    world.answers.clear();
    if (is_reachable) {
      notify(table_->slices(whole(world.slices.list(world.dice))));
      notify(table_->consents(whole(world.consents.list(world.dice))));
    }
    notify(table_->exports(whole(world.exports.list(world.dice))));
  }

  void hear(std::size_t most) {
    world.answers.clear(); // of writes that no exporter asked for: somebody else's
    if (is_reachable) {
      notify(table_->slices(world.slices.hear(most)));
      notify(table_->consents(world.consents.hear(most)));
    }
    notify(table_->exports(world.exports.hear(most)));
  }

  void leave(bool on) { notify(table_->leave(on)); }

  /// One of the commands that can be served is. False if there is none.
  bool serve() {
    std::vector<std::size_t> able;
    for (std::size_t i = 0; i < queued_.size(); ++i)
      if (is_reachable || !is_member_write(queued_[i].what))
        able.push_back(i);
    if (able.empty())
      return false;
    const auto at =
      static_cast<std::ptrdiff_t>(able[static_cast<std::size_t>(world.below(static_cast<int>(able.size())))]);
    const auto asked = queued_[static_cast<std::size_t>(at)];
    queued_.erase(queued_.begin() + at);
    answer(execute(asked));
    return true;
  }

  /// The hub controller lets go of what terminates.
  void let_go() {
    std::vector<object_key> ending;
    for (const auto& [key, each] : world.exports.stored())
      if (each.terminating)
        ending.push_back(key);
    for (const auto& key : ending)
      world.exports.remove(key);
  }

  /// Everything is heard and served until nobody has anything to do.
  void settle() {
    for (int round = 0; round < 400; ++round) {
      hear(1000);
      prove();
      if (!serve() && world.exports.unheard() == 0 && (!is_reachable || world.slices.unheard() == 0))
        return;
    }
    ADD_FAILURE() << "it doesn't come to an end";
  }

  std::size_t queued() const { return queued_.size(); }
  std::size_t awake() const { return exporters_.size(); }

  std::vector<slice_export> exports_of(const std::string& cluster) const {
    std::vector<slice_export> out;
    for (const auto& [key, each] : world.exports.stored())
      if (each.spec.reference.cluster == cluster)
        out.push_back(each);
    return out;
  }

private:
  struct queued_command {
    std::string slice_uid;
    std::uint64_t ticket;
    command what;
  };

  template <class T>
  static watch_batch<T> whole(std::vector<watch_event<T>> events) {
    watch_batch<T> out;
    out.events = std::move(events);
    return out;
  }

  void notify(const touched& whom) {
    for (const auto& uid : whom.all ? table_->uids() : whom.uids)
      notify(uid, {});
  }

  void notify(const std::string& uid, const std::optional<outcome>& ended) {
    observation seen;
    seen.now = table_->inputs_of(uid);
    seen.ended = ended;
    auto at = exporters_.find(uid);
    if (at == exporters_.end()) {
      const auto held = table_->kept(uid);
      if (!held || quiet(who_, *held, seen.now, now_))
        return;
      at =
        exporters_.emplace(uid, exporter{std::make_shared<const member_identity>(who_), uid, table_->wake(uid)}).first;
    }
    seen.number = table_->next_number(uid);
    const auto step = at->second.observe(seen, now_);
    if (step.action)
      carry(uid, *step.action);
    at = exporters_.find(uid);
    if (step.settled && at != exporters_.end() && table_->retire(uid, at->second.seen(), at->second.held()))
      exporters_.erase(at);
  }

  void carry(const std::string& uid, const slot_action& action) {
    std::visit(overloaded{
                 [&](const submit_command& x) {
                   queued_.push_back({uid, x.ticket, x.what});
                   if (x.replaces)
                     take_out(uid, *x.replaces, verdict::superseded);
                 },
                 [&](const take_back_command& x) { take_out(uid, x.ticket, verdict::taken_back); },
               },
               action);
  }

  void take_out(const std::string& uid, std::uint64_t ticket, verdict how) {
    std::erase_if(queued_, [&](const auto& each) { return each.slice_uid == uid && each.ticket == ticket; });
    write_answer end;
    end.slice_uid = uid;
    end.ticket = ticket;
    end.how = how;
    answer(end);
  }

  void answer(const write_answer& end) {
    const auto effect = table_->answered(end);
    if (exporters_.contains(end.slice_uid))
      notify(end.slice_uid, effect.end);
    notify(effect.others);
  }

  void prove() {
    for (const auto& suspect : table_->take_leftovers({})) {
      if (!is_reachable)
        ADD_FAILURE() << "nobody can be asked about " << suspect.name;
      const auto at = world.slices.stored().find(suspect.slice);
      const auto found = at == world.slices.stored().end() ? std::nullopt : std::optional{at->second.uid};
      notify(table_->confirm(suspect, found));
    }
  }

  write_answer execute(const queued_command& asked) {
    write_answer end;
    end.slice_uid = asked.slice_uid;
    end.ticket = asked.ticket;
    std::visit(overloaded{
                 [&](const annotate_slice& x) {
                   annotate(x.slice, x.uid, {x.name, std::to_string(x.generation), format_rfc3339(x.since)}, end);
                 },
                 [&](const clear_annotations& x) { annotate(x.slice, x.uid, {}, end); },
                 [&](const apply_export& x) { apply(x, end); },
                 [&](const withdraw_export& x) { withdraw(x, end); },
               },
               asked.what);
    return end;
  }

  void annotate(const object_key& key, const std::string& uid, const slice_annotations& ours, write_answer& end) {
    const auto at = world.slices.stored().find(key);
    if (at == world.slices.stored().end() || at->second.uid != uid) {
      end.how = verdict::missing;
      return;
    }
    auto next = at->second;
    next.ours = ours;
    end.slice = world.slices.write(next);
  }

  void apply(const apply_export& x, write_answer& end) {
    const auto at = world.exports.stored().find({"fleet-m1", x.name});
    const bool exists = at != world.exports.stored().end();
    end.hub_uid = x.target ? x.target->uid : "";
    slice_export next;
    if (exists)
      next = at->second;
    if (!x.target && !exists) {
      next.key = {"fleet-m1", x.name};
      next.uid = "made-" + std::to_string(++made_);
    } else if (!x.target || !exists || next.uid != x.target->uid ||
               next.resource_version != x.target->resource_version) {
      end.how = !x.target ? verdict::already_exists : exists ? verdict::conflict : verdict::missing;
      end.read = true;
      if (exists)
        end.exported = next;
      return;
    }
    next.spec = *x.spec;
    end.exported = world.exports.write(next);
  }

  void withdraw(const withdraw_export& x, write_answer& end) {
    const object_key key{"fleet-m1", x.name};
    const auto at = world.exports.stored().find(key);
    end.hub_uid = x.hub_uid;
    if (at == world.exports.stored().end() || at->second.uid != x.hub_uid) {
      end.how = at == world.exports.stored().end() ? verdict::missing : verdict::other_uid;
      return;
    }
    EXPECT_EQ(at->second.spec.reference.cluster, who_.cluster) << "law 6";
    ++withdrawn;
    if (!holds_deletes)
      return world.exports.remove(key);
    auto ending = at->second;
    ending.terminating = true;
    end.exported = world.exports.write(ending);
  }

  member_identity who_;
  std::optional<member_table> table_;
  std::map<std::string, exporter> exporters_;
  std::vector<queued_command> queued_;
  seconds_utc now_{std::chrono::hours{500000}};
  int made_ = 0;
};

} // namespace sliceferry::core
