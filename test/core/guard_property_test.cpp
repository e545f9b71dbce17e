#include "actors/core/guard.hpp"
#include "actors/core/jitter.hpp"
#include "test/core/guard_inquiry.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace sliceferry::core {
namespace {

using namespace std::chrono_literals;

constexpr guard_limits limits{20, 5, 60s};
constexpr std::array collections{mirrored::slices, mirrored::consents, mirrored::exports};

/// Calls a guard in any order and holds what it does against its laws.
class driver {
public:
  explicit driver(std::uint64_t seed) : random_(seed), subject_(limits), exports_(pick(60)) {}

  void step() {
    now_ += std::chrono::seconds(pick(3) == 0 ? pick(30) : pick(2));
    switch (pick(15)) {
      case 0:
      case 1:
      case 2:
        return ask();
      case 3:
        return forget();
      case 4:
      case 5:
        return list_began(pick(3));
      case 6:
      case 7:
        return list_done(pick(3), pick(6) == 0);
      case 8:
        return read_kind(existence(pick(10) < 7 ? 0 : pick(4)));
      case 9:
      case 10:
        return read_namespace(some_namespace(), existence(pick(4)));
      case 11:
      case 12:
        return read_some_absent(pick(9));
      case 13:
        return answer_all_but_sample();
      default:
        return pick(12) == 0 ? allow() : review();
    }
  }

  /// The cluster answers at last, and well: then nothing may remain held, at the latest after one more check.
  void come_to_rest() {
    answer_all();
    if (subject_.state() == guard_state::holding) {
      ASSERT_TRUE(subject_.due().has_value());
      now_ = std::max(now_, *subject_.due());
      review();
      ASSERT_EQ(subject_.state(), guard_state::checking) << "a hold is checked again when it says";
      answer_all();
    }
    for (int round = 0; round < 2 && subject_.state() == guard_state::checking; ++round)
      answer_all(); // the kind is back, and of those that asked late
    EXPECT_EQ(subject_.state(), guard_state::open);
    EXPECT_EQ(subject_.held(), 0u);
    for (const auto& [uid, nspace] : wishing_)
      EXPECT_TRUE(subject_.leave(uid)) << uid;
  }

  unsigned trips = 0;
  unsigned confirmations = 0;
  unsigned holds = 0;
  unsigned explained = 0;
  unsigned reopened = 0;
  unsigned found = 0;       ///< holds because a read showed what the lists didn't
  unsigned late_leaves = 0; ///< of those who asked late, once the others were confirmed
  unsigned late_trips = 0;

private:
  std::size_t pick(std::size_t below) { return random_.next() % below; }
  std::string some_namespace() { return "ns" + std::to_string(pick(5)); }

  void answer_all_but_sample() {
    for (std::size_t i = 0; i < collections.size(); ++i) {
      list_began(i);
      list_done(i, false);
    }
    read_kind(existence::exists);
    for (const auto& nspace : std::set(told_.unread))
      read_namespace(nspace, existence::exists);
  }

  void answer_all() {
    answer_all_but_sample();
    for (int round = 0; round < 10 && told_.ordered && !told_.is_read(); ++round)
      for (const auto& [uid, how] : std::map(told_.sample))
        if (!how)
          read_absent(uid, existence::missing);
  }

  bool is_held(const std::string& uid) const { return wishing_.count(uid) != 0 && has_leave_.count(uid) == 0; }

  /// One that could be read has not been asked for.
  bool is_sample_short() const {
    return told_.sample.size() < guard_check::sample_size &&
           std::any_of(wishing_.begin(), wishing_.end(), [this](const auto& each) {
             return is_held(each.first) && told_.late.count(each.first) == 0 && told_.sample.count(each.first) == 0 &&
                    !told_.explains(each.second);
           });
  }
  bool is_complete() const {
    if (told_.lacks_kind())
      return true;
    return told_.is_listed() && (!told_.convinces() || told_.finds_one() || !is_sample_short()) && told_.is_read();
  }
  bool is_confirmed() const { return is_complete() && told_.convinces() && !told_.finds_one(); }
  /// After that the guard listens no more.
  bool is_under_way() const { return told_.ordered && !is_complete(); }

