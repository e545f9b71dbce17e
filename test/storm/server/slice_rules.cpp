#include "test/storm/server/slice_rules.hpp"

#include "test/storm/server/json_text.hpp"
#include "test/storm/server/object_names.hpp"

#include <arpa/inet.h>

#include <algorithm>
#include <array>
#include <optional>

namespace sliceferry::storm {

namespace json = boost::json;

namespace {

// The order of a slice's members in its kind.
constexpr std::size_t address_type_member = 0;
constexpr std::size_t endpoints_member = 1;
constexpr std::size_t ports_member = 2;

constexpr std::size_t endpoints_max = 1000;
constexpr std::size_t addresses_max = 100;
constexpr std::size_t ports_max = 20'000;

std::string at(const std::string& list, std::size_t index) {
  return list + "[" + std::to_string(index) + "]";
}

using ip_bytes = std::array<unsigned char, 16>;

/// In network order; nothing where it is none of that family.
std::optional<ip_bytes> read_ip(int family, std::string_view text) {
  ip_bytes bytes{};
  if (inet_pton(family, std::string{text}.c_str(), bytes.data()) != 1)
    return std::nullopt;
  return bytes;
}

/// Why no endpoint may have this address, or nothing.
std::string_view problem_of_special(const ip_bytes& ip, bool six) {
  static constexpr ip_bytes unspecified{};
  static constexpr ip_bytes loopback{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1};
  if (ip == unspecified)
    return six ? "may not be unspecified (::)" : "may not be unspecified (0.0.0.0)";
  if (six ? ip == loopback : ip[0] == 127)
    return "may not be in the loopback range (127.0.0.0/8, ::1/128)";
  if (six ? ip[0] == 0xfe && (ip[1] & 0xc0U) == 0x80 : ip[0] == 169 && ip[1] == 254)
    return "may not be in the link-local range (169.254.0.0/16, fe80::/10)";
  if (six ? ip[0] == 0xff && (ip[1] & 0x0fU) == 2 : ip[0] == 224 && ip[1] == 0 && ip[2] == 0)
    return "may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)";
  return {};
}

void check_ip(const std::string& list, std::size_t index, std::string_view address, bool six, field_errors& errors) {
  const auto four = read_ip(AF_INET, address);
  const auto ip = four ? four : read_ip(AF_INET6, address);
  if (!ip)
    errors.push_back(
      invalid(at(list, index), quoted(address), "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)"));
  else if (four.has_value() == six)
    errors.push_back(invalid(list, quoted(address), six ? "must be an IPv6 address" : "must be an IPv4 address"));
  else if (const auto problem = problem_of_special(*ip, six); !problem.empty())
    errors.push_back(invalid(at(list, index), quoted(address), problem));
}

void check_host_name(const std::string& field, std::string_view address, field_errors& errors) {
  if (const auto problem = problem_of_dns_subdomain(address); !problem.empty())
    errors.push_back(invalid(field, quoted(address), problem));
  else if (address.find('.') == std::string_view::npos)
    errors.push_back(
      invalid(field, quoted(address), "should be a domain with at least two segments separated by dots"));
}

void check_endpoint(const std::string& field, const json::value& endpoint, std::string_view type,
                    field_errors& errors) {
  const std::string list = field + ".addresses";
  const json::value* addresses = find(&endpoint, "addresses");
  if (!addresses || addresses->get_array().empty()) {
    errors.push_back(required(list, "must contain at least 1 address"));
    return;
  }
  const json::array& all = addresses->get_array();
  if (all.size() > addresses_max)
    errors.push_back(too_many(list, all.size(), addresses_max));
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::string_view address = view(all[i].get_string());
    if (type == "IPv4" || type == "IPv6")
      check_ip(list, i, address, type == "IPv6", errors);
    else if (type == "FQDN")
      check_host_name(at(list, i), address, errors);
  }
}

void check_endpoints(const json::value* endpoints, std::string_view type, field_errors& errors) {
  if (!endpoints)
    return;
  const json::array& all = endpoints->get_array();
  if (all.size() > endpoints_max) {
    errors.push_back(too_many("endpoints", all.size(), endpoints_max));
    return;
  }
  for (std::size_t i = 0; i < all.size(); ++i)
    check_endpoint(at("endpoints", i), all[i], type, errors);
}

void check_ports(const json::value* ports, field_errors& errors) {
  if (!ports)
    return;
  const json::array& all = ports->get_array();
  if (all.size() > ports_max) {
    errors.push_back(too_many("ports", all.size(), ports_max));
    return;
  }
  std::vector<std::string_view> names;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto name = text_of(&all[i], "name");
    if (const auto problem = problem_of_dns_label(name); !name.empty() && !problem.empty())
      errors.push_back(invalid(at("ports", i) + ".name", quoted(name), problem));
    if (std::find(names.begin(), names.end(), name) != names.end())
      errors.push_back(duplicate(at("ports", i) + ".name", quoted(name)));
    names.push_back(name);
    const auto protocol = text_of(&all[i], "protocol");
    if (find(&all[i], "protocol") && protocol != "TCP" && protocol != "UDP" && protocol != "SCTP")
      errors.push_back(not_supported(at("ports", i) + ".protocol", quoted(protocol), {"SCTP", "TCP", "UDP"}));
    if (const auto app = text_of(&all[i], "appProtocol"); !app.empty())
      if (const auto problem = problem_of_qualified_name(app); !problem.empty())
        errors.push_back(invalid(at("ports", i) + ".appProtocol", quoted(app), problem));
  }
}

std::string_view unquoted(std::string_view text) {
  return text.size() >= 2 ? text.substr(1, text.size() - 2) : std::string_view{};
}

} // namespace

void check_slice(const proposal& wanted, const revision* before, field_errors& errors) {
  const std::string_view type = unquoted(wanted.draft.parts[address_type_member]);
  if (type.empty())
    errors.push_back(required("addressType"));
  else if (type != "IPv4" && type != "IPv6" && type != "FQDN")
    errors.push_back(not_supported("addressType", quoted(type), {"FQDN", "IPv4", "IPv6"}));
  check_ports(wanted.values[ports_member], errors);
  // What older servers let in may stay as it is.
  if (!before || wanted.draft.parts[endpoints_member] != before->part(before->members[endpoints_member]))
    check_endpoints(wanted.values[endpoints_member], type, errors);
  if (before && wanted.draft.parts[address_type_member] != before->part(before->members[address_type_member]))
    errors.push_back(invalid("addressType", quoted(type), "field is immutable"));
}

} // namespace sliceferry::storm
