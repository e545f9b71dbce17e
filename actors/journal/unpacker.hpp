#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace sliceferry::journal {

/// Reads what `packer` wrote, never beyond the end of the bytes it was given. After the first thing that can't be read
/// everything else reads as zero or empty; `good()` tells, so that one question at the end is enough.
class unpacker {
public:
  explicit unpacker(std::string_view bytes) : rest_(bytes) {}

  bool good() const { return good_; }
  bool at_end() const { return rest_.empty(); }
  std::size_t left() const { return rest_.size(); }
  /// What was read makes no sense to the caller.
  void fail();

  std::uint8_t take_u8() { return static_cast<std::uint8_t>(take_fixed(1)); }
  std::uint16_t take_u16() { return static_cast<std::uint16_t>(take_fixed(2)); }
  std::uint32_t take_u32() { return static_cast<std::uint32_t>(take_fixed(4)); }
  std::uint64_t take_u64() { return take_fixed(8); }
  std::uint64_t take_varint();
  std::int64_t take_signed();
  std::string_view take_bytes(std::uint64_t size);
  std::string_view take_text() { return take_bytes(take_varint()); }
  std::string take_uid();

private:
  std::uint64_t take_fixed(std::size_t size);

  std::string_view rest_;
  bool good_ = true;
};

} // namespace sliceferry::journal
