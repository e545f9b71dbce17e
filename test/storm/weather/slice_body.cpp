#include "test/storm/weather/slice_body.hpp"

#include "test/storm/weather/fleet_names.hpp"

#include <array>
#include <charconv>
#include <string_view>

// Bodies are put together by hand: nothing in them needs escaping, and a storm makes tens of thousands of them a
// second.

namespace sliceferry::storm {
namespace {

constexpr std::array<std::string_view, port_sets> ports_json{
  R"([{"name":"http","port":8080,"protocol":"TCP"}])",
  R"([{"name":"http","port":8080,"protocol":"TCP"},{"name":"metrics","port":9090,"protocol":"TCP"}])",
  R"([{"name":"","port":5432,"protocol":"TCP"}])",
  R"([{"appProtocol":"kubernetes.io/h2c","name":"grpc","port":8443,"protocol":"TCP"}])",
  R"([{"name":"dns","port":53,"protocol":"UDP"},{"name":"dns-tcp","port":53,"protocol":"TCP"}])",
  R"([{"name":"http","port":8081,"protocol":"TCP"}])",
};

void append(std::string& out, std::uint32_t number) {
  std::array<char, 12> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
  out.append(digits.data(), end);
}

void append_hex(std::string& out, std::uint64_t number, unsigned width) {
  for (unsigned i = width; i-- > 0;)
    out += "0123456789abcdef"[number >> (4U * i) & 15U];
}

void append_address(std::string& out, std::uint32_t pod, bool ipv6) {
  if (ipv6) {
    // Without leading zeros: the canonical form, which some validations insist on.
    std::array<char, 24> text{};
    auto* end = std::to_chars(text.data(), text.data() + 8, 1U + (pod >> 16U), 16).ptr;
    *end++ = ':';
    end = std::to_chars(end, text.data() + text.size(), pod & 0xffffU, 16).ptr;
    out += "fd00:10:244::";
    out.append(text.data(), end);
    return;
  }
  const std::uint32_t host = pod % 0xfffe00U + 0x100U; // within 10.0.0.0/8, far from its ends
  out += "10.";
  append(out, host >> 16U & 255U);
  out += '.';
  append(out, host >> 8U & 255U);
  out += '.';
  append(out, host & 255U);
}

void append_pod(std::string& out, const slice_view& seen, std::uint32_t pod) {
  const std::uint64_t code = dice{pod + 1'000'000'007ULL * seen.object.service}.roll();
  out += R"("targetRef":{"kind":"Pod","name":")";
  out += service_name(seen.member.home(seen.object).number);
  out += "-7d9f8b6c5-";
  append_hex(out, pod, 8);
  out += R"(","namespace":")";
  out += seen.member.place(seen.object).name;
  out += R"(","uid":")";
  append_hex(out, code, 8);
  out += '-';
  append_hex(out, code >> 32U, 4);
  out += "-4000-8000-";
  append_hex(out, pod, 12);
  out += R"("})";
}

void append_endpoints(std::string& out, const slice_view& seen) {
  out += R"("endpoints":[)";
  for (const auto& each : seen.object.endpoints) {
    if (out.back() == '}')
      out += ',';
    out += R"({"addresses":[")";
    append_address(out, each.pod, seen.object.ipv6);
    out += R"("],"conditions":{"ready":)";
    out += each.ready ? "true" : "false";
    out += R"(,"serving":)";
    out += each.ready || each.terminating ? "true" : "false";
    out += R"(,"terminating":)";
    out += each.terminating ? "true" : "false";
    out += R"(},"nodeName":"node-)";
    append(out, each.node);
    out += R"(",)";
    append_pod(out, seen, each.pod);
    out += R"(,"zone":"zone-)";
    out += static_cast<char>('a' + each.node % 3);
    out += R"("})";
  }
  out += ']';
}

void append_trigger_time(std::string& out, const slice_view& seen) {
  out += R"("endpoints.kubernetes.io/last-change-trigger-time":")";
  out += time_of(seen.changes);
  // More than one change may fall into a second of the users' clock.
  out.insert(out.size() - 1, ".000");
  const std::uint32_t part = seen.changes % 100;
  out[out.size() - 4] = static_cast<char>('0' + part / 10);
  out[out.size() - 3] = static_cast<char>('0' + part % 10);
  out += '"';
}

std::string label_of(const slice_view& seen) {
  if (seen.object.label == stranger_label)
    return "stranger";
  return service_name(seen.member.services[seen.object.label].number);
}

std::string_view manager_of(const slice& object) {
  return object.imported ? importer : "endpointslice-controller.k8s.io";
}

std::string patch_of_endpoints(const slice_view& seen, std::string_view more) {
  std::string out;
  out.reserve(200 + seen.object.endpoints.size() * 300);
  out += R"({"metadata":{"annotations":{)";
  append_trigger_time(out, seen);
  out += more;
  out += "}},";
  append_endpoints(out, seen);
  return out;
}

} // namespace

std::string slice_object(const slice_view& seen, const std::string& saved_annotations) {
  const service& home = seen.member.home(seen.object);
  std::string out;
  out.reserve(600 + seen.object.endpoints.size() * 300);
  out += R"({"apiVersion":"discovery.k8s.io/v1","kind":"EndpointSlice","metadata":{"name":")";
  out += slice_name(home.number, seen.object.ordinal);
  out += R"(","namespace":")";
  out += seen.member.place(seen.object).name;
  out += R"(","labels":{)";
  if (seen.object.label != no_label) {
    out += R"("kubernetes.io/service-name":")";
    out += label_of(seen);
    out += R"(",)";
  }
  if (seen.object.portless)
    out += R"("service.kubernetes.io/headless":"",)";
  out += R"("endpointslice.kubernetes.io/managed-by":")";
  out += manager_of(seen.object);
  out += R"("},"annotations":{)";
  append_trigger_time(out, seen);
  out += saved_annotations;
  out += R"(}},"addressType":")";
  out += seen.object.ipv6 ? "IPv6" : "IPv4";
  out += R"(",)";
  append_endpoints(out, seen);
  if (!seen.object.portless) {
    out += R"(,"ports":)";
    out += ports_json[seen.object.port_set % port_sets];
  }
  out += '}';
  return out;
}

std::string endpoints_patch(const slice_view& seen) {
  return patch_of_endpoints(seen, "") + '}';
}

std::string ports_patch(const slice_view& seen) {
  return patch_of_endpoints(seen, "") + R"(,"ports":)" + std::string{ports_json[seen.object.port_set % port_sets]} +
         '}';
}

std::string wiped_patch(const slice_view& seen) {
  std::string wiped;
  for (const auto key : {name_key, generation_key, timestamp_key}) {
    wiped += ",\"";
    wiped += key;
    wiped += "\":null";
  }
  return patch_of_endpoints(seen, wiped) + '}';
}

std::string touched_patch(const slice_view& seen) {
  std::string out = R"({"metadata":{"annotations":{)";
  append_trigger_time(out, seen);
  return out + "}}}";
}

std::string service_label_patch(const slice_view& seen) {
  const std::string label = seen.object.label == no_label ? "null" : '"' + label_of(seen) + '"';
  return R"({"metadata":{"labels":{"kubernetes.io/service-name":)" + label + "}}}";
}

std::string manager_label_patch(const slice_view& seen) {
  return R"({"metadata":{"labels":{"endpointslice.kubernetes.io/managed-by":")" + std::string{manager_of(seen.object)} +
         "\"}}}";
}

} // namespace sliceferry::storm
