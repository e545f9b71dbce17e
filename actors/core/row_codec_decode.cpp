#include "actors/core/packed_values.hpp"
#include "actors/core/row_codec.hpp"
#include "actors/core/row_form.hpp"
#include "actors/core/unique_name.hpp"
#include "messages/rfc3339.hpp"

#include <algorithm>
#include <cassert>
#include <memory>
#include <utility>

namespace sliceferry::core {
namespace {

using namespace row_form;

hearing read_hearing(byte_reader& from) {
  const auto head = from.number();
  return {head >> 2, (head & 2) != 0, (head & 1) != 0 ? static_cast<unsigned>(from.number()) : 0};
}

/// Returns whether there is a memory.
bool read_head(byte_reader& from, row_head& out, std::vector<hearing>* heard) {
  const unsigned flags = from.byte();
  out.recorded = (flags & bit(0)) != 0;
  out.waiting = (flags & bit(1)) != 0;
  out.gone = (flags & bit(2)) != 0;
  out.leftover = (flags & bit(3)) != 0;
  out.assumed = (flags & bit(4)) != 0;
  out.awake = (flags & bit(awake_bit)) != 0;
  out.has_slice = (flags & bit(6)) != 0;
  const auto exports = from.number();
  out.exports = exports >> 1;
  out.refers_elsewhere = (exports & 1) != 0;
  if (out.has_slice)
    out.heard = read_hearing(from);
  for (std::size_t i = 0; heard != nullptr && i < out.exports; ++i)
    heard->push_back(read_hearing(from));
  return (flags & bit(7)) != 0;
}

class unpacker {
public:
  unpacker(std::string_view bytes, const std::string& cluster, const text_pool& pool, std::vector<std::uint32_t>& used)
    : from_(bytes), cluster_(cluster), pool_(pool), used_(used) {}

  slice_row unpack() {
    slice_row row;
    row_head head;
    std::vector<hearing> heard;
    const bool has_memory = read_head(from_, head, &heard);
    row.recorded = head.recorded;
    row.waiting = head.waiting;
    row.gone = head.gone;
    row.leftover = head.leftover;
    row.assumed = head.assumed;
    row.awake = head.awake;
    row.heard = head.heard;
    row.uid = read_uid(from_);
    const bool has_key = row.recorded || row.waiting;
    if (row.recorded)
      row.number = from_.number();
    if (has_key)
      row.key = key();
    common same;
    same.prefix = name_prefix(cluster_, row.key);
    if (head.has_slice)
      row.slice = slice(row, same);
    row.exports.reserve(heard.size());
    for (const auto& each : heard) {
      row.exports.push_back(held(has_key ? &row.key : nullptr, same));
      row.exports.back().heard = each;
    }
    if (has_memory)
      row.kept = kept(row.exports, same);
    assert(from_.is_at_end());
    return row;
  }

private:
  const std::string& pooled() {
    used_.push_back(static_cast<std::uint32_t>(from_.number()));
    return pool_.at(used_.back());
  }

  object_key key() {
    object_key out;
    out.nspace = pooled();
    out.name = from_.text();
    return out;
  }

  std::shared_ptr<const endpoint_slice> slice(const slice_row& row, common& same) {
    auto out = std::make_shared<endpoint_slice>();
    out->key = row.key;
    out->uid = row.uid;
    const unsigned flags = from_.byte();
    const unsigned service = flags >> 1 & 3U, generation = flags >> 4 & 3U, time = flags >> 6 & 3U;
    out->deleting = (flags & bit(0)) != 0;
    out->resource_version = read_version(from_);
    out->generation = from_.signed_number();
    byte_reader shape{pooled()};
    out->address_type = shape.text();
    out->managed_by = shape.text();
    out->ports = read_ports(shape);
    if (service == derived)
      out->service = out->key.name.substr(0, from_.number());
    else if (service == spelt)
      out->service = from_.text();
    same.generation = out->generation;
    if ((flags & bit(3)) != 0)
      out->ours.name = same.name = read_text(from_, same.prefix);
    if (generation == derived)
      out->ours.generation = std::to_string(read_near(from_, out->generation));
    else if (generation == spelt)
      out->ours.generation = from_.text();
    if (time == derived)
      out->ours.timestamp = format_rfc3339(same.since = read_near(from_, seconds_utc{}));
    else if (time == spelt)
      out->ours.timestamp = from_.text();
    out->ready = read_endpoints(from_);
    out->fallback = read_endpoints(from_);
    return out;
  }

