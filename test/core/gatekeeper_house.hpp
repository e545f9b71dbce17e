#pragma once
#include "actors/core/gatekeeper.hpp"
#include "test/core/member_makers.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sliceferry::core {

/// More than 3 and more than 30 % within a minute.
inline constexpr guard_limits strict{30, 3, std::chrono::seconds(60)};
/// Nothing trips it.
inline constexpr guard_limits lax{100, 1000, std::chrono::seconds(60)};

inline std::string numbered(const std::string& kind, int number) {
  return kind + std::to_string(number);
}

inline endpoint_slice slice(int number, int version = 1) {
  return make_slice(numbered("s", number), numbered("u", number), version);
}
/// The export of that slice.
inline slice_export export_of(int number, int version = 1) {
  return make_export(numbered("e", number), numbered("h", number), version, numbered("u", number));
}

/// A table that holds slices 1 to `count` of service "web", which is consented to, and their exports, with its
/// gatekeeper.
struct house {
  explicit house(int count = 1, guard_limits limits = lax) : gate(make_identity(), limits) {
    std::vector<endpoint_slice> slices;
    std::vector<slice_export> exports;
    for (int i = 1; i <= count; ++i) {
      slices.push_back(slice(i));
      exports.push_back(export_of(i));
    }
    table.slices(listed(slices));
    table.consents(listed<service_export>({make_consent("web", 1)}));
    table.exports(listed(exports));
  }

  guard::orders consider(const touched& whom, tick now = {}) {
    return gate.consider(table, whom.all ? table.uids() : whom.uids, now);
  }

  bool leave(const std::string& uid) const { return complete(uid).leave; }
  inputs complete(const std::string& uid) const {
    auto out = table.inputs_of(uid);
    gate.complete(uid, out);
    return out;
  }

  /// This export of a slice that the member doesn't hold is there, found, and proven to be a leftover.
  guard::orders find_leftover(const slice_export& left, tick now = {}) {
    table.exports(applied(left));
    const auto found = table.take_leftovers(now);
    EXPECT_EQ(found.size(), 1u);
    gate.suspected(found, now);
    guard::orders out;
    for (const auto& each : found)
      out = consider(table.confirm(each, std::nullopt), now);
    return out;
  }

  /// A withdrawal of the export by the exporter of its slice ends. `shown`: the object in the answer.
  void withdraw(const slice_export& left, std::optional<slice_export> shown = {}, verdict how = verdict::done) {
    const auto& uid = left.spec.reference.uid;
    table.wake(uid);
    const auto number = table.next_number(uid);
    auto answer = answer_to(uid, how);
    answer.hub_uid = left.uid;
    answer.exported = std::move(shown);
    gate.answered(table, answer, tick{});
    table.answered(answer);
    consider({false, {uid}});
    memory over;
    over.over = true;
    EXPECT_TRUE(table.retire(uid, number, over));
  }

  /// Its exporter puts right what somebody had done to the export.
  void repair(const slice_export& of, tick now = {}, verdict how = verdict::done, bool was_undone = true) {
    auto answer = answer_to(of.spec.reference.uid, how);
    answer.exported = of;
    answer.hub_uid = of.uid;
    answer.repaired = was_undone;
    gate.answered(table, answer, now);
  }

  /// The same, after somebody had removed it.
  void make_again(const slice_export& of) {
    auto answer = answer_to(of.spec.reference.uid, verdict::done);
    answer.exported = of;
    answer.repaired = true;
    gate.answered(table, answer, tick{});
  }

  /// Enough exports are undone often enough.
  void alarm(tick now = {}) {
    for (int number = 100; number < 106; ++number)
      for (int time = 0; time < 2; ++time)
        repair(export_of(number), now);
    ASSERT_TRUE(gate.hands().alarmed());
  }

  member_table table{make_identity()};
  gatekeeper gate;
};

inline slice_export terminating(slice_export of, int version) {
  of.terminating = true;
  of.resource_version = std::to_string(version);
  return of;
}

} // namespace sliceferry::core
