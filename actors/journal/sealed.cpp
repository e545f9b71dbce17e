#include "actors/journal/sealed.hpp"

#include "actors/journal/checksum.hpp"
#include "actors/journal/unpacker.hpp"

#include <cstdint>

namespace sliceferry::journal {

std::size_t open_seal(std::string& out) {
  const std::size_t start = out.size();
  out.append(seal_bytes, '\0');
  return start;
}

void close_seal(std::string& out, std::size_t start) {
  const std::uint32_t sum = crc32c(std::string_view{out}.substr(start + seal_bytes));
  for (std::size_t i = 0; i < seal_bytes; ++i)
    out[start + i] = static_cast<char>(sum >> (8 * i));
}

bool is_sealed(std::string_view bytes) {
  if (bytes.size() <= seal_bytes)
    return false;
  return unpacker{bytes}.take_u32() == crc32c(bytes.substr(seal_bytes));
}

} // namespace sliceferry::journal