  void ask() {
    std::vector<guard::wish> batch;
    for (std::size_t i = pick(4) == 0 ? pick(20) : pick(3); i-- > 0;) {
      const auto number = pick(60);
      batch.push_back({"u" + std::to_string(number), "ns" + std::to_string(number % 5)});
      if (wishing_.emplace(batch.back().slice_uid, batch.back().nspace).second && !told_.sample.empty())
        told_.late.insert(batch.back().slice_uid);
    }
    check(subject_.ask(batch, exports_, now_));
  }

  void forget() {
    std::vector<std::string> batch;
    for (std::size_t i = pick(8); i-- > 0;) {
      batch.push_back("u" + std::to_string(pick(60)));
      wishing_.erase(batch.back());
      has_leave_.erase(batch.back());
      told_.late.erase(batch.back());
      ++lives_[batch.back()];
    }
    check(subject_.forget(batch, now_));
  }

  void list_began(std::size_t which) {
    told_.began[which] |= is_under_way();
    subject_.list_began(collections[which]);
  }

  void list_done(std::size_t which, bool is_empty) {
    if (is_under_way() && told_.began[which]) {
      told_.done[which] = true;
      told_.has_slices = which == 0 ? !is_empty : told_.has_slices;
    }
    check(subject_.list_done(collections[which], is_empty, now_));
  }

  void read_kind(existence how) {
    if (is_under_way())
      told_.kind = how;
    check(subject_.kind_read(how, now_));
  }

  void read_namespace(const std::string& nspace, existence how) {
    if (is_under_way() && asked_for_.count(nspace) != 0) {
      told_.unread.erase(nspace);
      told_.terminating.erase(nspace);
      told_.missing.erase(nspace);
      if (how == existence::terminating)
        told_.terminating.insert(nspace);
      if (how == existence::missing)
        told_.missing.insert(nspace);
    }
    check(subject_.namespace_read(nspace, how, now_));
  }

  void read_some_absent(std::size_t most) {
    for (const auto& [uid, how] : std::map(told_.sample))
      if (!how && most > 0) {
        --most;
        read_absent(uid, pick(16) == 0 ? existence(pick(4)) : existence::missing);
      }
    if (pick(4) == 0)
      read_absent("u" + std::to_string(pick(60)), existence(pick(4)));
  }

  void read_absent(const std::string& uid, existence how) {
    if (const auto asked = told_.sample.find(uid); asked != told_.sample.end() && is_under_way()) {
      if (is_held(uid))
        asked->second = how;
      else
        told_.sample.erase(asked);
    }
    check(subject_.absence_read(uid, how, now_));
  }

  void allow() {
    const bool was_tripped = state_ != guard_state::open;
    const auto orders = subject_.allow(now_);
    if (was_tripped) {
      EXPECT_EQ(subject_.held(), 0u);
      told_ = {};
      given_.clear();
      remember_leave();
    }
    check(orders, was_tripped);
  }

  void review() { check(subject_.review(now_)); }

  void remember_leave() {
    for (const auto& [uid, nspace] : wishing_)
      if (subject_.leave(uid))
        has_leave_.insert(uid);
  }

  /// The laws, after each call.
  void check(const guard::orders& orders, bool allowed = false) {
    const bool confirmed = is_confirmed();
    if (confirmed)
      given_.clear();
    std::set<std::string> changed;
    for (const auto& [uid, nspace] : wishing_) {
      const bool leave = subject_.leave(uid);
      if (leave == (has_leave_.count(uid) != 0))
        continue;
      changed.insert(uid);
      if (!leave) {
        has_leave_.erase(uid);
        continue;
      }
      has_leave_.insert(uid);
      const auto life = uid + "#" + std::to_string(lives_[uid]);
      const bool is_explained = told_.ordered && told_.explains(nspace);
      explained += is_explained ? 1 : 0;
      const bool is_late = confirmed && told_.late.count(uid) != 0;
      late_leaves += is_late ? 1 : 0;
      if (is_explained)
        given_.erase(life);
      else if (!confirmed || is_late)
        given_[life] = now_;
    }
    if (!allowed) {
      EXPECT_EQ(std::set(orders.notify.begin(), orders.notify.end()), changed);
    }
    EXPECT_EQ(subject_.state() == guard_state::open, subject_.held() == 0);
    EXPECT_EQ(subject_.held(), wishing_.size() - has_leave_.size()) << "each wish has leave or is held";
    follow(orders, confirmed);
    std::erase_if(given_, [this](const auto& each) { return now_ - each.second >= limits.window; });
    EXPECT_LE(given_.size(), std::max(limits.count, exports_ * limits.share_percent / 100)) << "without confirmation";
  }

