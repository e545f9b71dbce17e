#pragma once
#include "actors/core/write_queue.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace sliceferry::core {

using namespace std::chrono_literals;

/// Short ways to say what a writer is asked to do.
namespace asking {

inline const tick noon = tick{} + 12h;

inline command create(const std::string& name, std::uint64_t digest = 1) {
  return apply_export{name, std::nullopt, std::make_shared<const slice_export_spec>(), digest};
}
inline command change(const std::string& name, std::uint64_t digest = 1, const std::string& version = "7") {
  return apply_export{name, hub_target{"u-" + name, version}, std::make_shared<const slice_export_spec>(), digest};
}
inline command withdraw(const std::string& name) {
  return withdraw_export{name, "u-" + name, proof::seen};
}
inline command annotate(const std::string& name, std::int64_t generation = 1, bool retry = false) {
  return annotate_slice{{"shop", name}, "u-" + name, "m1-" + name, generation, seconds_utc{}, retry};
}
inline command clear(const std::string& name) {
  return clear_annotations{{"shop", name}, "u-" + name};
}

inline work by(const std::string& uid, std::uint64_t ticket, command what, const std::string& member = "m1") {
  return {member, uid, ticket, std::move(what)};
}

inline failure failed(errc code, std::optional<std::chrono::seconds> retry_after = std::nullopt) {
  return {code, "", retry_after, 0};
}

} // namespace asking

/// A queue with the limits as shipped, in virtual time.
class WriteQueueTest : public ::testing::Test {
protected:
  /// Sends the next work; `uid#ticket`, with `?` if only a GET, or `-` for none.
  std::string send(write_queue& from) {
    const auto sent = from.next(now);
    if (!sent)
      return "-";
    last = id_of(sent->asked);
    return sent->asked.slice_uid + '#' + std::to_string(sent->asked.ticket) + (sent->read ? "?" : "");
  }
  std::string send() { return send(queue); }

  /// Moves to the moment that `due` names, if it names one.
  void wait() {
    const auto due = queue.due(now);
    ASSERT_TRUE(due);
    now = std::max(now, *due);
  }

  tick now = asking::noon;
  work_id last;
  write_queue queue{{200, 400, 64}, 1};
};

} // namespace sliceferry::core
