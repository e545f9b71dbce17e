#include "messages/endpoint_slice.hpp"

namespace sliceferry {
namespace {

std::string quoted(const std::optional<std::string>& text) {
  return text ? '"' + *text + '"' : "-";
}

} // namespace

std::string to_string(const endpoint_slice& slice) {
  std::string out = to_string(slice.key) + " uid=" + slice.uid + " rv=" + slice.resource_version;
  out += " generation=" + std::to_string(slice.generation) + ' ' + slice.address_type;
  out += " service=" + quoted(slice.service);
  if (!slice.managed_by.empty())
    out += " managed-by=" + slice.managed_by;
  if (slice.deleting)
    out += " deleting";
  if (!slice.ours.empty())
    out += " ours={name=" + quoted(slice.ours.name) + " generation=" + quoted(slice.ours.generation) +
           " timestamp=" + quoted(slice.ours.timestamp) + '}';
  out += " ready=" + to_string(slice.ready);
  if (!slice.fallback.empty())
    out += " fallback=" + to_string(slice.fallback);
  return out + " ports=" + to_string(slice.ports);
}

} // namespace sliceferry
