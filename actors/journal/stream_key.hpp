#pragma once
#include "actors/journal/journal_record.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace sliceferry::journal {

/// No key of the database may be longer (LMDB's bound).
constexpr std::size_t stream_key_bytes_max = 511;

/// The bytes under which a stream is kept; equal for equal streams only.
///
///     hash u64 big-endian | member | 0 | 1 | UUID, 16 bytes     a UID in the usual spelling of UUIDs
///     hash u64 big-endian | member | 0 | 2 | UID                any other
///     hash u64 big-endian | 0 | 3 | second hash u64             what would be too long, or a member with a zero in its
///                                                               name: 128 bits of hash stand for both
///
/// The hash goes over member and UID, so that keys are spread evenly and a key that was damaged is noticed.
std::string stream_key(const stream_id& whose);
void append_stream_key(const stream_id& whose, std::string& out);

/// True for the third form, from which the stream can't be told: whoever keeps such a key and needs the stream keeps it
/// beside. (A server that serves UIDs of hundreds of characters exists in tests only.)
bool is_hashed_key(std::string_view key);

/// The stream that the key belongs to. Nothing for a hashed key and for bytes that are no key.
std::optional<stream_id> stream_of(std::string_view key);

} // namespace sliceferry::journal
