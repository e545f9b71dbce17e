#include "actors/core/consent_store.hpp"

#include "actors/core/packed_values.hpp"
#include "actors/core/text_hash.hpp"

#include <string>

namespace sliceferry::core {

std::optional<held_consent> consent_store::find(const object_key& key) const {
  const auto slot = slot_of(key);
  return slot ? std::optional{unpack(*slot)} : std::nullopt;
}

std::optional<consent> consent_store::says(const object_key& key) const {
  const auto slot = slot_of(key);
  if (!slot)
    return std::nullopt;
  byte_reader from{blobs_.at(*slot)};
  from.number();
  from.text();
  return static_cast<consent>(from.byte() >> 2);
}

void consent_store::put(const held_consent& next) {
  auto slot = slot_of(next.key);
  // One use of the namespace's name for each that is held, whatever becomes of it meanwhile.
  const auto nspace = nspaces_.acquire(next.key.nspace);
  if (slot) {
    nspaces_.release(nspace);
  } else {
    if (free_.empty())
      free_.push_back(end_++);
    slot = free_.back();
    free_.pop_back();
    by_key_.add(hash_of(next.key), *slot);
  }
  std::string bytes;
  byte_writer to{bytes};
  to.number(nspace);
  to.text(next.key.name);
  to.byte(static_cast<unsigned>(next.says) << 2 | (next.held.heard.answered ? 2U : 0U) |
          (next.held.heard.behind != 0 ? 1U : 0U));
  to.number(next.held.heard.list);
  if (next.held.heard.behind != 0)
    to.number(next.held.heard.behind);
  write_uid(to, next.held.uid);
  write_version(to, next.held.resource_version);
  blobs_.put(*slot, bytes);
}

void consent_store::erase(const object_key& key) {
  const auto slot = slot_of(key);
  if (!slot)
    return;
  nspaces_.release(static_cast<std::uint32_t>(byte_reader{blobs_.at(*slot)}.number()));
  by_key_.remove(hash_of(key), *slot);
  blobs_.erase(*slot);
  free_.push_back(*slot);
  if (free_.size() < end_)
    return;
  free_ = {};
  end_ = 0;
}

std::uint32_t consent_store::hash_of(const object_key& key) {
  return text_hash(key.nspace, key.name);
}

std::optional<std::uint32_t> consent_store::slot_of(const object_key& key) const {
  return by_key_.find(hash_of(key), [&](std::uint32_t slot) {
    byte_reader from{blobs_.at(slot)};
    return nspaces_.at(static_cast<std::uint32_t>(from.number())) == key.nspace && from.text() == key.name;
  });
}

held_consent consent_store::unpack(std::uint32_t slot) const {
  held_consent out;
  byte_reader from{blobs_.at(slot)};
  out.key.nspace = nspaces_.at(static_cast<std::uint32_t>(from.number()));
  out.key.name = from.text();
  const unsigned flags = from.byte();
  out.says = static_cast<consent>(flags >> 2);
  out.held.heard.answered = (flags & 2U) != 0;
  out.held.heard.list = from.number();
  if ((flags & 1U) != 0)
    out.held.heard.behind = static_cast<unsigned>(from.number());
  out.held.uid = read_uid(from);
  out.held.resource_version = read_version(from);
  return out;
}

} // namespace sliceferry::core
