#pragma once
#include "messages/endpoint_slice.hpp"
#include "messages/slice_export.hpp"
#include "test/actors/fake_cluster.hpp"

#include <map>
#include <string>
#include <vector>

namespace sliceferry {

/// A hub and its members as a test arranges them, all in the member namespace `shop`, and the
/// oracle that tells what must be where.
class fake_fleet {
public:
  explicit fake_fleet(const std::vector<std::string>& names = {"m1"});

  /// Creates the slice or changes its one endpoint.
  void put_slice(const std::string& member, const std::string& name, const std::string& address,
                 const std::string& service = "web");
  void delete_slice(const std::string& member, const std::string& name);
  /// The Service has a valid ServiceExport, or none.
  void grant(const std::string& member, const std::string& service = "web");
  void revoke(const std::string& member, const std::string& service = "web");
  /// An export of a member's cluster whose slice may be nowhere.
  void put_export(const std::string& member, const std::string& export_name, const std::string& slice_name,
                  const std::string& slice_uid);

  endpoint_slice slice(const std::string& member, const std::string& name) const;
  std::vector<endpoint_slice> slices(const std::string& member) const;
  std::vector<slice_export> exports(const std::string& member) const;

  /// What isn't as it must be, from the clusters alone: each slice of a granted Service has exactly
  /// one export, by the name and with the last-seen that the slice carries, and there is nothing else. Empty: all is
  /// right.
  std::string difference() const;

  fake_cluster hub{"hub"};
  std::map<std::string, fake_cluster> members;

private:
  bool granted(const std::string& member, const endpoint_slice& slice) const;
  std::string difference(const std::string& member) const;
};

std::string hub_nspace_of(const std::string& member);
std::string slice_path(const std::string& name);
std::string export_path(const std::string& member, const std::string& name);

} // namespace sliceferry