  held_export held(const object_key* of_row, const common& same) {
    held_export out;
    auto& seen = out.seen;
    const unsigned flags = from_.byte();
    const bool same_key = (flags & bit(2)) != 0;
    seen.terminating = (flags & bit(0)) != 0;
    out.created = (flags & bit(1)) != 0;
    out.slice = same_key ? *of_row : key();
    seen.uid = read_uid(from_);
    seen.resource_version = read_version(from_);
    seen.created = read_near(from_, same.since);
    seen.generation = (flags & bit(3)) != 0 ? same.generation : from_.signed_number();
    if ((flags & bit(4)) != 0)
      seen.since = (flags & bit(awake_bit)) != 0 ? same.since : read_near(from_, same.since);
    seen.digest = from_.fixed();
    if ((flags & bit(6)) != 0)
      seen.name = same.name;
    else
      seen.name = read_text(from_, same_key ? same.prefix : name_prefix(cluster_, out.slice));
    return out;
  }

  memory kept(const std::vector<held_export>& exports, const common& same) {
    memory out;
    const auto flags = static_cast<unsigned>(from_.number());
    const auto is = [&](unsigned at) { return (flags & bit(at)) != 0; };
    out.name = is(0) ? same.name : read_text(from_, same.prefix);
    out.generation = is(1) ? same.generation : from_.signed_number();
    out.since = is(2) ? same.since : read_near(from_, same.since);
    if (is(3))
      out.hub_uids.push_back(exports[0].seen.uid);
    else
      for (auto left = from_.number(); left > 0; --left)
        out.hub_uids.push_back(read_uid(from_));
    out.digest = is(4) ? exports[0].seen.digest : from_.fixed();
    out.accepted = is(5) ? out.digest : from_.fixed();
    out.names_chosen = is(6) ? static_cast<std::uint32_t>(from_.number()) : 0;
    for (auto left = is(7) ? from_.number() : 0; left > 0; --left)
      out.withdrawals.push_back(removal(same));
    out.name_pending = is(8);
    out.annotate_owed = is(9);
    out.annotate_refused = is(10);
    out.apply_owed = is(11);
    out.over = is(12);
    out.annotated_in_row = is(13) ? static_cast<std::uint32_t>(from_.number()) : 0;
    return out;
  }

  withdrawal removal(const common& same) {
    withdrawal out;
    const unsigned flags = from_.byte();
    out.why = static_cast<proof>(flags >> 1);
    out.done = (flags & bit(0)) != 0;
    out.name = read_text(from_, same.prefix);
    out.hub_uid = read_uid(from_);
    return out;
  }

  byte_reader from_;
  const std::string& cluster_;
  const text_pool& pool_;
  std::vector<std::uint32_t>& used_;
};

} // namespace

slice_row row_codec::decode(std::string_view bytes, std::vector<std::uint32_t>& used) const {
  return unpacker{bytes, cluster_, pool_, used}.unpack();
}

row_head row_codec::peek(std::string_view bytes, std::vector<hearing>* heard) {
  row_head out;
  byte_reader from{bytes};
  read_head(from, out, heard);
  return out;
}

bool row_codec::mark(std::span<char> bytes, bool awake, std::uint64_t number) {
  row_head head;
  std::vector<hearing> heard;
  byte_reader from{{bytes.data(), bytes.size()}};
  read_head(from, head, &heard);
  read_uid(from);
  const std::size_t begin = bytes.size() - from.left();
  from.number();
  std::string text;
  byte_writer{text}.number(number);
  if (begin + text.size() != bytes.size() - from.left())
    return false;
  std::ranges::copy(text, bytes.begin() + static_cast<std::ptrdiff_t>(begin));
  const auto others = static_cast<unsigned char>(bytes[0]) & ~bit(awake_bit);
  bytes[0] = static_cast<char>(others | flag(awake, awake_bit));
  return true;
}

std::string row_codec::uid_of(std::string_view bytes) {
  row_head head;
  std::vector<hearing> heard;
  byte_reader from{bytes};
  read_head(from, head, &heard);
  return read_uid(from);
}

std::pair<std::string, object_key> row_codec::identify(std::string_view bytes) const {
  row_head head;
  std::vector<hearing> heard;
  byte_reader from{bytes};
  read_head(from, head, &heard);
  std::pair<std::string, object_key> out;
  out.first = read_uid(from);
  if (head.recorded)
    from.number(); // of its last observation
  if (!head.recorded && !head.waiting)
    return out;
  out.second.nspace = pool_.at(static_cast<std::uint32_t>(from.number()));
  out.second.name = from.text();
  return out;
}

} // namespace sliceferry::core
