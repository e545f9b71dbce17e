#include "k8s/encode.hpp"

#include "messages/rfc3339.hpp"

namespace sliceferry::k8s {

namespace {

/// What an absent optional member becomes: nothing in a create, `null` in a merge patch.
enum class absent { left_out, null };

void text(std::string& out, std::string_view value) {
  constexpr std::string_view digits = "0123456789abcdef";
  out += '"';
  for (const char c : value) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && c != '"' && c != '\\') {
      out += c;
    } else if (byte >= 0x20) {
      out += '\\';
      out += c;
    } else {
      out += "\\u00";
      out += digits[byte >> 4U];
      out += digits[byte & 15U];
    }
  }
  out += '"';
}

/// `before` holds punctuation and the member's name, as in `,"name":`.
void member(std::string& out, std::string_view before, std::string_view value) {
  out += before;
  text(out, value);
}

template <class Items, class Write>
void array(std::string& out, const Items& items, Write write) {
  out += '[';
  bool first = true;
  for (const auto& one : items) {
    if (!first)
      out += ',';
    first = false;
    write(one);
  }
  out += ']';
}

/// A port goes out with exactly the members that it came with.
void port_entry(std::string& out, const port& one) {
  out += '{';
  const auto begin = [&](std::string_view name) {
    if (out.back() != '{')
      out += ',';
    out.append("\"").append(name).append("\":");
  };
  const auto optional_text = [&](std::string_view name, const std::optional<std::string>& value) {
    if (!value)
      return;
    begin(name);
    text(out, *value);
  };
  optional_text("name", one.name);
  optional_text("protocol", one.protocol);
  if (one.number) {
    begin("port");
    out += std::to_string(*one.number);
  }
  optional_text("appProtocol", one.app_protocol);
  out += '}';
}

void reference(std::string& out, const slice_reference& ref, absent how) {
  member(out, "{\"clusterId\":", ref.cluster);
  member(out, ",\"apiVersion\":", ref.api_version);
  member(out, ",\"kind\":", ref.kind);
  member(out, ",\"namespace\":", ref.slice.nspace);
  member(out, ",\"name\":", ref.slice.name);
  member(out, ",\"namespacedName\":", ref.namespaced_name);
  member(out, ",\"uid\":", ref.uid);
  member(out, ",\"resourceVersion\":", ref.resource_version);
  out.append(",\"generation\":").append(std::to_string(ref.generation));
  if (ref.exported_since)
    member(out, ",\"exportedSince\":", format_rfc3339(*ref.exported_since));
  else if (how == absent::null)
    out += ",\"exportedSince\":null";
  out += '}';
}

void spec_member(std::string& out, const slice_export_spec& spec, absent how) {
  member(out, "\"spec\":{\"addressType\":", spec.address_type);
  out += ",\"endpoints\":";
  array(out, spec.endpoints, [&](const endpoint& one) {
    out += "{\"addresses\":";
    array(out, one.addresses, [&](const std::string& address) { text(out, address); });
    out += '}';
  });
  if (spec.ports) {
    out += ",\"ports\":";
    array(out, *spec.ports, [&](const port& one) { port_entry(out, one); });
  } else if (how == absent::null) {
    out += ",\"ports\":null";
  }
  out += ",\"endpointSliceReference\":";
  reference(out, spec.reference, how);
  member(out, ",\"ownerServiceReference\":{\"namespace\":", spec.owner.service.nspace);
  member(out, ",\"name\":", spec.owner.service.name);
  member(out, ",\"namespacedName\":", spec.owner.namespaced_name);
  out += "}}";
}

} // namespace

std::string encode_annotate(const annotate_slice& what) {
  std::string out;
  member(out, "{\"metadata\":{\"uid\":", what.uid);
  member(out, ",\"annotations\":{\"networking.fleet.azure.com/fleet-unique-name\":", what.name);
  member(out, ",\"networking.fleet.azure.com/last-seen-generation\":", std::to_string(what.generation));
  member(out, ",\"networking.fleet.azure.com/last-seen-timestamp\":", format_rfc3339(what.since));
  return out += "}}}";
}

std::string encode_clear(const clear_annotations& what) {
  std::string out;
  member(out, "{\"metadata\":{\"uid\":", what.uid);
  return out += ",\"annotations\":{\"networking.fleet.azure.com/fleet-unique-name\":null,"
                "\"networking.fleet.azure.com/last-seen-generation\":null,"
                "\"networking.fleet.azure.com/last-seen-timestamp\":null}}}";
}

std::string encode_create(const object_key& key, const slice_export_spec& spec) {
  std::string out;
  out.reserve(1024);
  out += R"({"apiVersion":"networking.fleet.azure.com/v1alpha1","kind":"EndpointSliceExport","metadata":{)";
  member(out, "\"name\":", key.name);
  member(out, ",\"namespace\":", key.nspace);
  out += "},";
  spec_member(out, spec, absent::left_out);
  return out += '}';
}

std::string encode_change(const hub_target& target, const slice_export_spec& spec) {
  std::string out;
  out.reserve(1024);
  member(out, "{\"metadata\":{\"uid\":", target.uid);
  member(out, ",\"resourceVersion\":", target.resource_version);
  out += "},";
  spec_member(out, spec, absent::null);
  return out += '}';
}

std::string encode_delete(std::string_view uid) {
  std::string out = R"({"apiVersion":"v1","kind":"DeleteOptions","preconditions":{)";
  member(out, "\"uid\":", uid);
  return out += R"(},"propagationPolicy":"Background"})";
}

} // namespace sliceferry::k8s
