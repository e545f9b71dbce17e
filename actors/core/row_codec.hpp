#pragma once
#include "actors/core/slice_row.hpp"
#include "actors/core/text_pool.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sliceferry::core {

/// Packs the rows of one member's table. What can be derived from the rest is not stored: of a settled slice the name
/// of its export but for the suffix, and what annotations, export and memory repeat of each other. Exact for every
/// value: a text in the form that Kubernetes gives it (UUIDs, IPv4 addresses, numbers, RFC 3339) takes few bytes, any
/// other one as many as it has. The bytes mean something to this process and this pool alone.
class row_codec {
public:
  /// `cluster`: with it the names of exports begin.
  row_codec(std::string cluster, text_pool& pool) : cluster_(std::move(cluster)), pool_(pool) {}

  /// `used` receives the texts of the pool that the bytes refer to: one use each, to be released with the bytes.
  std::string encode(const slice_row& row, std::vector<std::uint32_t>& used) const;
  /// `used` receives the texts that the bytes refer to, as `encode` told them; nothing is acquired.
  slice_row decode(std::string_view bytes, std::vector<std::uint32_t>& used) const;
  /// The part of the row that is cheap to read. `heard`, if not null, receives the hearings of the exports.
  static row_head peek(std::string_view bytes, std::vector<hearing>* heard = nullptr);
  /// Overwrites what changes most often, if the bytes have room for it. The row must be recorded.
  static bool mark(std::span<char> bytes, bool awake, std::uint64_t number);
  static std::string uid_of(std::string_view bytes);
  /// Where the slice is or was, too.
  std::pair<std::string, object_key> identify(std::string_view bytes) const;

private:
  std::string cluster_;
  text_pool& pool_;
};

} // namespace sliceferry::core
