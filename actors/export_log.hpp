#pragma once
#include "actors/core/memory.hpp"
#include "messages/event.hpp"
#include "messages/inputs.hpp"

#include <map>
#include <set>
#include <string>

namespace sliceferry {

/// Why a slice's export may not stay, for people: the first thing in the way.
std::string why_not(const inputs& seen);

/// Writes one slice's life to the log: a line per export, change, withdrawal and refusal at info,
/// what else was decided at debug.
class export_log {
public:
  export_log(std::string member, const core::memory& held);

  /// `unique_name`: the name that the slice's export now has.
  void write(const inputs& seen, const std::string& unique_name, const event& told);

private:
  struct withdrawal {
    std::string name;
    std::string reason;
  };

  std::string member_;
  std::set<std::string> exported_;          ///< hub UIDs that are known to be ours
  std::map<std::string, withdrawal> begun_; ///< by hub UID
};

} // namespace sliceferry
