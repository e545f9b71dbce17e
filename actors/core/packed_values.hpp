#pragma once
#include "actors/core/byte_codec.hpp"
#include "messages/clock.hpp"
#include "messages/endpoint.hpp"
#include "messages/port.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sliceferry::core {

/// Texts and values of the Kubernetes API in few bytes, where they have the form that they usually have; others as they
/// are. Each `read_x` gives back exactly what `write_x` took.

void write_uid(byte_writer& to, std::string_view uid);
std::string read_uid(byte_reader& from);

/// A resourceVersion: opaque, and usually a number.
void write_version(byte_writer& to, std::string_view version);
std::string read_version(byte_reader& from);

/// A text that often begins with `prefix`.
void write_text(byte_writer& to, std::string_view text, std::string_view prefix);
std::string read_text(byte_reader& from, std::string_view prefix);

void write_endpoints(byte_writer& to, const std::vector<endpoint>& all);
std::vector<endpoint> read_endpoints(byte_reader& from);

void write_ports(byte_writer& to, const port_list& ports);
port_list read_ports(byte_reader& from);

/// The difference to a number that it usually is near to. No value overflows.
void write_near(byte_writer& to, std::int64_t value, std::int64_t base);
std::int64_t read_near(byte_reader& from, std::int64_t base);
inline void write_near(byte_writer& to, seconds_utc value, seconds_utc base) {
  write_near(to, std::int64_t{value.time_since_epoch().count()}, base.time_since_epoch().count());
}
inline seconds_utc read_near(byte_reader& from, seconds_utc base) {
  return seconds_utc{std::chrono::seconds{read_near(from, std::int64_t{base.time_since_epoch().count()})}};
}

/// The number that is spelt exactly so, or nothing.
std::optional<std::int64_t> spelt_number(std::string_view text);
/// The time of which `format_rfc3339` makes exactly this text, or nothing.
std::optional<seconds_utc> spelt_time(std::string_view text);

} // namespace sliceferry::core
