#include "actors/journal/record_codec.hpp"

#include "actors/journal/memory_codec.hpp"
#include "actors/journal/packer.hpp"
#include "actors/journal/sealed.hpp"
#include "actors/journal/stream_key.hpp"
#include "actors/journal/unpacker.hpp"
#include "messages/overloaded.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

namespace sliceferry::journal {
namespace {

/// Numbers of the format, for ever.
enum class record_kind : std::uint8_t {
  adopted = 1,
  generation_seen = 2,
  name_chosen = 3,
  annotated = 4,
  export_applied = 5,
  withdrawal_begun = 6,
  withdrawal_cancelled = 7,
  export_withdrawn = 8,
  annotations_cleared = 9,
  refused = 10,
  drift_repaired = 11,
  contradiction = 12,
  slice_gone = 13,
  remembered = 64,
  interruption = 65,
};

constexpr std::size_t key_size_at = seal_bytes + 2; // after version and kind
constexpr std::size_t key_at = key_size_at + 2;

record_kind kind_of(const event& told) {
  return std::visit(overloaded{
                      [](const adopted&) { return record_kind::adopted; },
                      [](const generation_seen&) { return record_kind::generation_seen; },
                      [](const name_chosen&) { return record_kind::name_chosen; },
                      [](const annotated&) { return record_kind::annotated; },
                      [](const export_applied&) { return record_kind::export_applied; },
                      [](const withdrawal_begun&) { return record_kind::withdrawal_begun; },
                      [](const withdrawal_cancelled&) { return record_kind::withdrawal_cancelled; },
                      [](const export_withdrawn&) { return record_kind::export_withdrawn; },
                      [](const annotations_cleared&) { return record_kind::annotations_cleared; },
                      [](const refused&) { return record_kind::refused; },
                      [](const drift_repaired&) { return record_kind::drift_repaired; },
                      [](const contradiction&) { return record_kind::contradiction; },
                      [](const slice_gone&) { return record_kind::slice_gone; },
                    },
                    told);
}

record_kind kind_of(const journal_record& what) {
  return std::visit(overloaded{
                      [](const event& told) { return kind_of(told); },
                      [](const remembered&) { return record_kind::remembered; },
                      [](const interruption&) { return record_kind::interruption; },
                    },
                    what.what);
}

std::int64_t count(seconds_utc time) {
  return time.time_since_epoch().count();
}

void put_event(packer& out, const event& told) {
  std::visit(overloaded{
               [&](const adopted& x) {
                 out.put_text(x.name);
                 out.put_signed(x.generation);
                 out.put_signed(count(x.since));
                 out.put_varint(x.hub_uids.size());
                 for (const auto& uid : x.hub_uids)
                   out.put_uid(uid);
                 out.put_u64(x.digest);
               },
               [&](const generation_seen& x) {
                 out.put_signed(x.generation);
                 out.put_signed(count(x.since));
               },
               [&](const name_chosen& x) { out.put_text(x.name); },
               [&](const annotated& x) { out.put_signed(x.generation); },
               [&](const export_applied& x) {
                 out.put_text(x.name);
                 out.put_uid(x.hub_uid);
                 out.put_u64(x.digest);
                 out.put_u64(x.accepted);
               },
               [&](const withdrawal_begun& x) {
                 out.put_text(x.name);
                 out.put_uid(x.hub_uid);
                 out.put_u8(number_of(x.why));
               },
               [&](const withdrawal_cancelled&) {},
               [&](const export_withdrawn& x) { out.put_uid(x.hub_uid); },
               [&](const annotations_cleared&) {},
               [&](const refused& x) {
                 out.put_text(x.command);
                 out.put_text(x.reason);
               },
               [&](const drift_repaired& x) { out.put_text(x.what); },
               [&](const contradiction& x) { out.put_text(x.what); },
               [&](const slice_gone&) {},
             },
             told);
}

std::int64_t count(moment time) {
  return time.time_since_epoch().count();
}

seconds_utc take_seconds(unpacker& in) {
  return seconds_utc{std::chrono::seconds{in.take_signed()}};
}

moment take_moment(unpacker& in) {
  return moment{std::chrono::milliseconds{in.take_signed()}};
}

std::string text(unpacker& in) {
  return std::string{in.take_text()};
}

adopted take_adopted(unpacker& in) {
  adopted out;
  out.name = in.take_text();
  out.generation = in.take_signed();
  out.since = take_seconds(in);
  for (std::uint64_t n = in.take_varint(); n > 0 && in.good(); --n)
    out.hub_uids.push_back(in.take_uid());
  out.digest = in.take_u64();
  return out;
}

export_applied take_export_applied(unpacker& in) {
  export_applied out;
  out.name = in.take_text();
  out.hub_uid = in.take_uid();
  out.digest = in.take_u64();
  out.accepted = in.take_u64();
  return out;
}

/// Reads each field in the order of the form: that of evaluation within braces is left to right.
decltype(journal_record::what) take_payload(record_kind kind, unpacker& in, bool& newer) {
  switch (kind) {
    case record_kind::adopted:
      return event{take_adopted(in)};
    case record_kind::generation_seen:
      return event{generation_seen{in.take_signed(), take_seconds(in)}};
    case record_kind::name_chosen:
      return event{name_chosen{text(in)}};
    case record_kind::annotated:
      return event{annotated{in.take_signed()}};
    case record_kind::export_applied:
      return event{take_export_applied(in)};
    case record_kind::withdrawal_begun:
      return event{withdrawal_begun{text(in), in.take_uid(), proof_of(in.take_u8(), newer)}};
    case record_kind::withdrawal_cancelled:
      return event{withdrawal_cancelled{}};
    case record_kind::export_withdrawn:
      return event{export_withdrawn{in.take_uid()}};
    case record_kind::annotations_cleared:
      return event{annotations_cleared{}};
    case record_kind::refused:
      return event{refused{text(in), text(in)}};
    case record_kind::drift_repaired:
      return event{drift_repaired{text(in)}};
    case record_kind::contradiction:
      return event{contradiction{text(in)}};
    case record_kind::slice_gone:
      return event{slice_gone{}};
    case record_kind::remembered:
      return remembered{take_memory(in, newer)};
    case record_kind::interruption:
      return interruption{take_moment(in), text(in)};
  }
  newer = true;
  return event{};
}

bool has_stream(record_kind kind) {
  return kind != record_kind::interruption;
}

void take_stream(unpacker& in, stream_id& whose) {
  const std::string_view key = in.take_bytes(in.take_u16());
  if (is_hashed_key(key)) {
    whose.member = in.take_text();
    whose.slice_uid = in.take_text();
  } else if (auto stream = stream_of(key)) {
    whose = std::move(*stream);
  } else {
    in.fail();
  }
}

struct reading {
  std::optional<journal_record> what;
  bool newer = false;
};

reading read(std::uint64_t position, std::string_view bytes) {
  if (!is_intact(bytes))
    return {};
  unpacker in{bytes.substr(seal_bytes)};
  if (const std::uint8_t version = in.take_u8(); version != record_version)
    return {std::nullopt, version > record_version};
  const auto kind = static_cast<record_kind>(in.take_u8());
  reading out{journal_record{}, false};
  out.what->position = position;
  if (has_stream(kind))
    take_stream(in, out.what->whose);
  else if (in.take_u16() != 0)
    in.fail();
  out.what->at = take_moment(in);
  out.what->slice.nspace = in.take_text();
  out.what->slice.name = in.take_text();
  out.what->what = take_payload(kind, in, out.newer);
  if (out.newer || !in.good() || !in.at_end())
    out.what.reset();
  return out;
}

} // namespace

void encode_record(const journal_record& what, std::string& out) {
  const std::size_t start = open_seal(out);
  const record_kind kind = kind_of(what);
  packer in{out};
  in.put_u8(record_version);
  in.put_u8(static_cast<std::uint8_t>(kind));
  in.put_u16(0);
  if (has_stream(kind)) {
    append_stream_key(what.whose, out);
    const std::size_t size = out.size() - start - key_at;
    out[start + key_size_at] = static_cast<char>(size);
    out[start + key_size_at + 1] = static_cast<char>(size >> 8U);
    if (is_hashed_key(std::string_view{out}.substr(start + key_at))) {
      in.put_text(what.whose.member);
      in.put_text(what.whose.slice_uid);
    }
  }
  in.put_signed(count(what.at));
  in.put_text(what.slice.nspace);
  in.put_text(what.slice.name);
  std::visit(overloaded{
               [&](const event& told) { put_event(in, told); },
               [&](const remembered& whole) { put_memory(in, whole.held); },
               [&](const interruption& x) {
                 in.put_signed(count(x.from));
                 in.put_text(x.why);
               },
             },
             what.what);
  close_seal(out, start);
}

std::optional<journal_record> decode_record(std::uint64_t position, std::string_view bytes) {
  return read(position, bytes).what;
}

flaw flaw_of_record(std::string_view bytes) {
  return read(0, bytes).newer ? flaw::newer : flaw::damaged;
}

bool is_intact(std::string_view bytes) {
  return is_sealed(bytes);
}

std::string_view stream_key_in(std::string_view bytes) {
  if (bytes.size() < key_at)
    return {};
  const std::size_t size = unpacker{bytes.substr(key_size_at)}.take_u16();
  return size <= bytes.size() - key_at ? bytes.substr(key_at, size) : std::string_view{};
}

std::optional<moment> moment_in(std::string_view bytes) {
  const std::string_view key = stream_key_in(bytes);
  unpacker in{bytes.substr(std::min(bytes.size(), key_at + key.size()))};
  if (is_hashed_key(key)) {
    in.take_text(); // member
    in.take_text(); // UID
  }
  const moment at = take_moment(in);
  return in.good() ? std::optional{at} : std::nullopt;
}

} // namespace sliceferry::journal
