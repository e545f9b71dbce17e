#include "actors/journal/stream_key.hpp"

#include "actors/core/fingerprint.hpp"
#include "actors/core/packed_uuid.hpp"
#include "actors/journal/packer.hpp"

#include <cstdint>
#include <cstring>

namespace sliceferry::journal {
namespace {

constexpr std::size_t hash_bytes = 8;
constexpr char packed_uid = 1;
constexpr char spelled_uid = 2;
constexpr char hashed = 3;
constexpr std::size_t hashed_key_bytes = hash_bytes + 2 + hash_bytes;

void put_big_endian(std::uint64_t number, std::string& out) {
  char bytes[hash_bytes];
  for (std::size_t i = 0; i < hash_bytes; ++i)
    bytes[i] = static_cast<char>(number >> (8 * (hash_bytes - 1 - i)));
  out.append(bytes, hash_bytes);
}

std::uint64_t big_endian(std::string_view bytes) {
  std::uint64_t out = 0;
  for (std::size_t i = 0; i < hash_bytes; ++i)
    out = out << 8 | static_cast<unsigned char>(bytes[i]);
  return out;
}

std::uint64_t hash_of(const stream_id& whose, std::uint64_t salt) {
  core::fingerprint hash;
  hash.add(salt);
  hash.add(whose.member);
  hash.add(whose.slice_uid);
  return hash.value();
}

} // namespace

void append_stream_key(const stream_id& whose, std::string& out) {
  put_big_endian(hash_of(whose, 0), out);
  const auto packed = core::pack_uuid(whose.slice_uid);
  const std::size_t uid_bytes = packed ? packed->size() : whose.slice_uid.size();
  if (hash_bytes + whose.member.size() + 2 + uid_bytes > stream_key_bytes_max ||
      whose.member.find('\0') != std::string::npos) {
    out.push_back(0);
    out.push_back(hashed);
    put_big_endian(hash_of(whose, 1), out);
    return;
  }
  out += whose.member;
  out.push_back(0);
  out.push_back(packed ? packed_uid : spelled_uid);
  if (packed)
    packer{out}.put_raw(*packed);
  else
    out += whose.slice_uid;
}

std::string stream_key(const stream_id& whose) {
  std::string out;
  out.reserve(hash_bytes + whose.member.size() + 2 + whose.slice_uid.size());
  append_stream_key(whose, out);
  return out;
}

bool is_hashed_key(std::string_view key) {
  return key.size() == hashed_key_bytes && key[hash_bytes] == 0 && key[hash_bytes + 1] == hashed;
}

std::optional<stream_id> stream_of(std::string_view key) {
  const auto zero = key.find('\0', hash_bytes);
  if (key.size() > stream_key_bytes_max || zero == std::string_view::npos || zero + 1 >= key.size())
    return std::nullopt;
  const std::string_view uid = key.substr(zero + 2);
  stream_id out{std::string{key.substr(hash_bytes, zero - hash_bytes)}, std::string{uid}};
  if (key[zero + 1] == packed_uid) {
    core::packed_uuid packed{};
    if (uid.size() != packed.size())
      return std::nullopt;
    std::memcpy(packed.data(), uid.data(), packed.size());
    out.slice_uid = core::spell(packed);
  } else if (key[zero + 1] != spelled_uid || core::pack_uuid(uid)) {
    return std::nullopt;
  }
  // A key that isn't what its stream would be given has been damaged. All but its hash was looked at.
  if (big_endian(key) != hash_of(out, 0))
    return std::nullopt;
  return out;
}

} // namespace sliceferry::journal
