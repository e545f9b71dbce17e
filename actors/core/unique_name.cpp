#include "actors/core/unique_name.hpp"

#include "actors/core/dns1123.hpp"
#include "actors/core/fingerprint.hpp"

#include <cstddef>
#include <string_view>

namespace sliceferry::core {
namespace {

/// Draws `length` characters of `alphabet` from a hash that goes on for as long as it is asked.
std::string draw(fingerprint hash, std::string_view alphabet, std::size_t length) {
  std::string out;
  for (std::size_t i = 0; i < length; ++i) {
    hash.add(std::uint64_t{i});
    out += alphabet[hash.value() % alphabet.size()];
  }
  return out;
}

} // namespace

std::string name_prefix(const std::string& cluster, const object_key& slice) {
  // What the limit of 253 leaves for each of three parts beside three hyphens and a suffix of up to seven.
  constexpr std::size_t part_bytes_max = 81;
  std::string out;
  out.reserve(cluster.size() + slice.nspace.size() + slice.name.size() + 10);
  for (const std::string_view part :
       {std::string_view{cluster}, std::string_view{slice.nspace}, std::string_view{slice.name}}) {
    out += part.substr(0, part_bytes_max);
    out += '-';
  }
  return out;
}

std::string unique_name(const member_identity& identity, const object_key& slice, const std::string& uid,
                        std::uint32_t count) {
  fingerprint hash;
  for (const std::string_view part : {std::string_view{identity.cluster}, std::string_view{slice.nspace},
                                      std::string_view{slice.name}, std::string_view{uid}})
    hash.add(part);
  hash.add(identity.seed);
  hash.add(std::uint64_t{count});

  std::string name = name_prefix(identity.cluster, slice);
  name += draw(hash, "abcdefghijklmnopqrstuvwxyz0123456789", 7);
  return is_dns1123_subdomain(name) ? name : draw(hash, "abcdefghijklmnopqrstuvwxyz", 25);
}

} // namespace sliceferry::core
