#pragma once
#include "actors/journal/journal_record.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sliceferry::journal {

/// The version that is written. Every version ever released is read.
///
///     crc32c of all that follows, u32 | version u8 | kind u8 | size of the stream's key, u16 | the stream's key |
///     [member, UID: texts, if the key is a hashed one] | time, signed, ms since 1970 | namespace, name: texts |
///     payload
///
/// in the bytes of `packer`; an interruption has no stream and no name. The checksum and the version stay where they
/// are in all versions. A new kind of record, or a new value in an old one, may be added within a version: whoever
/// doesn't know it yet calls it `newer`.
constexpr std::uint8_t record_version = 1;

/// Appends the record's bytes. Its position is not among them: it is the key under which they are kept.
/// test/data/journal holds each kind as each version wrote it.
void encode_record(const journal_record& what, std::string& out);

/// What `encode_record` was given, from exactly its bytes; nothing for any others.
std::optional<journal_record> decode_record(std::uint64_t position, std::string_view bytes);

/// Why bytes can't be decoded.
enum class flaw {
  damaged, ///< these were never written
  newer,   ///< whole, but written by a later version of this program
};

/// Asked after `decode_record` gave nothing.
flaw flaw_of_record(std::string_view bytes);

/// True if the checksum is right.
bool is_intact(std::string_view bytes);

/// The key of the record's stream as `stream_key` makes it, without decoding the rest: a part of `bytes`. Empty for an
/// interruption, and for bytes of whatever else; checks nothing, so ask `is_intact` first.
std::string_view stream_key_in(std::string_view bytes);

/// The record's time, in the same way; nothing for bytes of whatever else.
std::optional<moment> moment_in(std::string_view bytes);

} // namespace sliceferry::journal
