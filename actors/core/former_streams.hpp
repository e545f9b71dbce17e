#pragma once
#include "actors/core/leftover.hpp"
#include "actors/core/memory.hpp"
#include "messages/command.hpp"
#include "messages/event.hpp"
#include "messages/outcome.hpp"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace sliceferry::core {

/// What the journal is told of the deletes of one former name's exports, as these have no exporters.
///
/// A stream is a slice's, as everywhere, and several of its exports may be deleted at a time. It is open while one of
/// these deletes is out, and is over once none is: whatever comes later begins a new one.
class former_streams {
public:
  /// What is added to a slice's stream.
  struct addition {
    std::string slice_uid;
    object_key slice;
    std::vector<event> told;
    memory after;
    bool begins = false; ///< memory was blank before
  };

  /// The delete is about to go to the writer.
  addition begin(const leftover& of, const withdraw_export& decided);
  /// The delete has ended. `is_known`: the export was on the hub still, as far as was heard. Nothing: there is nothing
  /// to be told, since it goes on or never began.
  std::optional<addition> end(const std::string& hub_uid, verdict how, bool is_known);

  /// How many streams are open.
  std::size_t open() const { return streams_.size(); }

private:
  struct stream {
    object_key slice;
    memory held;
    std::set<std::string> out; ///< hub UIDs
  };

  std::map<std::string, stream> streams_;       ///< by slice UID
  std::map<std::string, std::string> slice_of_; ///< by hub UID, of those that are out
};

} // namespace sliceferry::core
