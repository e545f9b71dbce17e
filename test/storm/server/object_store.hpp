#pragma once
#include "test/storm/server/revision.hpp"

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace sliceferry::storm {

/// The objects of one kind in one namespace: in order for lists, and found by name at once for all else.
class object_space {
public:
  using by_name = std::map<std::string, shared_revision, std::less<>>;

  object_space() = default;
  object_space(const object_space& other);
  object_space& operator=(const object_space& other);

  const by_name& names() const { return names_; }
  shared_revision find(std::string_view name) const;
  /// Puts the object there and returns what was there.
  shared_revision exchange(std::string_view name, shared_revision object);
  /// Returns what was there.
  shared_revision erase(std::string_view name);

private:
  void index_all();

  by_name names_;
  std::unordered_map<std::string_view, by_name::iterator> index_; ///< the views are the keys of `names_`
};

/// The objects of one kind, in the order in which lists show them.
class collection {
public:
  using by_namespace = std::map<std::string, object_space, std::less<>>;

  /// Null where there is none.
  shared_revision find(std::string_view nspace, std::string_view name) const;
  shared_revision exchange(std::string_view nspace, std::string_view name, shared_revision object);
  shared_revision erase(std::string_view nspace, std::string_view name);

  std::size_t size() const { return size_; }
  std::size_t size_of(std::string_view nspace) const; ///< empty: of all
  const by_namespace& all() const { return all_; }
  /// The places of all objects, for those who change the store meanwhile.
  std::vector<std::pair<std::string, std::string>> places() const;

private:
  by_namespace all_; ///< no empty namespaces; what has no namespace is in ""
  std::size_t size_ = 0;
};

/// What etcd would hold: a collection per kind, by the kind's id.
using object_store = std::vector<collection>;

} // namespace sliceferry::storm
