#pragma once
#include "actors/core/memory.hpp"
#include "actors/journal/record_codec.hpp"
#include "messages/object_key.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sliceferry::journal {

class packer;
class unpacker;

/// What a snapshot keeps of one stream, under the stream's key.
struct kept_memory {
  std::uint64_t covers = 0; ///< position of the last record of the stream that `held` has folded
  object_key slice;         ///< where the slice was found at that record
  core::memory held;
  stream_id whose; ///< only where the stream's key is a hashed one, which doesn't tell; else empty

  bool operator==(const kept_memory&) const = default;
};

constexpr std::uint8_t memory_version = 1;
constexpr std::uint8_t memory_version_hashed = 2; ///< of a stream under a hashed key

/// Appends:
///
///     crc32c of all that follows, u32 | version u8 | position, varint | namespace, name: texts | memory
///     [member, UID: texts, in version 2]
///
/// where the memory's form is `put_memory`'s. Version 1 is written wherever there is no stream to be told.
void encode_memory(const kept_memory& what, std::string& out);

/// What `encode_memory` was given, from exactly its bytes; nothing for any others.
std::optional<kept_memory> decode_memory(std::string_view bytes);

/// Asked after `decode_memory` gave nothing.
flaw flaw_of_memory(std::string_view bytes);

/// Appends:
///
///     flags u8 | name, text | generation, signed | since, signed, s since 1970 | number of UIDs, varint | UIDs |
///     [digest u64] | [accepted u64] | names chosen, varint | annotated in a row, varint |
///     number of withdrawals, varint | per withdrawal: name, text | UID | proof * 2 + done, u8
///
/// where the flags say: 1 name pending, 2 annotate owed, 4 annotate refused, 8 apply owed, 16 over, 32 there is a
/// digest, 64 what was accepted isn't the digest.
void put_memory(packer& out, const core::memory& held);

/// Marks `in` as failed if this is no memory; a proof that this program doesn't know yet sets `newer`.
core::memory take_memory(unpacker& in, bool& newer);

/// A proof's number in the journal, for ever; and back. Marks as `take_memory` does.
std::uint8_t number_of(proof why);
proof proof_of(std::uint8_t number, bool& newer);

/// Equal for equal memories, in each process and version that writes `memory_version`.
std::uint64_t digest_of(const core::memory& held);

} // namespace sliceferry::journal
