#pragma once
#include "actors/core/decide.hpp"
#include "actors/core/exporter.hpp"
#include "actors/core/member_table.hpp"
#include "messages/rfc3339.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

namespace sliceferry::bench {

template <class T>
watch_batch<T> batch_of(std::initializer_list<watch_event<T>> events) {
  watch_batch<T> out;
  out.events = events;
  return out;
}

/// A member of any size whose objects follow from their number alone, so that a measurement of a table holds nothing
/// else: slices with names of 40 bytes and 1 to 3 endpoints, each of a Service of its own, as small slices are.
class settled_fleet {
public:
  std::shared_ptr<const core::member_identity> who() const { return who_; }

  endpoint_slice slice(std::size_t i, bool exported) const {
    endpoint_slice out;
    out.key = {nspace(i), service(i) + '-' + letters(mixed(i) >> 20, 5)};
    out.uid = uid(i, 1);
    out.resource_version = version(i, exported ? 1 : 0);
    out.generation = static_cast<std::int64_t>(1 + mixed(i) % 40);
    out.address_type = "IPv4";
    out.service = service(i);
    out.managed_by = "endpointslice-controller.k8s.io";
    for (std::size_t n = 0; n <= i % 3; ++n)
      out.ready.push_back({{address(i * 3 + n)}});
    out.ports.emplace().push_back({"http", "TCP", 8080 + static_cast<int>(i % 7), std::nullopt});
    if (exported)
      out.ours = {export_name(i), std::to_string(out.generation), format_rfc3339(since(i))};
    return out;
  }

  service_export consent(std::size_t i) const {
    service_export out;
    out.key = {nspace(i), service(i)};
    out.uid = uid(i, 2);
    out.resource_version = version(i, 2);
    out.valid = condition{condition::status::yes, {}};
    out.conflict = condition{condition::status::no, {}};
    return out;
  }

  slice_export exported(std::size_t i) const {
    const auto from = slice(i, true);
    slice_export out;
    out.key = {who_->hub_nspace, *from.ours.name};
    out.uid = uid(i, 3);
    out.resource_version = version(i, 3);
    out.created = since(i) + std::chrono::seconds(3);
    out.spec.endpoints = from.ready;
    out.spec.ports = from.ports;
    auto& reference = out.spec.reference;
    reference.cluster = who_->cluster;
    reference.api_version = core::slice_api_version;
    reference.kind = core::slice_kind;
    reference.slice = from.key;
    reference.namespaced_name = to_string(from.key);
    reference.uid = from.uid;
    reference.resource_version = from.resource_version;
    reference.generation = from.generation;
    reference.exported_since = since(i);
    out.spec.owner = {{from.key.nspace, *from.service}, from.key.nspace + '/' + *from.service};
    return out;
  }

  std::string uid(std::size_t i, unsigned kind) const {
    const auto high = mixed(i * 4 + kind), low = mixed(high);
    char text[37];
    std::snprintf(text, sizeof text, "%08x-%04x-4%03x-a%03x-%012llx", static_cast<unsigned>(high >> 32),
                  static_cast<unsigned>(high >> 16 & 0xffff), static_cast<unsigned>(high & 0xfff),
                  static_cast<unsigned>(low >> 52), static_cast<unsigned long long>(low & 0xffffffffffff));
    return text;
  }

  seconds_utc since(std::size_t i) const {
    return seconds_utc{std::chrono::seconds(1'750'000'000 + static_cast<std::int64_t>(mixed(i) % 9'000'000))};
  }

  std::string version(std::size_t i, unsigned step) const { return std::to_string(7'300'000'000 + i * 8 + step); }

private:
  static std::uint64_t mixed(std::uint64_t x) {
    x += 0x9e3779b97f4a7c15U;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
    return x ^ (x >> 31);
  }

  static std::string letters(std::uint64_t bits, std::size_t count) {
    constexpr std::string_view alphabet = "bcdfghjklmnpqrstvwxz2456789";
    std::string out;
    for (; count > 0; --count, bits /= alphabet.size())
      out += alphabet[bits % alphabet.size()];
    return out;
  }

  static std::string address(std::size_t i) {
    return "10." + std::to_string(i >> 16 & 255) + '.' + std::to_string(i >> 8 & 255) + '.' + std::to_string(i & 255);
  }

  std::string nspace(std::size_t i) const { return "team-" + std::to_string(i % 200) + "-production"; }

  /// 34 bytes, of which the number makes some unique.
  std::string service(std::size_t i) const {
    auto out = "storefront-" + letters(mixed(i), 6) + '-' + std::to_string(i) + "-backend";
    out.resize(34, 'x');
    return out;
  }

  std::string export_name(std::size_t i) const {
    return who_->cluster + '-' + nspace(i) + '-' + service(i) + '-' + letters(mixed(i) >> 20, 5) + '-' +
           letters(mixed(i * 4 + 9), 7);
  }

  std::shared_ptr<const core::member_identity> who_ = [] {
    core::member_identity out;
    out.cluster = "member-eu-central-1";
    out.hub_nspace = "fleet-member-eu-central-1";
    return std::make_shared<const core::member_identity>(std::move(out));
  }();
};

/// What the member's dispatcher, its writers and two API servers do for one slice until nothing is owed.
class settling {
public:
  settling(const settled_fleet& fleet, core::member_table& table) : fleet_(fleet), table_(table) {}

  /// Wakes the slice's exporter if it has something to do or to say, serves it and sees it retire.
  void settle(std::size_t i) {
    const auto uid = fleet_.uid(i, 1);
    observation seen;
    seen.now = table_.inputs_of(uid);
    const auto now = fleet_.since(i);
    if (const auto held = table_.kept(uid); !held || core::quiet(*fleet_.who(), *held, seen.now, now))
      return;
    core::exporter machine{fleet_.who(), uid, table_.wake(uid)};
    for (;;) {
      seen.number = table_.next_number(uid);
      const auto step = machine.observe(seen, now);
      if (step.settled)
        break;
      const auto answer = serve(i, std::get<core::submit_command>(*step.action));
      seen.ended = table_.answered(answer).end;
      echo(answer);
      seen.now = table_.inputs_of(uid);
    }
    table_.retire(uid, machine.seen(), machine.held());
  }

private:
  write_answer serve(std::size_t i, const core::submit_command& asked) {
    write_answer out;
    out.slice_uid = fleet_.uid(i, 1);
    out.ticket = asked.ticket;
    if (const auto* patch = std::get_if<annotate_slice>(&asked.what)) {
      out.slice = fleet_.slice(i, false);
      out.slice->resource_version = fleet_.version(i, 1);
      out.slice->ours = {patch->name, std::to_string(patch->generation), format_rfc3339(patch->since)};
    } else if (const auto* apply = std::get_if<apply_export>(&asked.what)) {
      out.exported.emplace();
      out.exported->key = {fleet_.who()->hub_nspace, apply->name};
      out.exported->uid = fleet_.uid(i, 3);
      out.exported->resource_version = fleet_.version(i, 3);
      out.exported->created = fleet_.since(i) + std::chrono::seconds(1);
      out.exported->spec = *apply->spec;
    }
    return out;
  }

  void echo(const write_answer& answer) {
    if (answer.slice)
      table_.slices(batch_of<endpoint_slice>({{watch_change::applied, *answer.slice}}));
    if (answer.exported)
      table_.exports(batch_of<slice_export>({{watch_change::applied, *answer.exported}}));
  }

  const settled_fleet& fleet_;
  core::member_table& table_;
};

} // namespace sliceferry::bench
