#include "actors/core/row_codec.hpp"

#include "actors/core/packed_values.hpp"
#include "actors/core/row_form.hpp"
#include "actors/core/unique_name.hpp"

#include <algorithm>
#include <utility>

namespace sliceferry::core {
namespace {

using namespace row_form;

// The head is read on its own by `peek`, so it comes first.

void write_hearing(byte_writer& to, const hearing& heard) {
  to.number(heard.list << 2 | flag(heard.answered, 1) | flag(heard.behind != 0, 0));
  if (heard.behind != 0)
    to.number(heard.behind);
}

void write_head(byte_writer& to, const slice_row& row) {
  to.byte(flag(row.recorded, 0) | flag(row.waiting, 1) | flag(row.gone, 2) | flag(row.leftover, 3) |
          flag(row.assumed, 4) | flag(row.awake, awake_bit) | flag(row.slice != nullptr, 6) |
          flag(row.kept != memory{}, 7));
  const bool refers_elsewhere = std::ranges::any_of(
    row.exports, [&](const auto& each) { return !(row.recorded || row.waiting) || each.slice != row.key; });
  to.number(row.exports.size() << 1 | flag(refers_elsewhere, 0));
  if (row.slice)
    write_hearing(to, row.heard);
  for (const auto& each : row.exports)
    write_hearing(to, each.heard);
}

class packer {
public:
  packer(std::string& out, const std::string& cluster, text_pool& pool, std::vector<std::uint32_t>& used)
    : to_(out), cluster_(cluster), pool_(pool), used_(used) {}

  void pack(const slice_row& row) {
    write_head(to_, row);
    write_uid(to_, row.uid);
    const bool has_key = row.recorded || row.waiting;
    if (row.recorded)
      to_.number(row.number);
    if (has_key)
      pack(row.key);
    common same;
    same.prefix = name_prefix(cluster_, row.key);
    if (row.slice)
      pack(*row.slice, same);
    for (const auto& each : row.exports)
      pack(each, has_key ? &row.key : nullptr, same);
    if (row.kept != memory{})
      pack(row.kept, row.exports, same);
  }

private:
  void pool(std::string_view text) {
    used_.push_back(pool_.acquire(text));
    to_.number(used_.back());
  }

  void pack(const object_key& key) {
    pool(key.nspace);
    to_.text(key.name);
  }

  void pack(const endpoint_slice& slice, common& same) {
    const auto& [name, generation, timestamp] = slice.ours;
    const auto number = generation ? spelt_number(*generation) : std::nullopt;
    const auto time = timestamp ? spelt_time(*timestamp) : std::nullopt;
    const auto form = [](bool is, bool short_form) { return !is ? absent : short_form ? derived : spelt; };
    const unsigned service =
      form(slice.service.has_value(), slice.service && std::string_view{slice.key.name}.starts_with(*slice.service));
    const unsigned generation_form = form(generation.has_value(), number.has_value());
    const unsigned time_form = form(timestamp.has_value(), time.has_value());
    to_.byte(flag(slice.deleting, 0) | service << 1 | flag(name.has_value(), 3) | generation_form << 4 |
             time_form << 6);
    write_version(to_, slice.resource_version);
    to_.signed_number(slice.generation);
    shape(slice);
    if (service == derived)
      to_.number(slice.service->size());
    else if (service == spelt)
      to_.text(*slice.service);
    if (name)
      write_text(to_, *name, same.prefix);
    if (number)
      write_near(to_, *number, slice.generation);
    else if (generation)
      to_.text(*generation);
    const auto since = time.value_or(seconds_utc{});
    if (time_form == derived)
      write_near(to_, since, seconds_utc{});
    else if (timestamp)
      to_.text(*timestamp);
    write_endpoints(to_, slice.ready);
    write_endpoints(to_, slice.fallback);
    same = {std::move(same.prefix), name.value_or(""), slice.generation, since};
  }

  /// What whole Services have in common.
  void shape(const endpoint_slice& slice) {
    std::string text;
    byte_writer shape{text};
    shape.text(slice.address_type);
    shape.text(slice.managed_by);
    write_ports(shape, slice.ports);
    pool(text);
  }

  void pack(const held_export& held, const object_key* key, const common& same) {
    const auto& seen = held.seen;
    const bool same_key = key != nullptr && held.slice == *key;
    to_.byte(flag(seen.terminating, 0) | flag(held.created, 1) | flag(same_key, 2) |
             flag(seen.generation == same.generation, 3) | flag(seen.since.has_value(), 4) |
             flag(seen.since == same.since, 5) | flag(seen.name == same.name, 6));
    if (!same_key)
      pack(held.slice);
    write_uid(to_, seen.uid);
    write_version(to_, seen.resource_version);
    write_near(to_, seen.created, same.since);
    if (seen.generation != same.generation)
      to_.signed_number(seen.generation);
    if (seen.since && seen.since != same.since)
      write_near(to_, *seen.since, same.since);
    to_.fixed(seen.digest);
    if (seen.name != same.name)
      write_text(to_, seen.name, same_key ? same.prefix : name_prefix(cluster_, held.slice));
  }

  void pack(const memory& held, const std::vector<held_export>& exports, const common& same) {
    const bool has_export = !exports.empty();
    const bool same_uids = has_export && held.hub_uids.size() == 1 && held.hub_uids[0] == exports[0].seen.uid;
    const bool same_digest = has_export && held.digest == exports[0].seen.digest;
    to_.number(flag(held.name == same.name, 0) | flag(held.generation == same.generation, 1) |
               flag(held.since == same.since, 2) | flag(same_uids, 3) | flag(same_digest, 4) |
               flag(held.accepted == held.digest, 5) | flag(held.names_chosen != 0, 6) |
               flag(!held.withdrawals.empty(), 7) | flag(held.name_pending, 8) | flag(held.annotate_owed, 9) |
               flag(held.annotate_refused, 10) | flag(held.apply_owed, 11) | flag(held.over, 12) |
               flag(held.annotated_in_row != 0, 13));
    if (held.name != same.name)
      write_text(to_, held.name, same.prefix);
    if (held.generation != same.generation)
      to_.signed_number(held.generation);
    if (held.since != same.since)
      write_near(to_, held.since, same.since);
    if (!same_uids)
      pack(held.hub_uids);
    if (!same_digest)
      to_.fixed(held.digest);
    if (held.accepted != held.digest)
      to_.fixed(held.accepted);
    if (held.names_chosen != 0)
      to_.number(held.names_chosen);
    if (!held.withdrawals.empty())
      pack(held.withdrawals, same);
    if (held.annotated_in_row != 0)
      to_.number(held.annotated_in_row);
  }

  void pack(const std::vector<std::string>& uids) {
    to_.number(uids.size());
    for (const auto& uid : uids)
      write_uid(to_, uid);
  }

  void pack(const std::vector<withdrawal>& all, const common& same) {
    to_.number(all.size());
    for (const auto& each : all) {
      to_.byte(static_cast<unsigned>(each.why) << 1 | flag(each.done, 0));
      write_text(to_, each.name, same.prefix);
      write_uid(to_, each.hub_uid);
    }
  }

  byte_writer to_;
  const std::string& cluster_;
  text_pool& pool_;
  std::vector<std::uint32_t>& used_;
};

} // namespace

std::string row_codec::encode(const slice_row& row, std::vector<std::uint32_t>& used) const {
  std::string out;
  out.reserve(256);
  used.reserve(4);
  packer{out, cluster_, pool_, used}.pack(row);
  return out;
}

} // namespace sliceferry::core
