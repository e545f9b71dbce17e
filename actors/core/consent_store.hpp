#pragma once
#include "actors/core/blob_store.hpp"
#include "actors/core/newness.hpp"
#include "actors/core/slot_index.hpp"
#include "actors/core/text_pool.hpp"
#include "messages/consent.hpp"
#include "messages/object_key.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace sliceferry::core {

/// A ServiceExport as it is held: who it is, how it was heard of and what it says.
struct held_consent {
  object_key key;
  holding held;
  consent says = consent::absent;

  bool operator==(const held_consent&) const = default;
};

/// ServiceExports by key, packed like the rows of slices.
class consent_store {
public:
  std::optional<held_consent> find(const object_key& key) const;
  /// What it says; cheaper than all of it.
  std::optional<consent> says(const object_key& key) const;
  /// In place of the one at its key, if there is one.
  void put(const held_consent& next);
  void erase(const object_key& key);
  std::size_t size() const { return by_key_.size(); }
  /// All that `matches`, in no order.
  template <class Match>
  std::vector<held_consent> all(const Match& matches) const {
    std::vector<held_consent> out;
    for (std::uint32_t slot = 0; slot < end_; ++slot) {
      if (blobs_.at(slot).empty())
        continue;
      if (auto each = unpack(slot); matches(each))
        out.push_back(std::move(each));
    }
    return out;
  }

private:
  static std::uint32_t hash_of(const object_key& key);
  std::optional<std::uint32_t> slot_of(const object_key& key) const;
  held_consent unpack(std::uint32_t slot) const;

  text_pool nspaces_;
  blob_store blobs_;
  slot_index by_key_;
  std::vector<std::uint32_t> free_;
  std::uint32_t end_ = 0;
};

} // namespace sliceferry::core
