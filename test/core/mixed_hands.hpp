#pragma once
#include "test/core/shared_clusters.hpp"

#include <array>
#include <iterator>
#include <random>
#include <set>
#include <string>

namespace sliceferry::core {

/// What users, kube and tamperers do to shared clusters, from one seed.
///
/// It keeps account of what may rightly change: a slice's UID is in `moved` once something happened after which its
/// exportedSince may be another, and in `renamed` once its export's name may be.
class mixed_hands {
public:
  mixed_hands(shared_clusters& all, std::uint32_t seed) : all_{all}, random_{seed} {
    for (int i = 0; i < 3; ++i)
      all_.put(make_verdict("s" + std::to_string(i), i != 2));
    for (std::uint32_t count = 1 + below(5); count > 0; --count)
      create("w" + std::to_string(count));
  }

  std::set<std::string> moved;
  std::set<std::string> renamed;

  std::uint32_t below(std::uint32_t bound) { return static_cast<std::uint32_t>(random_() % bound); }
  bool chance(std::uint32_t one_in) { return below(one_in) == 0; }

  void act() {
    switch (below(8)) {
      case 0:
      case 1:
        return change_slice();
      case 2:
        return any([](auto&) {}); // a metadata bump
      case 3:
        return change_consent();
      case 4:
        return chance(3) ? create("w" + std::to_string(below(6))) : recreate();
      case 5:
        return tamper_name();
      case 6:
        return tamper_rest();
      default:
        return change_hub();
    }
  }

private:
  template <class Change>
  void any(Change change) {
    if (all_.slices.empty())
      return;
    auto next = std::next(all_.slices.begin(), below(static_cast<std::uint32_t>(all_.slices.size())))->second;
    change(next);
    all_.put(next);
  }

  port_list ports() {
    if (chance(4))
      return chance(2) ? port_list{} : port_list{{port{}}};
    std::vector<port> out;
    for (auto count = below(3); count > 0; --count)
      out.push_back({"p" + std::to_string(count), chance(2) ? "TCP" : "UDP",
                     chance(5) ? std::optional<std::int32_t>{} : std::optional<std::int32_t>{80},
                     chance(3) ? std::optional<std::string>{"h2c"} : std::nullopt});
    return out;
  }

  std::vector<endpoint> endpoints() {
    std::vector<endpoint> out(below(4)); // none ready is exported, too
    for (auto& each : out)
      for (auto count = 1 + below(2); count > 0; --count)
        each.addresses.push_back("10.0.0." + std::to_string(below(9)));
    return out;
  }

  void create(const std::string& name) {
    if (all_.slices.contains({"shop", name}))
      return;
    auto made = make_plain_slice(chance(9) ? std::string(100, 'w') + name : name, all_.fresh_uid());
    made.generation = below(3);
    made.service = "s" + std::to_string(below(3));
    made.ready = endpoints();
    made.ports = ports();
    all_.put(made);
  }

  void change_slice() {
    any([&](endpoint_slice& slice) {
      ++slice.generation;
      moved.insert(slice.uid);
      if (chance(2))
        slice.ready = endpoints();
      else if (chance(2))
        slice.ports = ports();
      else if (chance(3))
        slice.deleting = true; // held by somebody's finalizer
      else if (chance(4))
        slice.service.reset();
      else
        slice.service = "s" + std::to_string(below(3));
    });
  }

  void change_consent() {
    const auto service = "s" + std::to_string(below(3));
    auto next = make_verdict(service);
    next.valid->is = std::array{condition::status::yes, condition::status::no, condition::status::unknown}[below(3)];
    next.conflict->is = chance(5) ? condition::status::yes : condition::status::no;
    next.deleting = chance(8);
    if (chance(8))
      all_.consents.erase(next.key);
    else
      all_.put(next);
    for (const auto& [key, slice] : all_.slices)
      if (slice.service == service)
        moved.insert(slice.uid);
  }

  /// Deleted, and perhaps there again under its old name, with or without what was in its manifest.
  void recreate() {
    if (all_.slices.empty())
      return;
    auto last = std::next(all_.slices.begin(), below(static_cast<std::uint32_t>(all_.slices.size())))->second;
    all_.slices.erase(last.key);
    if (chance(2))
      return;
    last.uid = all_.fresh_uid();
    last.deleting = false;
    if (chance(2))
      last.ours = {};
    all_.put(last);
  }

  void tamper_name() {
    any([&](endpoint_slice& slice) {
      renamed.insert(slice.uid);
      const auto& other = std::next(all_.slices.begin(), below(static_cast<std::uint32_t>(all_.slices.size())))->second;
      const std::array<std::optional<std::string>, 6> names{
        std::nullopt, "x_y", "", "unused-" + std::to_string(below(2)), "taken", other.ours.name};
      slice.ours.name = names[below(names.size())];
    });
  }

  void tamper_rest() {
    any([&](endpoint_slice& slice) {
      moved.insert(slice.uid);
      switch (below(3)) {
        case 0:
          slice.ours = {}; // kube recycles a slice
          renamed.insert(slice.uid);
          break;
        case 1:
          slice.ours.generation.reset();
          break;
        default:
          slice.ours.timestamp = std::array{"yesterday", "2036-01-01T00:00:00Z"}[below(2)];
      }
    });
  }

  void change_hub() {
    if (all_.exports.empty())
      return;
    auto each = std::next(all_.exports.begin(), below(static_cast<std::uint32_t>(all_.exports.size())))->second;
    if (each.key.name == "taken" || each.terminating)
      return;
    if (chance(2)) {
      all_.exports.erase(each.key); // by hand, or with its namespace
      return;
    }
    each.spec.endpoints = {endpoint{{"6.6.6.6"}}};
    all_.put(each);
  }

  shared_clusters& all_;
  std::mt19937 random_;
};

} // namespace sliceferry::core
