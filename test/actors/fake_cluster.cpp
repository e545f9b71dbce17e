#include "test/actors/fake_cluster.hpp"

#include <boost/json.hpp>

#include <utility>

namespace sliceferry {

namespace {

namespace json = boost::json;

/// RFC 7396.
void merge(json::value& into, const json::value& patch) {
  if (!patch.is_object()) {
    into = patch;
    return;
  }
  if (!into.is_object())
    into = json::object{};
  for (const auto& [key, value] : patch.as_object()) {
    if (value.is_null())
      into.as_object().erase(key);
    else
      merge(into.as_object()[key], value);
  }
}

/// The string at metadata.`field`, or nothing.
std::optional<std::string> metadata(const json::value& object, const char* field) {
  const auto* held = object.as_object().if_contains("metadata");
  const auto* found = held ? held->as_object().if_contains(field) : nullptr;
  return found ? std::optional(std::string(found->as_string())) : std::nullopt;
}

/// All of an object whose change raises its generation.
json::value without_metadata(json::value object) {
  object.as_object().erase("metadata");
  return object;
}

std::string nspace_in(const std::string& path) {
  constexpr std::string_view before = "/namespaces/";
  const auto at = path.find(before) + before.size();
  return path.substr(at, path.find('/', at) - at);
}

k8s::http_response failed(unsigned code, const std::string& reason, const std::string& message,
                          const std::string& details = {}) {
  return {code, std::nullopt, status_body(code, reason, message, details)};
}

k8s::http_response not_found(const std::string& path) {
  return failed(404, "NotFound", '"' + path.substr(path.rfind('/') + 1) + "\" not found",
                R"({"kind":"endpointslices"})");
}

} // namespace

std::string status_body(unsigned code, const std::string& reason, const std::string& message,
                        const std::string& details) {
  json::object out{{"kind", "Status"}, {"apiVersion", "v1"}, {"status", code < 300 ? "Success" : "Failure"},
                   {"reason", reason}, {"message", message}, {"code", code}};
  if (!details.empty())
    out["details"] = json::parse(details);
  return json::serialize(out);
}

bool same_json(const std::string& left, const std::string& right) {
  return json::parse(left) == json::parse(right);
}

k8s::http_response fake_cluster::answer(const k8s::http_request& asked) {
  switch (asked.method) {
    case k8s::http_method::get: {
      const auto held = find(asked.target);
      return held ? k8s::http_response{200, std::nullopt, *held} : not_found(asked.target);
    }
    case k8s::http_method::post:
      return create(asked.target, asked.body);
    case k8s::http_method::patch:
      return patch(asked.target, asked.body);
    case k8s::http_method::del:
      return remove(asked.target, asked.body);
    case k8s::http_method::put:
      break;
  }
  return failed(405, "MethodNotAllowed", "no call of ours");
}

void fake_cluster::write(const std::string& path, const std::string& merged) {
  auto object = json::parse(objects_.count(path) != 0 ? objects_[path] : "{}");
  merge(object, json::parse(merged));
  store(path, json::serialize(object));
}

void fake_cluster::remove(const std::string& path) {
  auto last = json::parse(objects_.at(path));
  last.at("metadata").as_object()["resourceVersion"] = std::to_string(++version_);
  objects_.erase(path);
  changes_.push_back({path, json::serialize(last), true});
}

std::optional<std::string> fake_cluster::find(const std::string& path) const {
  const auto found = objects_.find(path);
  return found == objects_.end() ? std::nullopt : std::optional(found->second);
}

k8s::http_response fake_cluster::create(const std::string& collection, const std::string& body) {
  const auto nspace = nspace_in(collection);
  if (nspaces_.count(nspace) == 0)
    return failed(404, "NotFound", "namespaces \"" + nspace + "\" not found",
                  R"({"kind":"namespaces","name":")" + nspace + "\"}");
  const auto path = collection + '/' + metadata(json::parse(body), "name").value();
  if (find(path))
    return failed(409, "AlreadyExists", "already exists");
  store(path, body);
  return {201, std::nullopt, objects_.at(path)};
}

k8s::http_response fake_cluster::patch(const std::string& path, const std::string& body) {
  const auto held = find(path);
  if (!held)
    return not_found(path);
  const auto wanted = json::parse(body);
  const auto object = json::parse(*held);
  const auto version = metadata(wanted, "resourceVersion");
  if (version && version != metadata(object, "resourceVersion"))
    return failed(409, "Conflict", "the object has been modified; please apply your changes to the latest version");
  const auto uid = metadata(wanted, "uid");
  if (uid && uid != metadata(object, "uid"))
    return failed(422, "Invalid", "field is immutable", R"({"causes":[{"field":"metadata.uid"}]})");
  write(path, body);
  return {200, std::nullopt, objects_.at(path)};
}

k8s::http_response fake_cluster::remove(const std::string& path, const std::string& body) {
  const auto held = find(path);
  if (!held)
    return not_found(path);
  const auto wanted = json::parse(body).at("preconditions").at("uid").as_string();
  const auto uid = metadata(json::parse(*held), "uid").value();
  if (uid != std::string_view(wanted))
    return failed(409, "Conflict",
                  "Precondition failed: UID in precondition: " + std::string(wanted) + ", UID in object meta: " + uid);
  remove(path);
  return {200, std::nullopt, status_body(200, "", "")};
}

/// Gives the object what the server gives, and tells the watch; a write that changes nothing does nothing.
void fake_cluster::store(const std::string& path, const std::string& text) {
  auto object = json::parse(text);
  const auto held = find(path);
  merge(object, json::object{{"metadata", json::object{}}});
  auto& meta = object.at("metadata").as_object();
  if (held) {
    const auto before = json::parse(*held);
    const auto old = before.at("metadata").at("generation").as_int64();
    meta["resourceVersion"] = before.at("metadata").at("resourceVersion");
    if (object == before)
      return;
    meta["generation"] = without_metadata(before) == without_metadata(object) ? old : old + 1;
  } else {
    meta["name"] = path.substr(path.rfind('/') + 1);
    meta["namespace"] = nspace_in(path);
    meta["uid"] = name_ + "-uid-" + std::to_string(++uids_);
    meta["generation"] = 1;
    meta["creationTimestamp"] = "2026-11-30T10:00:00Z";
  }
  meta["resourceVersion"] = std::to_string(++version_);
  objects_[path] = json::serialize(object);
  changes_.push_back({path, objects_[path], false});
}

} // namespace sliceferry
