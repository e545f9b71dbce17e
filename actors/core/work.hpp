#pragma once
#include "messages/command.hpp"
#include "messages/object_key.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

namespace sliceferry::core {

/// Whose wish it is. Slices of cloned clusters share UIDs, so the member belongs to it.
struct work_owner {
  std::string member;
  std::string slice_uid;

  bool operator==(const work_owner&) const = default;
};

/// One wish of one exporter. The tickets of an owner all differ.
struct work_id {
  work_owner owner;
  std::uint64_t ticket = 0;

  bool operator==(const work_id&) const = default;
};

/// A command on its way to a server, and who waits for its end.
struct work {
  std::string member;
  std::string slice_uid;
  std::uint64_t ticket = 0;
  command what;

  bool operator==(const work&) const = default;
};

work_id id_of(const work& asked);

/// The object that a work writes to; no two works of one key are in flight together. For a write
/// to the hub the member stands for its hub namespace and the object's namespace is empty.
struct work_key {
  std::string member;
  object_key object;

  bool operator==(const work_key&) const = default;
};

work_key key_of(const work& asked);

/// What goes first when a member has more than one thing to do: taking away before putting right
/// before adding.
enum class work_rank : std::uint8_t {
  removal, ///< withdraw; clear
  change,  ///< apply to an existing object; annotate
  create,  ///< apply to a new object
};

work_rank rank_of(const command& what);

/// Names what a command would write, for telling a refused content from a changed one. Neither
/// the ticket nor the target's resourceVersion counts. Valid within one process only.
std::uint64_t content_digest(const command& what);

} // namespace sliceferry::core

template <>
struct std::hash<sliceferry::core::work_owner> {
  std::size_t operator()(const sliceferry::core::work_owner& owner) const noexcept {
    return std::hash<std::string>{}(owner.slice_uid) * 31 + std::hash<std::string>{}(owner.member);
  }
};

template <>
struct std::hash<sliceferry::core::work_key> {
  std::size_t operator()(const sliceferry::core::work_key& key) const noexcept {
    return std::hash<sliceferry::object_key>{}(key.object) * 31 + std::hash<std::string>{}(key.member);
  }
};
