#include "test/storm/weather/export_deeds.hpp"

#include <boost/json.hpp>

namespace sliceferry::storm {
namespace {

namespace json = boost::json;

constexpr std::chrono::milliseconds held_for{1'500};
constexpr const char* reference_key = "endpointSliceReference";

class meddler {
public:
  meddler(const export_wish& wish, std::string_view exported)
    : wish_{wish}, object_{json::parse(exported).as_object()}, name_{object_.at("metadata").at("name").as_string()} {}

  std::vector<user_request> carry_out() {
    using enum export_deed;
    switch (wish_.what) {
      case edit_endpoints:
        return {edit(endpoints("10.99.0."))};
      case edit_ports:
        return {edit(R"("ports":[{"name":"edited","port":1,"protocol":"TCP"}])")};
      case edit_generation:
        return {edit_referred("generation", std::to_string(1'000'000 + wish_.number))};
      case edit_since:
        return {edit_referred("exportedSince", R"("2001-01-01T00:00:00Z")")};
      case edit_reference:
        return {edit_referred("name", R"("edited")")};
      case edit_owner:
        return {edit(R"("ownerServiceReference":{"name":"edited"})")};
      case edit_uid:
        return {edit_referred("uid", '"' + nobodys_uid() + '"')};
      case edit_cluster:
        return {edit_referred("clusterId", R"("stranger")")};
      case label:
        return {patch(R"("metadata":{"labels":{"storm.example.com/seen":")" + std::to_string(wish_.number) + "\"}}")};
      case revert:
        return {edit(endpoints("10.66.0."), "?fieldManager=rival")};
      case remove:
      case snatch:
        return {ask("DELETE", path())};
      case replace:
        return {ask("DELETE", path()), create(name_, "clusterId", "stranger")};
      case hold:
        return hold_for_a_while();
      case duplicate:
        return {create(planted("planted-"), "kind", "EndpointSlice")};
      case orphan:
        return {create(planted("planted-"), "uid", nobodys_uid())};
      case plant:
        return {create(planted("stranger-planted-"), "clusterId", "stranger")};
    }
    return {};
  }

private:
  std::string collection() const {
    return "/apis/networking.fleet.azure.com/v1alpha1/namespaces/fleet-member-" + wish_.member +
           "/endpointsliceexports";
  }
  std::string path() const { return collection() + '/' + name_; }
  std::string planted(const char* prefix) const { return prefix + std::to_string(wish_.number); }
  std::string nobodys_uid() const {
    return "5117a9e2-0000-4000-9000-" + std::to_string(100'000'000'000 + wish_.number);
  }

  std::string endpoints(const char* prefix) const {
    return R"("endpoints":[{"addresses":[")" + (prefix + std::to_string(wish_.number % 250 + 1)) + "\"]}]";
  }

  user_request ask(const char* method, std::string target, std::string body = {}) const {
    user_request out;
    out.cluster = "hub";
    out.method = method;
    out.target = std::move(target);
    out.content_type = body.empty() ? "" : out.method == "PATCH" ? "application/merge-patch+json" : "application/json";
    out.body = std::move(body);
    out.may_fail = true;
    return out;
  }
  user_request patch(const std::string& members, const char* query = "") const {
    return ask("PATCH", path() + query, '{' + members + '}');
  }
  user_request edit(const std::string& spec, const char* query = "") const {
    return patch(R"("spec":{)" + spec + '}', query);
  }
  user_request edit_referred(const std::string& field, const std::string& value) const {
    return edit(R"("endpointSliceReference":{")" + field + "\":" + value + '}');
  }

  /// A new object with its spec, but for one field of the reference.
  user_request create(const std::string& name, const char* field, const std::string& value) const {
    json::object spec = object_.at("spec").as_object();
    spec.at(reference_key).as_object()[field] = value;
    return ask(
      "POST", collection(),
      R"({"apiVersion":"networking.fleet.azure.com/v1alpha1","kind":"EndpointSliceExport","metadata":{"name":")" +
        name + R"("},"spec":)" + json::serialize(spec) + '}');
  }

  std::vector<user_request> hold_for_a_while() const {
    const std::string uid{object_.at("metadata").at("uid").as_string()};
    const auto finalizers = [&](const char* list) {
      return patch(R"("metadata":{"uid":")" + uid + R"(","finalizers":)" + list + '}');
    };
    auto release = finalizers("null");
    release.pause = held_for;
    return {finalizers(R"(["storm.example.com/hold"])"), ask("DELETE", path()), std::move(release)};
  }

  const export_wish& wish_;
  json::object object_;
  std::string name_;
};

} // namespace

std::vector<user_request> requests_upon(const export_wish& wish, std::string_view exported) {
  return meddler{wish, exported}.carry_out();
}

} // namespace sliceferry::storm
