#include "test/storm/disk/tear.hpp"

#include <fstream>
#include <random>

namespace sliceferry::storm {
namespace {

constexpr std::uint64_t size_min = 16 * 1024; ///< two meta pages and something beside them
constexpr std::uint64_t end_bytes = 128 * 1024;
constexpr unsigned flips_max = 8;

void flip(std::fstream& file, std::uint64_t at, unsigned bit) {
  file.seekg(static_cast<std::streamoff>(at));
  const int byte = file.get();
  file.seekp(static_cast<std::streamoff>(at));
  file.put(static_cast<char>(byte ^ (1 << bit)));
}

} // namespace

std::string tear(const std::filesystem::path& file, std::uint64_t seed) {
  std::error_code bad;
  const std::uint64_t size = std::filesystem::file_size(file, bad);
  if (bad || size < size_min)
    return {};
  std::mt19937_64 chance{seed};
  const auto below = [&](std::uint64_t limit) { return chance() % limit; };
  if (below(2) == 0) {
    const std::uint64_t left = size / 2 + below(size / 2);
    std::filesystem::resize_file(file, left, bad);
    return "cut from " + std::to_string(size) + " to " + std::to_string(left) + " bytes";
  }
  std::fstream open{file, std::ios::in | std::ios::out | std::ios::binary};
  const std::uint64_t from = size > end_bytes + size_min ? size - end_bytes : size_min / 2;
  const std::uint64_t flips = 1 + below(flips_max);
  std::string said = "bits flipped at";
  for (std::uint64_t i = 0; i < flips; ++i) {
    const std::uint64_t at = from + below(size - from);
    flip(open, at, static_cast<unsigned>(below(8)));
    said += ' ' + std::to_string(at);
  }
  return said + " of " + std::to_string(size);
}

} // namespace sliceferry::storm
