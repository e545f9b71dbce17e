#include "test/storm/weather/storm_plan.hpp"

#include "test/storm/weather/complaints.hpp"
#include "test/storm/weather/fleet.hpp"
#include "test/storm/weather/hub_setup.hpp"
#include "test/storm/weather/storm_table.hpp"
#include "test/storm/weather/targets.hpp"

#include <algorithm>
#include <stdexcept>

namespace sliceferry::storm {
namespace {

constexpr std::string_view all_storms = "everything";
constexpr int turns_max = 100'000; ///< without a request; far more than chance needs

bool has(const plan_options& options, std::string_view name) {
  return std::any_of(options.storms.begin(), options.storms.end(),
                     [&](const auto& x) { return x == name || x == all_storms; });
}

bool is_named(const plan_options& options, std::string_view name) {
  return std::find(options.storms.begin(), options.storms.end(), name) != options.storms.end();
}

fleet lay_out(const plan_options& options, dice& chance) {
  return make_fleet({.members = options.members,
                     .slices = options.slices,
                     .with_families = has(options, "families"),
                     .with_imports = has(options, "imports"),
                     .with_restless = has(options, "restless")},
                    chance);
}

/// Creates what is there before the storm, member after member.
void populate(fleet& all, dice& chance, const std::function<void(user_request)>& sink) {
  for (std::uint32_t m = 0; m < all.members.size(); ++m) {
    const auto act = [&](deed_kind what, std::size_t object, std::uint32_t with = 0) {
      if (auto asked = carry_out({what, m, static_cast<std::uint32_t>(object), with}, all, chance))
        sink(std::move(*asked));
    };
    const member_fleet& member = all.members[m];
    for (std::size_t i = 0; i < member.nspaces.size(); ++i)
      act(deed_kind::create_nspace, i);
    for (std::size_t i = 0; i < member.services.size(); ++i)
      if (const auto born = member.services[i].born) {
        act(deed_kind::create_consent, i);
        act(deed_kind::judge_consent, i, static_cast<std::uint32_t>(*born));
      }
    for (std::size_t i = 0; i < member.slices.size(); ++i)
      if (member.slices[i].role != slice_role::family || chance.chance(50))
        act(deed_kind::create_slice, i);
  }
}

} // namespace

std::vector<std::string> storm_names() {
  std::vector<std::string> out;
  for (const auto& each : storms())
    out.emplace_back(each.name);
  out.emplace_back(all_storms);
  return out;
}

std::string describe_storm(const std::string& name) {
  if (name == all_storms)
    return "All storms at once.";
  const auto* found = find_storm(name);
  return found == nullptr ? std::string{} : std::string{found->sentence};
}

struct storm_plan::impl {
  /// A chosen storm and what is left of its last plan, first deed last.
  struct active_storm {
    const storm_kind* what;
    deeds left;
  };

  plan_options options;
  dice chance;
  fleet all;
  std::vector<active_storm> active;
  std::uint32_t weights = 0;

  explicit impl(plan_options chosen) : options{std::move(chosen)}, chance{options.seed}, all{lay_out(options, chance)} {
    populate(all, chance, [](user_request) {});
    all.changes_of_setup = all.changes;
    for (const auto& each : storms())
      if (each.is_apart ? is_named(options, each.name) : has(options, each.name)) {
        active.push_back({&each, {}});
        weights += each.weight;
      }
  }

  active_storm& choose() {
    std::uint32_t luck = chance.below(weights);
    for (auto& each : active) {
      if (luck < each.what->weight)
        return each;
      luck -= each.what->weight;
    }
    return active.back();
  }

  /// Nothing where the storm found nothing to do this time.
  std::optional<user_request> advance(active_storm& chosen) {
    if (chosen.left.empty()) {
      chosen.left = chosen.what->plan(all, chance);
      std::reverse(chosen.left.begin(), chosen.left.end());
    }
    while (!chosen.left.empty()) {
      const deed wanted = chosen.left.back();
      chosen.left.pop_back();
      if (auto out = carry_out(wanted, all, chance))
        return out;
    }
    return std::nullopt;
  }
};

storm_plan::storm_plan(plan_options options) {
  const auto wrong = complaints(options);
  if (!wrong.empty())
    throw std::invalid_argument{wrong.front()};
  impl_ = std::make_unique<impl>(std::move(options));
}

storm_plan::~storm_plan() = default;
storm_plan::storm_plan(storm_plan&&) noexcept = default;

std::vector<user_request> storm_plan::setup() const {
  std::vector<user_request> out;
  setup([&](user_request asked) { out.push_back(std::move(asked)); });
  return out;
}

void storm_plan::setup(const std::function<void(user_request)>& sink) const {
  set_up_hub(impl_->options.members, sink);
  dice chance{impl_->options.seed};
  fleet all = lay_out(impl_->options, chance);
  populate(all, chance, sink);
}

user_request storm_plan::next() {
  // A storm that finds nothing leaves its turn to another; the fleet never runs out of things to do for all of them.
  for (int turn = 0; turn < turns_max; ++turn)
    if (auto out = impl_->advance(impl_->choose()))
      return std::move(*out);
  throw std::logic_error{"the storms have eaten up their fleet"};
}

} // namespace sliceferry::storm
