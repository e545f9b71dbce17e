#include "actors/core/member_table.hpp"

#include "actors/core/consent_rule.hpp"
#include "test/core/member_world.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace sliceferry::core {
namespace {

/// What an exporter could see of a slice, as text; versions of objects only where they count.
std::string text_of(const inputs& seen, bool with_versions) {
  std::string out = seen.slice ? to_string(seen.slice->key) + " " + seen.slice->uid : "-";
  if (seen.slice) {
    out += " " + seen.slice->service.value_or("-") + " " + seen.slice->ours.name.value_or("-");
    for (const auto& ready : seen.slice->ready)
      out += " " + ready.addresses.at(0);
    out += with_versions ? " @" + seen.slice->resource_version : "";
  }
  out += seen.gone ? " gone " : " ";
  out += to_string(seen.says);
  for (const auto& held : seen.hub) {
    out += " | " + held.name + " " + held.uid + " " + std::to_string(held.digest) + (held.mine ? " mine" : " foreign");
    out += with_versions ? " @" + held.resource_version : "";
  }
  return out;
}

/// The same, worked out from the clusters as they are, object by object.
std::string text_from(const member_world& world, const endpoint_slice& slice) {
  inputs seen;
  seen.slice = std::make_shared<endpoint_slice>(slice);
  if (slice.service) {
    const auto consent = world.consents.stored().find({slice.key.nspace, *slice.service});
    if (consent != world.consents.stored().end())
      seen.says = judge(consent::absent, consent->second);
  }
  const hub_view reducer{make_identity()};
  for (const auto& [key, exported] : world.exports.stored()) {
    const auto reduced = reducer.reduced(exported, slice.uid);
    if (reduced.mine || slice.ours.name == key.name)
      seen.hub.push_back(reduced);
  }
  return text_of(seen, true);
}

using picture = std::map<std::string, std::string>;

picture picture_of(const member_table& table, bool with_versions) {
  picture out;
  for (const auto& uid : table.uids())
    out[uid] = text_of(table.inputs_of(uid), with_versions);
  return out;
}

/// Drives one table from one world, checking after each feed that whoever changed was touched, and nobody else.
class driver {
public:
  explicit driver(unsigned seed) : world(seed), table(make_identity()) {}

  template <class Feed>
  void watched(Feed feed, std::size_t most) {
    check(feed(most), most);
  }

  void hear_slices(std::size_t most) {
    watched([&](std::size_t n) { return table.slices(world.slices.hear(n)); }, most);
  }
  void hear_consents(std::size_t most) {
    watched([&](std::size_t n) { return table.consents(world.consents.hear(n)); }, most);
  }
  void hear_exports(std::size_t most) {
    watched([&](std::size_t n) { return table.exports(world.exports.hear(n)); }, most);
  }

  void hear_answer() {
    if (world.answers.empty())
      return;
    const write_answer answer = world.answers.front();
    world.answers.pop_front();
    touched whom = table.answered(answer).others;
    EXPECT_EQ(std::count(whom.uids.begin(), whom.uids.end(), answer.slice_uid), 0);
    whom.uids.push_back(answer.slice_uid);
    check(whom, 2);
  }

  /// Somebody's exporter wakes, has nothing to do and retires; what is over is forgotten.
  void wake_and_retire() {
    const auto all = table.uids();
    if (all.empty())
      return;
    const std::string& uid = all[static_cast<std::size_t>(world.below(static_cast<int>(all.size())))];
    table.wake(uid);
    EXPECT_TRUE(table.retire(uid, 0, {}));
    EXPECT_TRUE(table.knows(uid) || last_seen_.at(uid).rfind("- gone", 0) == 0);
  }

  void hear_something() {
    if (world.below(4) == 0)
      wake_and_retire();
    const auto most = static_cast<std::size_t>(1 + world.below(3));
    switch (world.below(4)) {
      case 0:
        return hear_slices(most);
      case 1:
        return hear_consents(most);
      case 2:
        return hear_exports(most);
      default:
        return hear_answer();
    }
  }

  void hear_everything() {
    while (!world.answers.empty())
      hear_answer();
    hear_slices(world.slices.unheard());
    hear_consents(world.consents.unheard());
    hear_exports(world.exports.unheard());
  }

  void relist() {
    while (!world.answers.empty())
      hear_answer();
    in_pieces(world.slices.list(world.dice), [&](const auto& batch) { return table.slices(batch); });
    in_pieces(world.consents.list(world.dice), [&](const auto& batch) { return table.consents(batch); });
    in_pieces(world.exports.list(world.dice), [&](const auto& batch) { return table.exports(batch); });
  }

