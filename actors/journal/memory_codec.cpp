#include "actors/journal/memory_codec.hpp"

#include "actors/core/fingerprint.hpp"
#include "actors/journal/packer.hpp"
#include "actors/journal/sealed.hpp"
#include "actors/journal/unpacker.hpp"

#include <chrono>
#include <limits>

namespace sliceferry::journal {
namespace {

enum : std::uint8_t {
  name_pending = 1,
  annotate_owed = 2,
  annotate_refused = 4,
  apply_owed = 8,
  over = 16,
  has_digest = 32,
  accepted_differs = 64,
  all_flags = 127,
};

std::uint8_t flags_of(const core::memory& held) {
  const auto bit = [](bool is, std::uint8_t flag) { return is ? unsigned{flag} : 0U; };
  return static_cast<std::uint8_t>(bit(held.name_pending, name_pending) | bit(held.annotate_owed, annotate_owed) |
                                   bit(held.annotate_refused, annotate_refused) | bit(held.apply_owed, apply_owed) |
                                   bit(held.over, over) | bit(held.digest != 0, has_digest) |
                                   bit(held.accepted != held.digest, accepted_differs));
}

std::uint32_t take_count(unpacker& in) {
  const std::uint64_t number = in.take_varint();
  if (number > std::numeric_limits<std::uint32_t>::max())
    in.fail();
  return static_cast<std::uint32_t>(number);
}

/// How many of something follow, each at least one byte long: a damaged number must not make us reserve the world.
std::uint64_t take_size(unpacker& in) {
  const std::uint64_t number = in.take_varint();
  if (number > in.left())
    in.fail();
  return in.good() ? number : 0;
}

struct reading {
  std::optional<kept_memory> what;
  bool newer = false;
};

reading read(std::string_view bytes) {
  if (!is_sealed(bytes))
    return {};
  unpacker in{bytes.substr(seal_bytes)};
  const std::uint8_t version = in.take_u8();
  if (version != memory_version && version != memory_version_hashed)
    return {std::nullopt, version > memory_version_hashed};
  reading out{kept_memory{}, false};
  out.what->covers = in.take_varint();
  out.what->slice.nspace = in.take_text();
  out.what->slice.name = in.take_text();
  out.what->held = take_memory(in, out.newer);
  if (version == memory_version_hashed) {
    out.what->whose.member = in.take_text();
    out.what->whose.slice_uid = in.take_text();
    if (out.what->whose == stream_id{})
      in.fail();
  }
  if (out.newer || !in.good() || !in.at_end())
    out.what.reset();
  return out;
}

} // namespace

std::uint8_t number_of(proof why) {
  switch (why) {
    case proof::seen:
      return 0;
    case proof::superseded:
      return 1;
    case proof::gone:
      return 2;
    case proof::ending:
      return 3;
    case proof::leftover:
      return 4;
    case proof::leaving:
      return 5;
  }
  return 0;
}

proof proof_of(std::uint8_t number, bool& newer) {
  for (const auto why : {proof::seen, proof::superseded, proof::gone, proof::ending, proof::leftover, proof::leaving})
    if (number_of(why) == number)
      return why;
  newer = true;
  return proof::seen;
}

void put_memory(packer& out, const core::memory& held) {
  out.put_u8(flags_of(held));
  out.put_text(held.name);
  out.put_signed(held.generation);
  out.put_signed(held.since.time_since_epoch().count());
  out.put_varint(held.hub_uids.size());
  for (const auto& uid : held.hub_uids)
    out.put_uid(uid);
  if (held.digest != 0)
    out.put_u64(held.digest);
  if (held.accepted != held.digest)
    out.put_u64(held.accepted);
  out.put_varint(held.names_chosen);
  out.put_varint(held.annotated_in_row);
  out.put_varint(held.withdrawals.size());
  for (const auto& each : held.withdrawals) {
    out.put_text(each.name);
    out.put_uid(each.hub_uid);
    out.put_u8(static_cast<std::uint8_t>(number_of(each.why) * 2 + (each.done ? 1 : 0)));
  }
}

core::memory take_memory(unpacker& in, bool& newer) {
  core::memory held;
  const std::uint8_t flags = in.take_u8();
  newer = newer || flags > all_flags;
  held.name_pending = (flags & name_pending) != 0;
  held.annotate_owed = (flags & annotate_owed) != 0;
  held.annotate_refused = (flags & annotate_refused) != 0;
  held.apply_owed = (flags & apply_owed) != 0;
  held.over = (flags & over) != 0;
  held.name = in.take_text();
  held.generation = in.take_signed();
  held.since = seconds_utc{std::chrono::seconds{in.take_signed()}};
  held.hub_uids.resize(take_size(in));
  for (auto& uid : held.hub_uids)
    uid = in.take_uid();
  held.digest = (flags & has_digest) != 0 ? in.take_u64() : 0;
  held.accepted = (flags & accepted_differs) != 0 ? in.take_u64() : held.digest;
  held.names_chosen = take_count(in);
  held.annotated_in_row = take_count(in);
  held.withdrawals.resize(take_size(in));
  for (auto& each : held.withdrawals) {
    each.name = in.take_text();
    each.hub_uid = in.take_uid();
    const std::uint8_t why_and_done = in.take_u8();
    each.why = proof_of(why_and_done / 2, newer);
    each.done = why_and_done % 2 != 0;
  }
  return held;
}

void encode_memory(const kept_memory& what, std::string& out) {
  const std::size_t start = open_seal(out);
  packer in{out};
  const bool is_told = what.whose != stream_id{};
  in.put_u8(is_told ? memory_version_hashed : memory_version);
  in.put_varint(what.covers);
  in.put_text(what.slice.nspace);
  in.put_text(what.slice.name);
  put_memory(in, what.held);
  if (is_told) {
    in.put_text(what.whose.member);
    in.put_text(what.whose.slice_uid);
  }
  close_seal(out, start);
}

std::optional<kept_memory> decode_memory(std::string_view bytes) {
  return read(bytes).what;
}

flaw flaw_of_memory(std::string_view bytes) {
  return read(bytes).newer ? flaw::newer : flaw::damaged;
}

std::uint64_t digest_of(const core::memory& held) {
  std::string bytes;
  packer out{bytes};
  put_memory(out, held);
  core::fingerprint hash;
  hash.add(bytes);
  return hash.value();
}

} // namespace sliceferry::journal
