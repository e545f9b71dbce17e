#pragma once
#include <cstddef>
#include <string>
#include <string_view>

namespace sliceferry::journal {

/// Bytes that begin with the CRC32C of all that follows. A flipped bit is always noticed; what else may happen to them
/// stays unnoticed once in four billion times.
constexpr std::size_t seal_bytes = 4;

/// Leaves room for the checksum at the end of `out`; what is appended from here to `close_seal` is sealed. Returns
/// where that begins.
std::size_t open_seal(std::string& out);
void close_seal(std::string& out, std::size_t start);

bool is_sealed(std::string_view bytes);

} // namespace sliceferry::journal
