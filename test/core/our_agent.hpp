#pragma once
#include "actors/core/exporter.hpp"
#include "actors/core/member_table.hpp"
#include "test/core/shared_clusters.hpp"

#include <map>
#include <memory>
#include <string>

namespace sliceferry::core {

/// One process of this program on shared clusters: the member's table and an exporter for each slice, with watches that
/// show each change before the next decision and servers that answer each write at once.
class our_agent {
public:
  /// Processes of different seeds choose different names.
  our_agent(shared_clusters& servers, std::uint64_t seed);

  /// Until nothing changes any more, with the hub's controller. False if that doesn't come to an end.
  bool run();

private:
  void list();
  void tend(const std::string& slice_uid);
  write_answer carry_out(const command& what);

  shared_clusters& servers_;
  std::shared_ptr<const member_identity> who_;
  member_table table_;
  std::map<std::string, exporter> machines_;
};

} // namespace sliceferry::core
