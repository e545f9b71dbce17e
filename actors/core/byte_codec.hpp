#pragma once
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace sliceferry::core {

/// Appends numbers and texts to a buffer in few bytes: a number takes one byte for each seven bits that it needs.
class byte_writer {
public:
  explicit byte_writer(std::string& out) : out_(out) {}

  void byte(unsigned value) { out_ += static_cast<char>(value); }

  void number(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7)
      byte(static_cast<unsigned>(value & 0x7f) | 0x80U);
    byte(static_cast<unsigned>(value));
  }

  /// Small where it is near zero on either side.
  void signed_number(std::int64_t value) {
    number((static_cast<std::uint64_t>(value) << 1) ^ static_cast<std::uint64_t>(value >> 63));
  }

  /// Eight bytes: for what has no small values, such as digests.
  void fixed(std::uint64_t value) {
    char bytes[sizeof value];
    std::memcpy(bytes, &value, sizeof value);
    out_.append(bytes, sizeof value);
  }

  void raw(std::string_view bytes) { out_ += bytes; }

  void text(std::string_view bytes) {
    number(bytes.size());
    raw(bytes);
  }

private:
  std::string& out_;
};

/// Reads what a `byte_writer` of this process wrote, in the same order; not for bytes from elsewhere.
class byte_reader {
public:
  explicit byte_reader(std::string_view bytes) : at_(bytes.data()), end_(bytes.data() + bytes.size()) {}

  unsigned byte() {
    assert(at_ != end_);
    return static_cast<unsigned char>(*at_++);
  }

  std::uint64_t number() {
    std::uint64_t value = 0;
    for (unsigned shift = 0;; shift += 7) {
      const unsigned next = byte();
      value |= std::uint64_t{next & 0x7fU} << shift;
      if (next < 0x80)
        return value;
    }
  }

  std::int64_t signed_number() {
    const auto folded = number();
    return static_cast<std::int64_t>((folded >> 1) ^ (~(folded & 1) + 1));
  }

  std::uint64_t fixed() {
    std::uint64_t value = 0;
    std::memcpy(&value, raw(sizeof value).data(), sizeof value);
    return value;
  }

  std::string_view raw(std::size_t size) {
    assert(size <= static_cast<std::size_t>(end_ - at_));
    const std::string_view bytes{at_, size};
    at_ += size;
    return bytes;
  }

  std::string_view text() { return raw(number()); }

  /// How many bytes are left.
  std::size_t left() const { return static_cast<std::size_t>(end_ - at_); }
  bool is_at_end() const { return at_ == end_; }

private:
  const char* at_;
  const char* end_;
};

} // namespace sliceferry::core
