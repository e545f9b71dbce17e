#pragma once
#include "k8s/http_client.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace sliceferry {

/// An API server in memory, for the calls that the actors make: GET, POST, merge PATCH and DELETE
/// of single objects. It answers as kube-apiserver v1.36 was seen to; objects are JSON texts by path.
class fake_cluster {
public:
  /// What a watch would tell; of a deleted object its last state.
  struct change {
    std::string path;
    std::string object;
    bool deleted = false;
  };

  /// `name` begins every UID that it gives out.
  explicit fake_cluster(std::string name) : name_(std::move(name)) {}

  void add_nspace(const std::string& nspace) { nspaces_.insert(nspace); }
  void remove_nspace(const std::string& nspace) { nspaces_.erase(nspace); }

  k8s::http_response answer(const k8s::http_request& asked);

  /// Somebody else's hand: merges the JSON text into the object at `path`, or creates it.
  void write(const std::string& path, const std::string& merged);
  void remove(const std::string& path);

  const std::map<std::string, std::string>& objects() const { return objects_; }
  std::optional<std::string> find(const std::string& path) const;
  /// All changes since the last call, in order.
  std::vector<change> take_changes() { return std::exchange(changes_, {}); }

private:
  k8s::http_response create(const std::string& collection, const std::string& body);
  k8s::http_response patch(const std::string& path, const std::string& body);
  k8s::http_response remove(const std::string& path, const std::string& body);
  void store(const std::string& path, const std::string& object);

  std::string name_;
  std::set<std::string> nspaces_;
  std::map<std::string, std::string> objects_;
  std::vector<change> changes_;
  std::uint64_t version_ = 100;
  std::uint64_t uids_ = 0;
};

/// A Status as an API server sends it with any code but 2xx; `details` is JSON or empty.
std::string status_body(unsigned code, const std::string& reason, const std::string& message,
                        const std::string& details = {});

/// True if both texts are the same JSON value, whatever the order of members.
bool same_json(const std::string& left, const std::string& right);

} // namespace sliceferry
