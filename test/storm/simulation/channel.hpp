#pragma once
#include "test/storm/simulation/collection.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <utility>

namespace sliceferry::storm {

/// List and watch of one collection, as a reflector passes them on: what has been told of it and what is still to come.
///
/// A list's beginning is told before the list is asked for; its first page fixes the version of all of them. A watch
/// goes on from where the list was, loses nothing, and after a cut may tell again what it told before, but for what the
/// list held.
template <class T>
class channel {
public:
  bool listing() const { return listing_; }

  watch_batch<T> begin() {
    listing_ = true;
    asked_ = is_begun_late_ = false;
    return batch_of({watch_change::init, {}});
  }

  /// Of a planted bug: the list is asked for now, and its beginning told with its first page.
  void begin_late(const collection<T>& of, std::uint64_t version) {
    listing_ = true;
    asked_ = false;
    ask(of, version);
    is_begun_late_ = true;
  }

  /// The snapshot that the pages show; taken once per list.
  void ask(const collection<T>& of, std::uint64_t version) {
    if (std::exchange(asked_, true))
      return;
    version_ = version;
    floor_ = position_ = of.log().size();
    rest_.clear();
    for (const auto& [key, object] : of.all())
      rest_.push_back(object);
  }

  watch_batch<T> page(const collection<T>& of, std::uint64_t version, std::size_t items) {
    ask(of, version);
    watch_batch<T> out;
    if (std::exchange(is_begun_late_, false))
      out.events.push_back({watch_change::init, {}});
    for (; items > 0 && !rest_.empty(); --items) {
      out.events.push_back({watch_change::applied, *rest_.front()});
      rest_.pop_front();
    }
    if (rest_.empty()) {
      listing_ = false;
      out.events.push_back({watch_change::init_done, {}});
      out.events.back().object.resource_version = std::to_string(version_);
    }
    return out;
  }

  std::size_t unheard(const collection<T>& of) const { return listing_ ? 0 : of.log().size() - position_; }

  watch_batch<T> hear(const collection<T>& of, std::size_t most) {
    watch_batch<T> out;
    for (most = std::min(most, unheard(of)); most > 0; --most) {
      const auto& [what, object] = of.log()[position_++];
      out.events.push_back({what, *object});
    }
    return out;
  }

  void rewind(std::size_t by) { position_ -= std::min(by, position_ - floor_); }

private:
  static watch_batch<T> batch_of(watch_event<T> one) {
    watch_batch<T> out;
    out.events.push_back(std::move(one));
    return out;
  }

  bool listing_ = true;
  bool asked_ = false;
  bool is_begun_late_ = false;
  std::uint64_t version_ = 0;
  std::deque<typename collection<T>::object_ptr> rest_; ///< of the list at hand
  std::size_t position_ = 0;                            ///< in the collection's log
  std::size_t floor_ = 0;                               ///< where the list was
};

} // namespace sliceferry::storm
