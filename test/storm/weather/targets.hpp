#pragma once
#include "test/storm/weather/deed.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace sliceferry::storm {

/// What a storm may strike next, in one member that is chosen by chance. What it names is there now, and may be gone
/// when the deed's turn comes. Reserved namespaces are left alone.
class targets {
public:
  targets(const fleet& all, dice& chance);

  const member_fleet& member() const { return member_; }
  deed to(deed_kind what, std::uint32_t object, std::uint32_t with = 0) const;

  std::optional<std::uint32_t> live_nspace() const;
  std::vector<std::uint32_t> some_services(std::uint32_t most) const;
  std::vector<std::uint32_t> some_slices(std::uint32_t most) const;
  /// Of a list of slices, there or not.
  std::vector<std::uint32_t> some_of(const std::vector<std::uint32_t>& list, std::uint32_t most) const;
  /// Some or all of those that are there.
  std::vector<std::uint32_t> slices_of(std::optional<std::uint32_t> nspace) const;
  std::vector<std::uint32_t> slices_on(std::uint32_t node) const;
  /// Another service of its namespace, one that nobody exports, or none.
  std::uint32_t another_label(std::uint32_t slice) const;

  void add_slices(std::vector<deed>& out, deed_kind what, std::uint32_t service) const;
  /// Endpoints go from one slice of the service to another.
  void add_repacking(std::vector<deed>& out, std::uint32_t service) const;
  /// Takes the consent away in one way or another; gives it where there was none.
  void add_spoiling(std::vector<deed>& out, std::uint32_t service) const;
  /// Back to what was at setup.
  void add_mending(std::vector<deed>& out, std::uint32_t service) const;
  /// Deletes a namespace: its deletion, its contents', its end.
  void add_end(std::vector<deed>& out, std::uint32_t nspace) const;
  /// Makes it again as it was at setup.
  void add_rebirth(std::vector<deed>& out, std::uint32_t nspace) const;

private:
  const fleet& all_;
  dice& chance_;
  std::uint32_t index_;
  const member_fleet& member_;
};

} // namespace sliceferry::storm
