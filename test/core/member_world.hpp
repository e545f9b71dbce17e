#pragma once
#include "test/core/member_makers.hpp"

#include <algorithm>
#include <cstddef>
#include <deque>
#include <iterator>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace sliceferry::core {

/// One collection of a simulated API server and the watch that tells of it: what is, and what has
/// been told but not heard yet.
template <class T>
class simulated_collection {
public:
  /// Creates or replaces the object at `object.key`; gives it the next version.
  T write(T object) {
    object.resource_version = std::to_string(++version_);
    stored_[object.key] = object;
    told_.push_back({watch_change::applied, object});
    return object;
  }
  void remove(const object_key& key) {
    T last = stored_.at(key);
    last.resource_version = std::to_string(++version_);
    stored_.erase(key);
    told_.push_back({watch_change::deleted, last});
  }
  const std::map<object_key, T>& stored() const { return stored_; }

  std::size_t unheard() const { return told_.size() - heard_; }
  /// The next events of the watch, at most `most`.
  watch_batch<T> hear(std::size_t most) {
    watch_batch<T> out;
    for (; most > 0 && heard_ < told_.size(); --most)
      out.events.push_back(told_[heard_++]);
    return out;
  }
  /// The watch resumes further back: everything from there on is told again.
  void rewind(std::size_t by) { heard_ -= std::min(by, heard_); }
  /// The next event never arrives; only a list can heal that.
  void lose() { heard_ += heard_ < told_.size() ? 1 : 0; }
  /// A consistent list in any order; what was told before it is never heard.
  std::vector<watch_event<T>> list(std::mt19937& dice) {
    std::vector<watch_event<T>> out;
    for (const auto& [key, object] : stored_)
      out.push_back({watch_change::applied, object});
    std::shuffle(out.begin(), out.end(), dice);
    out.insert(out.begin(), {watch_change::init, {}});
    out.push_back({watch_change::init_done, {}});
    out.back().object.resource_version = std::to_string(version_);
    told_.clear();
    heard_ = 0;
    return out;
  }

  void save() { saved_ = {stored_, version_}; }
  /// A restored backup: objects and versions of long ago.
  void restore() { std::tie(stored_, version_) = saved_; }

private:
  std::map<object_key, T> stored_;
  int version_ = 0;
  std::pair<std::map<object_key, T>, int> saved_;
  std::vector<watch_event<T>> told_;
  std::size_t heard_ = 0;
};

/// A member and its hub namespace under random hands, for the properties of the member's table.
/// Few names, so that they change hands often; UIDs are never used twice.
class member_world {
public:
  explicit member_world(unsigned seed) : dice(seed) {}

  /// One write by someone; where it is one of ours, its answer waits in `answers`.
  void step() {
    switch (below(8)) {
      case 0:
        if (const auto* held = any(slices.stored()))
          slices.remove(object_key{held->key});
        break;
      case 1:
      case 2:
        change_slice();
        break;
      case 3:
        change_consent();
        break;
      case 4:
        if (const auto* held = any(exports.stored()))
          exports.remove(object_key{held->key});
        break;
      case 5:
      case 6:
        change_export();
        break;
      case 7:
        annotate();
        break;
    }
  }

  int below(int bound) { return static_cast<int>(dice() % static_cast<unsigned>(bound)); }

  std::mt19937 dice;
  simulated_collection<endpoint_slice> slices;
  simulated_collection<service_export> consents;
  simulated_collection<slice_export> exports;
  std::deque<write_answer> answers;

private:
  template <class T>
  const T* any(const std::map<object_key, T>& stored) {
    return stored.empty() ? nullptr : &std::next(stored.begin(), below(static_cast<int>(stored.size())))->second;
  }

  void change_slice() {
    const object_key key{"shop", "s" + std::to_string(below(5))};
    const auto held = slices.stored().find(key);
    auto next = held == slices.stored().end() || below(6) == 0 ? make_slice(key.name, fresh("uid"), 0) : held->second;
    if (next.uid == last_uid_)
      uids_.push_back(next.uid);
    if (below(3) == 0)
      next.service = below(4) == 0 ? std::optional<std::string>{} : "v" + std::to_string(below(3));
    if (below(3) == 0)
      next.ready = {{{"10.0.0." + std::to_string(below(9))}}};
    if (below(4) == 0)
      next.ours.name = "e" + std::to_string(below(5));
    slices.write(next);
  }

  void change_consent() {
    const object_key key{"shop", "v" + std::to_string(below(3))};
    if (consents.stored().count(key) != 0 && below(3) == 0)
      return consents.remove(key);
    auto next = make_consent(key.name, 0, below(3) != 0);
    const auto held = consents.stored().find(key);
    next.uid = held == consents.stored().end() ? fresh("se") : held->second.uid;
    consents.write(next);
  }

  void change_export() {
    const object_key key{"fleet-m1", "e" + std::to_string(below(5))};
    const auto held = exports.stored().find(key);
    const bool create = held == exports.stored().end() || below(6) == 0;
    const std::string owner =
      uids_.empty() ? "uid-never" : uids_[static_cast<std::size_t>(below(static_cast<int>(uids_.size())))];
    auto next = create ? make_export(key.name, fresh("hub"), 0, owner) : held->second;
    if (create && below(4) == 0)
      next.spec.reference.cluster = "m2";
    if (below(2) == 0)
      next.spec.endpoints = {{{"10.0.0." + std::to_string(below(9))}}};
    next = exports.write(next);
    if (next.spec.reference.cluster != "m1" || below(2) == 0)
      return;
    auto answer = answer_to(next.spec.reference.uid);
    answer.exported = next;
    answers.push_back(answer);
  }

  void annotate() {
    const auto* held = any(slices.stored());
    if (held == nullptr)
      return;
    auto answer = answer_to(held->uid);
    answer.slice = slices.write(named(*held, "e" + std::to_string(below(5))));
    answers.push_back(answer);
  }

  std::string fresh(const std::string& kind) { return last_uid_ = kind + "-" + std::to_string(++count_); }

  std::vector<std::string> uids_; ///< of all slices that ever were
  std::string last_uid_;
  int count_ = 0;
};

} // namespace sliceferry::core
