#include "actors/journal/journal_layout.hpp"

namespace sliceferry::journal::layout {
namespace {

constexpr std::string_view format_name{"sliceferry journal\0", 19};

void put(std::uint64_t number, std::size_t bytes, std::string& out) {
  for (std::size_t i = 0; i < bytes; ++i)
    out.push_back(static_cast<char>(number >> (8 * i)));
}

std::uint64_t take(std::string_view bytes) {
  std::uint64_t out = 0;
  for (std::size_t i = bytes.size(); i-- > 0;)
    out = out << 8 | static_cast<std::uint8_t>(bytes[i]);
  return out;
}

} // namespace

std::string journal_file(const std::string& directory) {
  return directory + "/journal.mdb";
}

std::string lock_file(const std::string& directory) {
  return directory + "/writer.lock";
}

position_key key_of(std::uint64_t position) {
  position_key out{};
  for (std::size_t i = 0; i < out.size(); ++i)
    out[i] = static_cast<char>(position >> (56 - 8 * i));
  return out;
}

std::optional<std::uint64_t> position_of(std::string_view key) {
  if (key.size() != sizeof(position_key))
    return std::nullopt;
  std::uint64_t out = 0;
  for (const char each : key)
    out = out << 8 | static_cast<std::uint8_t>(each);
  return out;
}

std::string format_value(std::uint32_t of_version) {
  std::string out{format_name};
  put(of_version, 4, out);
  return out;
}

std::optional<std::uint32_t> version_of(std::string_view format_value) {
  if (format_value.size() != format_name.size() + 4 || !format_value.starts_with(format_name))
    return std::nullopt;
  return static_cast<std::uint32_t>(take(format_value.substr(format_name.size())));
}

std::string snapshot_value(const snapshot_mark& mark) {
  std::string out(1, mark.which == 0 ? 'a' : 'b');
  put(mark.covers, 8, out);
  return out;
}

std::optional<snapshot_mark> snapshot_of(std::string_view value) {
  if (value.size() != 9 || (value[0] != 'a' && value[0] != 'b'))
    return std::nullopt;
  return snapshot_mark{value[0] == 'a' ? 0U : 1U, take(value.substr(1))};
}

std::string start_value(std::uint64_t position) {
  std::string out;
  put(position, 8, out);
  return out;
}

std::optional<std::uint64_t> start_of(std::string_view value) {
  if (value.size() != 8)
    return std::nullopt;
  return take(value);
}

} // namespace sliceferry::journal::layout
