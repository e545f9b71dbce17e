#pragma once
#include "test/storm/server/cluster.hpp"

#include <cstdint>
#include <string_view>
#include <vector>

namespace sliceferry::storm {

/// How often each user asked what and got which status; 0 stands for no answer at all.
class front_counts {
public:
  struct row {
    std::string_view user;
    std::string_view verb;
    unsigned status = 0;
    std::uint64_t count = 0;
  };

  /// The texts must outlive this object.
  void count(std::string_view user, std::string_view verb, unsigned status);
  std::uint64_t all() const { return all_; }
  const std::vector<row>& rows() const { return rows_; }

private:
  std::vector<row> rows_; ///< the frequent ones move forward
  std::uint64_t all_ = 0;
};

/// As an audit log calls it: get, list, watch, create, update, patch, delete; `other` for what else there is.
std::string_view verb_of(const api_request& asked, bool is_watch);

} // namespace sliceferry::storm
