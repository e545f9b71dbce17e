#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <vector>

namespace sliceferry::core {

/// Finds slots by the hash of what they hold, in some eleven bytes each. Several slots may have one hash, alike or by
/// chance: whoever looks one up compares what it holds. A thousand slots of one hash cost no more each than one does.
///
/// It shrinks as it grows, so that slots that come and go leave nothing behind.
class slot_index {
public:
  /// The slot must not be there under this hash.
  void add(std::uint32_t hash, std::uint32_t slot);
  void remove(std::uint32_t hash, std::uint32_t slot);
  std::size_t size() const { return size_; }
  std::size_t capacity() const { return cells_.size(); }

  /// The first slot under this hash that `matches`.
  template <class Match>
  std::optional<std::uint32_t> find(std::uint32_t hash, const Match& matches) const {
    for (std::size_t at = home(hash); !cells_.empty() && cells_[at].slot != nobody; at = after(at))
      if (cells_[at].hash == hash && matches(cells_[at].slot))
        return cells_[at].slot;
    if (const auto crowd = crowds_.find(hash); crowd != crowds_.end())
      for (const auto slot : crowd->second)
        if (matches(slot))
          return slot;
    return std::nullopt;
  }

  /// All slots under this hash, in no order.
  std::vector<std::uint32_t> all(std::uint32_t hash) const;

private:
  static constexpr std::uint32_t nobody = 0xffffffffU;
  struct cell {
    std::uint32_t hash = 0;
    std::uint32_t slot = nobody;
  };

  std::size_t home(std::uint32_t hash) const {
    return static_cast<std::size_t>((hash * std::uint64_t{cells_.size()}) >> 32);
  }
  std::size_t after(std::size_t at) const { return at + 1 == cells_.size() ? 0 : at + 1; }
  void place(const cell& what);
  void resize(std::size_t cells);
  void vacate(std::size_t at);

  std::vector<cell> cells_; ///< probed one after the other from the hash's home on
  /// Beyond a few of one hash the others are here: each probe of theirs would walk past all of them.
  std::map<std::uint32_t, std::set<std::uint32_t>> crowds_;
  std::size_t in_cells_ = 0;
  std::size_t size_ = 0;
};

} // namespace sliceferry::core
