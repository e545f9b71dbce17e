#include "actors/core/packed_values.hpp"

#include "actors/core/packed_uuid.hpp"
#include "messages/rfc3339.hpp"

#include <algorithm>
#include <array>
#include <charconv>

namespace sliceferry::core {
namespace {

using ipv4 = std::array<unsigned char, 4>;

std::optional<ipv4> parse_ipv4(std::string_view text) {
  ipv4 out{};
  const char* at = text.data();
  const char* const end = at + text.size();
  for (std::size_t part = 0; part < out.size(); ++part) {
    const bool has_leading_zero = at != end && *at == '0' && at + 1 != end && at[1] >= '0' && at[1] <= '9';
    const auto [stopped, error] = std::from_chars(at, end, out[part]);
    if (error != std::errc{} || has_leading_zero)
      return std::nullopt;
    at = stopped;
    if (part + 1 < out.size() && (at == end || *at++ != '.'))
      return std::nullopt;
  }
  return at == end ? std::optional{out} : std::nullopt;
}

std::string spell(const ipv4& address) {
  char text[16];
  char* at = text;
  for (const auto part : address) {
    if (at != text)
      *at++ = '.';
    at = std::to_chars(at, text + sizeof text, part).ptr;
  }
  return {text, at};
}

std::string_view as_bytes(const auto& array) {
  return {reinterpret_cast<const char*>(array.data()), array.size()};
}

template <class Array>
Array as_array(std::string_view bytes) {
  Array out{};
  std::memcpy(out.data(), bytes.data(), out.size());
  return out;
}

void write_address(byte_writer& to, const std::string& address) {
  const auto packed = parse_ipv4(address);
  to.number(packed ? 0 : address.size() + 1);
  to.raw(packed ? as_bytes(*packed) : std::string_view{address});
}

std::string read_address(byte_reader& from) {
  const auto size = from.number();
  return size == 0 ? spell(as_array<ipv4>(from.raw(4))) : std::string{from.raw(size - 1)};
}

void write_optional(byte_writer& to, const std::optional<std::string>& text) {
  to.number(text ? text->size() + 1 : 0);
  to.raw(text ? std::string_view{*text} : std::string_view{});
}

std::optional<std::string> read_optional(byte_reader& from) {
  const auto size = from.number();
  return size == 0 ? std::nullopt : std::optional<std::string>{from.raw(size - 1)};
}

} // namespace

void write_uid(byte_writer& to, std::string_view uid) {
  const auto packed = pack_uuid(uid);
  to.number(packed ? 0 : uid.size() + 1);
  to.raw(packed ? as_bytes(*packed) : uid);
}

std::string read_uid(byte_reader& from) {
  const auto size = from.number();
  return size == 0 ? spell(as_array<packed_uuid>(from.raw(16))) : std::string{from.raw(size - 1)};
}

void write_version(byte_writer& to, std::string_view version) {
  const auto number = spelt_number(version);
  if (number && *number >= 0)
    return to.number(static_cast<std::uint64_t>(*number) << 1);
  to.number(version.size() << 1 | 1);
  to.raw(version);
}

std::string read_version(byte_reader& from) {
  const auto head = from.number();
  return (head & 1) == 0 ? std::to_string(head >> 1) : std::string{from.raw(head >> 1)};
}

void write_text(byte_writer& to, std::string_view text, std::string_view prefix) {
  const bool begins = !prefix.empty() && text.starts_with(prefix);
  if (begins)
    text.remove_prefix(prefix.size());
  to.number(text.size() << 1 | (begins ? 1 : 0));
  to.raw(text);
}

std::string read_text(byte_reader& from, std::string_view prefix) {
  const auto head = from.number();
  std::string out;
  const auto rest = from.raw(head >> 1);
  out.reserve(((head & 1) != 0 ? prefix.size() : 0) + rest.size());
  if ((head & 1) != 0)
    out += prefix;
  out += rest;
  return out;
}

void write_endpoints(byte_writer& to, const std::vector<endpoint>& all) {
  const bool plain = std::ranges::all_of(
    all, [](const auto& each) { return each.addresses.size() == 1 && parse_ipv4(each.addresses.front()); });
  to.number(all.size() << 1 | (plain ? 1 : 0));
  for (const auto& [addresses] : all) {
    if (plain) {
      to.raw(as_bytes(*parse_ipv4(addresses.front())));
      continue;
    }
    to.number(addresses.size());
    for (const auto& address : addresses)
      write_address(to, address);
  }
}

std::vector<endpoint> read_endpoints(byte_reader& from) {
  const auto head = from.number();
  std::vector<endpoint> out(head >> 1);
  for (auto& [addresses] : out) {
    if ((head & 1) != 0) {
      addresses.push_back(spell(as_array<ipv4>(from.raw(4))));
      continue;
    }
    addresses.resize(from.number());
    for (auto& address : addresses)
      address = read_address(from);
  }
  return out;
}

void write_ports(byte_writer& to, const port_list& ports) {
  to.number(ports ? ports->size() + 1 : 0);
  if (!ports)
    return;
  for (const auto& [name, protocol, number, app_protocol] : *ports) {
    to.byte(number ? 1 : 0);
    if (number)
      to.signed_number(*number);
    for (const auto* text : {&name, &protocol, &app_protocol})
      write_optional(to, *text);
  }
}

port_list read_ports(byte_reader& from) {
  const auto count = from.number();
  if (count == 0)
    return std::nullopt;
  std::vector<port> out(count - 1);
  for (auto& [name, protocol, number, app_protocol] : out) {
    if (from.byte() != 0)
      number = static_cast<std::int32_t>(from.signed_number());
    for (auto* text : {&name, &protocol, &app_protocol})
      *text = read_optional(from);
  }
  return out;
}

void write_near(byte_writer& to, std::int64_t value, std::int64_t base) {
  to.signed_number(static_cast<std::int64_t>(static_cast<std::uint64_t>(value) - static_cast<std::uint64_t>(base)));
}

std::int64_t read_near(byte_reader& from, std::int64_t base) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(from.signed_number()) + static_cast<std::uint64_t>(base));
}

std::optional<std::int64_t> spelt_number(std::string_view text) {
  std::int64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc{} || stopped != end)
    return std::nullopt;
  // Zeros in front and "-0" are other texts of the same number.
  const auto digits = text.substr(text.starts_with('-') ? 1 : 0);
  return digits.starts_with('0') && text != "0" ? std::nullopt : std::optional{value};
}

std::optional<seconds_utc> spelt_time(std::string_view text) {
  const auto time = parse_rfc3339(text);
  return time && format_rfc3339(*time) == text ? time : std::nullopt;
}

} // namespace sliceferry::core
