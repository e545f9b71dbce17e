#pragma once
#include "actors/core/packed_uuid.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace sliceferry::journal {

/// Appends numbers and texts to bytes, in the form that `unpacker` reads. Allocates nothing but what `out` grows by.
///
/// Fixed numbers are little-endian. A varint holds seven bits a byte, the lowest first, and the top bit says that more
/// follow; signed numbers are folded first (0, -1, 1, -2, …). A text is its length as a varint, then its bytes. A UID
/// is a zero and 16 bytes where it is a UUID in its usual spelling, else its length plus one and its bytes.
class packer {
public:
  explicit packer(std::string& out) : out_(out) {}

  void put_u8(std::uint8_t number) { out_.push_back(static_cast<char>(number)); }
  void put_u16(std::uint16_t number) { put_fixed(number, 2); }
  void put_u32(std::uint32_t number) { put_fixed(number, 4); }
  void put_u64(std::uint64_t number) { put_fixed(number, 8); }

  void put_varint(std::uint64_t number) {
    for (; number > 0x7f; number >>= 7U)
      put_u8(static_cast<std::uint8_t>(number | 0x80U));
    put_u8(static_cast<std::uint8_t>(number));
  }

  void put_signed(std::int64_t number) {
    const auto bits = static_cast<std::uint64_t>(number);
    put_varint((bits << 1U) ^ (number < 0 ? ~std::uint64_t{0} : 0));
  }

  void put_text(std::string_view text) {
    put_varint(text.size());
    out_ += text;
  }

  void put_uid(std::string_view uid) {
    if (const auto packed = core::pack_uuid(uid)) {
      put_u8(0);
      put_raw(*packed);
    } else {
      put_varint(uid.size() + 1);
      out_ += uid;
    }
  }

  void put_raw(const core::packed_uuid& packed) {
    out_.append(reinterpret_cast<const char*>(packed.data()), packed.size());
  }

private:
  void put_fixed(std::uint64_t number, std::size_t size) {
    for (std::size_t i = 0; i < size; ++i)
      put_u8(static_cast<std::uint8_t>(number >> (8 * i)));
  }

  std::string& out_;
};

} // namespace sliceferry::journal
