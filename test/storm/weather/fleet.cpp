#include "test/storm/weather/fleet.hpp"

#include "test/storm/weather/fleet_names.hpp"

#include <algorithm>

namespace sliceferry::storm {
namespace {

std::uint32_t size_of(const auto& list) {
  return static_cast<std::uint32_t>(list.size());
}

std::uint32_t usual_endpoints(dice& chance) {
  const std::uint32_t luck = chance.below(1'000);
  if (luck < 600)
    return chance.between(1, 4);
  if (luck < 900)
    return chance.between(5, 12);
  if (luck < 985)
    return chance.between(13, 40);
  return static_cast<std::uint32_t>(endpoints_max);
}

std::uint32_t usual_slices(dice& chance) {
  const std::uint32_t luck = chance.below(100);
  return luck < 60 ? 1 : luck < 80 ? 2 : luck < 92 ? 3 : 4;
}

std::optional<verdict> usual_consent(dice& chance) {
  const std::uint32_t luck = chance.below(100);
  if (luck < 85)
    return verdict::valid;
  if (luck < 89)
    return verdict::invalid;
  if (luck < 92)
    return verdict::conflict;
  return std::nullopt;
}

class layout {
public:
  layout(const fleet_size& size, dice& chance, member_fleet& out) : size_{size}, chance_{chance}, out_{out} {}

  void add_nspace(std::string name, bool is_reserved) {
    out_.nspaces.push_back(
      {.name = std::move(name), .first_service = size_of(out_.services), .is_reserved = is_reserved});
  }

  service& add_service(std::optional<verdict> born) {
    nspace& place = out_.nspaces.back();
    service made;
    made.nspace = size_of(out_.nspaces) - 1;
    made.first_slice = size_of(out_.slices);
    made.number = static_cast<std::uint16_t>(place.services++);
    made.born = born;
    made.held = chance_.chance(30);
    return out_.services.emplace_back(made);
  }

  void add_slice(slice_role role) {
    service& home = out_.services.back();
    slice made;
    made.service = made.label = size_of(out_.services) - 1;
    made.ordinal = static_cast<std::uint8_t>(home.slices++);
    made.role = role;
    made.imported = role == slice_role::import;
    made.port_set = static_cast<std::uint8_t>(chance_.below(port_sets));
    if (role == slice_role::family)
      out_.families.push_back(size_of(out_.slices));
    if (role == slice_role::import)
      out_.imports.push_back(size_of(out_.slices));
    if (role == slice_role::ordinary)
      ++out_.ordinary;
    out_.slices.push_back(std::move(made));
  }

  /// A namespace of users with so many ordinary slices; imported ones and such of other families on top.
  void add_users(std::string name, std::size_t slices) {
    add_nspace(std::move(name), false);
    while (slices > 0) {
      add_service(usual_consent(chance_));
      const std::size_t count = std::min<std::size_t>(usual_slices(chance_), slices);
      for (std::size_t i = 0; i < count; ++i)
        add_slice(slice_role::ordinary);
      slices -= count;
      if (size_.with_families && (out_.families.empty() || chance_.chance(30)))
        add_slice(slice_role::family);
      if (size_.with_imports && chance_.chance(5))
        add_slice(slice_role::import);
    }
  }

  /// The importer's namespace, whose slices are never exported, not even where somebody exports their service.
  void add_importers(std::size_t slices) {
    add_nspace("fleet-system", true);
    if (!size_.with_imports)
      return;
    for (std::size_t i = 0; i < slices; ++i) {
      add_service(i % 4 == 0 ? std::optional{verdict::valid} : std::nullopt);
      add_slice(slice_role::import);
      // Another hand than the importer's: the namespace alone forbids it.
      out_.slices.back().imported = i % 3 != 0;
    }
  }

private:
  const fleet_size& size_;
  dice& chance_;
  member_fleet& out_;
};

void fill(member_fleet& out, const fleet_size& size, std::size_t slices, dice& chance) {
  layout lay{size, chance, out};
  const std::size_t nspaces = std::clamp<std::size_t>(slices / 25, std::min<std::size_t>(20, slices), 60);
  for (std::size_t i = 0; i < nspaces; ++i)
    lay.add_users(nspace_name(static_cast<std::uint32_t>(i)), slices / nspaces + (i < slices % nspaces ? 1 : 0));
  lay.add_importers(std::clamp<std::size_t>(slices / 50, 2, 40));
  out.nodes = static_cast<std::uint16_t>(std::clamp<std::size_t>(slices / 10, 3, 200));
}

} // namespace

endpoint fresh_endpoint(member_fleet& member, dice& chance) {
  return {.pod = ++member.pods, .node = static_cast<std::uint16_t>(chance.below(member.nodes))};
}

std::vector<endpoint> fresh_endpoints(member_fleet& member, dice& chance) {
  std::vector<endpoint> out(usual_endpoints(chance));
  for (auto& each : out)
    each = fresh_endpoint(member, chance);
  return out;
}

fleet make_fleet(const fleet_size& size, dice& chance) {
  fleet out;
  std::size_t left = size.slices;
  for (std::size_t i = 0; i < size.members.size(); ++i) {
    auto& member = out.members.emplace_back();
    member.name = size.members[i];
    std::size_t slices = left / (size.members.size() - i);
    left -= slices;
    if (i == 0 && size.with_restless && slices > 0) {
      layout lay{size, chance, member};
      lay.add_nspace("restless", true);
      lay.add_service(verdict::valid);
      lay.add_slice(slice_role::ordinary);
      out.restless = 0;
      --slices;
    }
    fill(member, size, slices, chance);
  }
  return out;
}

} // namespace sliceferry::storm