  /// The table shows what the clusters hold, and of all else that it is gone.
  void expect_truth() {
    picture truth;
    for (const auto& [key, slice] : world.slices.stored())
      truth[slice.uid] = text_from(world, slice);
    const picture shown = picture_of(table, true);
    for (const auto& [uid, text] : truth) {
      ASSERT_EQ(shown.count(uid), 1U) << uid;
      EXPECT_EQ(shown.at(uid), text);
    }
    for (const auto& [uid, text] : shown)
      EXPECT_EQ(table.inputs_of(uid).gone, truth.count(uid) == 0) << text;
    expect_leftovers(truth);
  }

  member_world world;
  member_table table;

private:
  template <class T, class Feed>
  void in_pieces(const std::vector<watch_event<T>>& events, Feed feed) {
    for (std::size_t at = 0; at < events.size();) {
      watch_batch<T> batch;
      for (int size = 1 + world.below(4); size > 0 && at < events.size(); --size)
        batch.events.push_back(events[at++]);
      check(feed(batch), batch.events.size());
    }
  }

  /// Events that cancel out in one batch may touch for nothing, a single one may not.
  void check(const touched& whom, std::size_t events) {
    const std::set<std::string> told(whom.uids.begin(), whom.uids.end());
    EXPECT_EQ(told.size(), whom.uids.size());
    const picture before = std::exchange(last_seen_, picture_of(table, false));
    for (const auto& [uid, text] : last_seen_) {
      const auto old = before.find(uid);
      const bool changed = !whom.all && (old == before.end() || old->second != text);
      EXPECT_TRUE(!changed || told.count(uid) != 0) << uid << ": " << text;
      EXPECT_TRUE(changed || events > 1 || told.count(uid) == 0) << uid << " touched for nothing: " << text;
    }
  }

  /// Every export of ours is answered for: by a record, or as a leftover.
  void expect_leftovers(const picture& truth) {
    for (const auto& found : table.take_leftovers({})) {
      EXPECT_EQ(truth.count(found.slice_uid), 0U);
      table.confirm(found, std::nullopt);
      EXPECT_TRUE(table.inputs_of(found.slice_uid).leftover);
    }
    last_seen_ = picture_of(table, false);
    for (const auto& [key, exported] : world.exports.stored()) {
      const auto& reference = exported.spec.reference;
      EXPECT_TRUE(reference.cluster != "m1" || table.knows(reference.uid)) << reference.uid << " by " << key.name;
    }
  }

  picture last_seen_; ///< after the last feed
};

class MemberTableProperty : public ::testing::Test {
protected:
  /// Runs `story` from many seeds; the first that fails is printed.
  template <class Story>
  void from_seeds(Story story) {
    for (unsigned seed = 1; seed <= 60 && !HasFailure(); ++seed) {
      SCOPED_TRACE("seed " + std::to_string(seed));
      driver drive{seed};
      drive.relist();
      story(drive);
    }
  }
};

TEST_F(MemberTableProperty, HearingEverythingInAnyInterleavingShowsTheTruth) {
  from_seeds([](driver& drive) {
    for (int i = 0; i < 100; ++i) {
      drive.world.step();
      drive.hear_something();
      if (drive.world.below(20) == 0) { // LW21
        drive.world.slices.rewind(3);
        drive.world.consents.rewind(3);
        drive.world.exports.rewind(3);
      }
    }
    drive.hear_everything();
    drive.expect_truth();
  });
}

TEST_F(MemberTableProperty, ARelistHealsWhateverWasLost) {
  from_seeds([](driver& drive) {
    for (int i = 0; i < 100; ++i) {
      drive.world.step();
      drive.hear_something();
      if (drive.world.below(5) == 0)
        drive.world.slices.lose();
      if (drive.world.below(5) == 0)
        drive.world.consents.lose();
      if (drive.world.below(5) == 0)
        drive.world.exports.lose();
      if (drive.world.below(50) == 0)
        drive.relist();
    }
    drive.relist();
    drive.expect_truth();
  });
}

TEST_F(MemberTableProperty, ARestoredBackupStartsANewWorld) { // LW07
  from_seeds([](driver& drive) {
    const auto live = [&](int steps) {
      for (int i = 0; i < steps; ++i) {
        drive.world.step();
        drive.hear_something();
      }
    };
    live(60);
    drive.world.slices.save();
    drive.world.consents.save();
    drive.world.exports.save();
    live(60);
    drive.world.slices.restore();
    drive.world.consents.restore();
    drive.world.exports.restore();
    drive.relist();
    drive.expect_truth();
    live(60);
    drive.hear_everything();
    drive.expect_truth();
  });
}

} // namespace
} // namespace sliceferry::core
