#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

/// Where things are in a data directory and in the journal's file.
///
///     meta        "format" → "sliceferry journal" 0 version u32; "snapshot" → 'a' or 'b', covered position u64;
///                 "start" → u64, the first position that the log may still hold
///     log         position, u64 big-endian → record
///     snapshot_a  stream key → memory; of the two, the one that `meta` names is whole
///     snapshot_b
///
/// Numbers are little-endian but for the keys of the log.
namespace sliceferry::journal::layout {

inline constexpr std::uint32_t version = 1;

inline constexpr const char* meta = "meta";
inline constexpr const char* log = "log";
inline constexpr const char* snapshots[] = {"snapshot_a", "snapshot_b"};

inline constexpr std::string_view format_key = "format";
inline constexpr std::string_view snapshot_key = "snapshot";
inline constexpr std::string_view start_key = "start";

std::string journal_file(const std::string& directory);
std::string lock_file(const std::string& directory);

using position_key = std::array<char, 8>;
position_key key_of(std::uint64_t position);
inline std::string_view view(const position_key& key) {
  return {key.data(), key.size()};
}
/// Nothing if it isn't a key of the log.
std::optional<std::uint64_t> position_of(std::string_view key);

std::string format_value(std::uint32_t of_version);
/// Nothing if this is no journal of ours.
std::optional<std::uint32_t> version_of(std::string_view format_value);

struct snapshot_mark {
  unsigned which = 0; ///< index of `snapshots`
  std::uint64_t covers = 0;
};
std::string snapshot_value(const snapshot_mark& mark);
std::optional<snapshot_mark> snapshot_of(std::string_view value);

std::string start_value(std::uint64_t position);
std::optional<std::uint64_t> start_of(std::string_view value);

} // namespace sliceferry::journal::layout
