#pragma once
#include "test/storm/server/revision.hpp"

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace sliceferry::storm {

/// The objects of one kind, in the order in which lists show them.
class collection {
public:
  using by_name = std::map<std::string, shared_revision, std::less<>>;
  using by_namespace = std::map<std::string, by_name, std::less<>>;

  /// Null where there is none.
  shared_revision find(std::string_view nspace, std::string_view name) const;
  void put(std::string_view nspace, std::string_view name, shared_revision object);
  void erase(std::string_view nspace, std::string_view name);
  std::size_t size() const { return size_; }
  const by_namespace& all() const { return all_; }
  /// Null where nothing is in it.
  const by_name* in(std::string_view nspace) const;

private:
  by_namespace all_; ///< no empty namespaces; what has no namespace is in ""
  std::size_t size_ = 0;
};

/// What etcd would hold: a collection per kind, by the kind's id.
using object_store = std::vector<collection>;

} // namespace sliceferry::storm
