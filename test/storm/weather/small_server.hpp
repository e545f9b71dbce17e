#pragma once
#include "test/storm/weather/user_request.hpp"

#include <arpa/inet.h>
#include <boost/json.hpp>

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace sliceferry::storm {

namespace json = boost::json;

/// What the plan's tests hold its requests against: the objects of all clusters by path, and the rules of a real server
/// that a plan could break. Each lane is carried out in the plan's order, which is one of the orders that may happen.
class small_server {
public:
  /// Why the request would fail; empty where it was carried out.
  std::string apply(const user_request& asked) {
    if (asked.lane.rfind(asked.cluster + '/', 0) != 0)
      return "a lane of another cluster";
    if (asked.upon)
      return ""; // what becomes of it is known when its turn comes
    if (asked.method == "POST")
      return create(asked);
    if (asked.method == "DELETE" && asked.target.ends_with("/endpointsliceexports"))
      return remove_all(asked.cluster + asked.target + '/');
    const std::string path = object_path(asked);
    const auto found = objects_.find(path);
    if (found == objects_.end())
      return "404";
    if (asked.method == "PATCH")
      return patch(asked, found->second);
    if (asked.method == "PUT")
      return finalize(asked, path);
    return asked.method == "DELETE" ? remove(found) : "no such method";
  }

  const std::map<std::string, json::object>& objects() const { return objects_; }
  const json::object* find(const std::string& path) const {
    const auto found = objects_.find(path);
    return found == objects_.end() ? nullptr : &found->second;
  }

  /// The object that a request concerns: cluster and path, without a subresource.
  static std::string object_path(const user_request& asked) {
    std::string path = asked.cluster + asked.target;
    for (const std::string_view subresource : {"/status", "/finalize"})
      if (path.ends_with(subresource))
        path.resize(path.size() - subresource.size());
    if (asked.method == "POST")
      path += '/' + std::string{json::parse(asked.body).at("metadata").at("name").as_string()};
    return path;
  }

  static bool is_slice(std::string_view path) { return path.find("/endpointslices/") != path.npos; }
  static bool is_consent(std::string_view path) { return path.find("/serviceexports/") != path.npos; }
  static bool is_nspace(std::string_view path) { return path.find("/api/v1/namespaces/") != path.npos; }

private:
  using place = std::map<std::string, json::object>::iterator;

  static bool is_label(std::string_view name, std::size_t bytes_max) {
    const auto is_inner = [](char x) { return (x >= 'a' && x <= 'z') || (x >= '0' && x <= '9') || x == '-'; };
    return !name.empty() && name.size() <= bytes_max && name.front() != '-' && name.back() != '-' &&
           std::all_of(name.begin(), name.end(), is_inner);
  }

  std::string nspace_path(const user_request& asked) const {
    const std::size_t begin = asked.target.find("/namespaces/") + 12;
    return asked.cluster + "/api/v1/namespaces/" + asked.target.substr(begin, asked.target.find('/', begin) - begin);
  }

  std::string create(const user_request& asked) {
    if (asked.content_type != "application/json")
      return "content type of a POST";
    const std::string path = object_path(asked);
    json::object object = json::parse(asked.body).as_object();
    if (!is_label(object.at("metadata").at("name").as_string(), 63))
      return "name";
    if (!is_nspace(path)) {
      const auto* home = find(nspace_path(asked));
      if (home == nullptr || home->contains("terminating"))
        return "no namespace to create in";
    }
    if (objects_.contains(path))
      return "AlreadyExists";
    const std::string wrong = is_slice(path) ? check_slice(object) : "";
    objects_.emplace(path, std::move(object));
    return wrong;
  }

  static void merge(json::object& into, const json::object& changes) {
    for (const auto& [key, value] : changes) {
      if (value.is_null())
        into.erase(key);
      else if (value.is_object()) {
        if (!into.contains(key) || !into.at(key).is_object())
          into[key] = json::object{};
        merge(into.at(key).as_object(), value.as_object());
      } else
        into[key] = value;
    }
  }

  std::string patch(const user_request& asked, json::object& object) {
    if (asked.content_type != "application/merge-patch+json")
      return "content type of a PATCH";
    const std::string path = object_path(asked);
    const auto sent = json::parse(asked.body).as_object();
    if (sent.contains("addressType"))
      return "addressType is immutable";
    merge(object, sent);
    if (asked.target.ends_with("/status"))
      return check_status(object);
    if (object.contains("terminating") && !object.at("metadata").as_object().contains("finalizers"))
      objects_.erase(path);
    return is_slice(path) ? check_slice(object) : "";
  }

  std::string remove(place found) {
    if (found->second.contains("terminating"))
      return "deleted twice";
    if (is_nspace(found->first) || found->second.at("metadata").as_object().contains("finalizers"))
      found->second["terminating"] = true;
    else
      objects_.erase(found);
    return {};
  }

  std::string remove_all(const std::string& collection) {
    std::erase_if(objects_, [&](const auto& each) { return each.first.starts_with(collection); });
    return {};
  }

  std::string finalize(const user_request& asked, const std::string& path) {
    if (!asked.target.ends_with("/finalize") || !objects_.at(path).contains("terminating"))
      return "PUT of what isn't a terminating namespace";
    const auto sent = json::parse(asked.body);
    if (!sent.at("spec").at("finalizers").as_array().empty() ||
        !path.ends_with('/' + std::string{sent.at("metadata").at("name").as_string()}))
      return "body of a finalize";
    const std::string inside = path.substr(path.rfind('/')) + '/';
    for (const auto& [other, object] : objects_)
      if (other.starts_with(asked.cluster + '/') && other.find(inside) != other.npos)
        return "finalized with contents";
    objects_.erase(path);
    return {};
  }

  static std::string check_status(const json::object& object) {
    for (const auto& each : object.at("status").at("conditions").as_array())
      for (const auto* key : {"type", "status", "lastTransitionTime", "reason", "message", "observedGeneration"})
        if (!each.as_object().contains(key))
          return std::string{"condition without "} + key;
    return {};
  }

  static std::string check_address(const std::string& address, bool ipv6) {
    char parsed[16];
    char canonical[64];
    const int family = ipv6 ? AF_INET6 : AF_INET;
    if (inet_pton(family, address.c_str(), parsed) != 1 ||
        address != inet_ntop(family, parsed, canonical, sizeof canonical))
      return "address " + address;
    return address.starts_with("127.") || address.starts_with("169.254.") ? "address of no pod" : "";
  }

  static std::string check_slice(const json::object& object) {
    const bool ipv6 = object.at("addressType") == "IPv6";
    if (object.at("endpoints").as_array().size() > 100)
      return "more than 100 endpoints";
    std::vector<std::string> seen;
    for (const auto& each : object.at("endpoints").as_array()) {
      const std::string address{each.at("addresses").at(0).as_string()};
      if (auto wrong = check_address(address, ipv6); !wrong.empty())
        return wrong;
      seen.push_back(address);
      for (const auto* key : {"ready", "serving", "terminating"})
        if (!each.at("conditions").at(key).is_bool())
          return "condition of an endpoint";
    }
    std::sort(seen.begin(), seen.end());
    if (std::adjacent_find(seen.begin(), seen.end()) != seen.end())
      return "an address twice";
    for (const auto& [key, value] : object.at("metadata").at("labels").as_object())
      if (value.as_string().size() > 63)
        return "label";
    for (const auto& [key, value] : object.at("metadata").at("annotations").as_object())
      if (!value.is_string())
        return "annotation";
    return {};
  }

  std::map<std::string, json::object> objects_;
};

} // namespace sliceferry::storm