  void follow(const guard::orders& orders, bool confirmed) {
    const auto before = std::exchange(state_, subject_.state());
    if (confirmed) {
      EXPECT_TRUE(state_ == guard_state::open || (orders.check && !told_.late.empty()));
      late_trips += orders.check ? 1 : 0;
      ++confirmations;
    } else if (state_ == guard_state::open && before != guard_state::open) {
      ++reopened;
    }
    if (!confirmed && !orders.check && orders.read_absent.empty() && state_ != guard_state::open && is_complete()) {
      EXPECT_EQ(state_, guard_state::holding);
      holds += before == guard_state::checking ? 1 : 0;
      found += before == guard_state::checking && told_.convinces() ? 1 : 0;
    }
    follow_sample(orders.read_absent);
    if (orders.check) {
      EXPECT_TRUE(before != guard_state::checking || confirmed) << "one check at a time";
      ++trips;
      told_ = {};
      told_.ordered = true;
      asked_for_.clear();
    } else if (state_ == guard_state::open) {
      told_ = {};
    }
    EXPECT_EQ(state_ == guard_state::checking, is_under_way());
    for (const auto& nspace : orders.read_namespaces) {
      EXPECT_TRUE(asked_for_.insert(nspace).second) << "read once per check";
      told_.unread.insert(nspace);
    }
  }

  void follow_sample(const std::vector<std::string>& picked) {
    EXPECT_TRUE(picked.empty() || (told_.convinces() && told_.is_read())) << "only once nothing else is outstanding";
    for (const auto& uid : picked) {
      EXPECT_TRUE(is_held(uid)) << uid;
      EXPECT_EQ(told_.late.count(uid), 0u) << uid;
      EXPECT_TRUE(told_.sample.emplace(uid, std::nullopt).second) << "read once per check";
    }
    EXPECT_TRUE(picked.empty() || !is_sample_short()) << "all at once";
    EXPECT_LE(told_.sample.size(), guard_check::sample_size);
  }

  jitter random_;
  guard subject_;
  std::size_t exports_;
  tick now_{};
  guard_state state_ = guard_state::open;
  std::map<std::string, std::string> wishing_; ///< UID to namespace
  std::set<std::string> has_leave_;
  std::map<std::string, unsigned> lives_; ///< how often the UID was forgotten
  std::map<std::string, tick> given_;     ///< leave that was neither confirmed nor explained, by UID and life
  inquiry told_;
  std::set<std::string> asked_for_; ///< namespaces, of this check
};

TEST(GuardProperty, NeverGivesMoreThanTheLimitsUnconfirmedAndNeverSticks) {
  unsigned trips = 0;
  unsigned confirmations = 0;
  unsigned holds = 0;
  unsigned explained = 0;
  unsigned reopened = 0;
  unsigned found = 0;
  unsigned late_leaves = 0;
  unsigned late_trips = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    driver drive{seed};
    for (int i = 0; i < 200 && !HasFailure(); ++i)
      drive.step();
    drive.come_to_rest();
    if (HasFailure())
      return;
    trips += drive.trips;
    confirmations += drive.confirmations;
    holds += drive.holds;
    explained += drive.explained;
    reopened += drive.reopened;
    found += drive.found;
    late_leaves += drive.late_leaves;
    late_trips += drive.late_trips;
  }
  for (const auto seen : {trips, confirmations, holds, explained, reopened, found, late_leaves, late_trips})
    EXPECT_GT(seen, 20u) << "the seeds lead everywhere";
}

} // namespace
} // namespace sliceferry::core
