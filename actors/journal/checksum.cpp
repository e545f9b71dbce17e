#include "actors/journal/checksum.hpp"

#include <isa-l/crc.h>

namespace sliceferry::journal {

std::uint32_t crc32c(std::string_view bytes) {
  // The library leaves both inversions to its caller, and takes a pointer to bytes that it doesn't change.
  auto* start = reinterpret_cast<unsigned char*>(const_cast<char*>(bytes.data()));
  return ~crc32_iscsi(start, static_cast<int>(bytes.size()), ~0U);
}

} // namespace sliceferry::journal
