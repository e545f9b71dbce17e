#pragma once
#include <cstdint>
#include <string_view>

namespace sliceferry::journal {

/// CRC32C (Castagnoli) as RFC 3720 defines it: of "123456789" it is e3069283.
std::uint32_t crc32c(std::string_view bytes);

} // namespace sliceferry::journal
