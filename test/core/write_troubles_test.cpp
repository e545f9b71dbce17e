#include "actors/core/write_troubles.hpp"

#include <gtest/gtest.h>

namespace sliceferry::core {
namespace {

using changes = std::vector<write_troubles::change>;

work create_for(const std::string& member) {
  return {member, "uid", 1, apply_export{.name = "m1-shop-a", .target = {}, .spec = {}, .digest = 1}};
}

work annotate_for(const std::string& member) {
  return {member, "uid", 2, annotate_slice{}};
}

failure why(errc code) {
  return {code, "because", std::nullopt, 0};
}

TEST(WriteTroubles, BeginAsTheQueueTells) {
  struct row {
    const char* name;
    work asked;
    errc code;
    queue_state queue;
    const char* subject; ///< null: none
  };
  const row table[] = {
    {"one failure is no trouble", create_for("m1"), errc::unavailable, {}, nullptr},
    {"the server is away", create_for("m1"), errc::unavailable, {.server_open = true}, "writes to hub"},
    {"the namespace is missing",
     create_for("m1"),
     errc::namespace_missing,
     {.namespaces_open = {"m1"}},
     "hub namespace fleet-member-m1"},
    {"another member's is", create_for("m1"), errc::namespace_missing, {.namespaces_open = {"m2"}}, nullptr},
    {"a right is lost", create_for("m1"), errc::forbidden, {}, "right to apply for m1 on hub"},
    {"a member write doesn't concern the hub's namespace",
     annotate_for("m1"),
     errc::unavailable,
     {.server_open = true, .namespaces_open = {"m1"}},
     "writes to hub"},
  };
  for (const auto& [name, asked, code, queue, subject] : table) {
    SCOPED_TRACE(name);
    write_troubles troubles{"hub"};
    const auto begun = troubles.failed(asked, "fleet-member-m1", why(code), queue);
    ASSERT_EQ(begun.has_value(), subject != nullptr);
    if (subject) {
      EXPECT_EQ(*begun, (write_troubles::change{subject, "because"}));
    }
    EXPECT_EQ(troubles.empty(), subject == nullptr);
  }
}

TEST(WriteTroubles, EndWithTheirCauseOrWithTheirVictims) {
  struct row {
    const char* name;
    errc code;
    queue_state then;
    bool ends;
  };
  const row table[] = {
    {"the server is still away", errc::unavailable, {.server_open = true}, false},
    {"the server answers again", errc::unavailable, {}, true},
    {"nothing is left to be written", errc::unavailable, {.server_open = true, .idle = true}, true},
    {"the namespace is still missing", errc::namespace_missing, {.namespaces_open = {"m1"}}, false},
    {"the namespace is there", errc::namespace_missing, {}, true},
    {"what was to go there is withdrawn", errc::namespace_missing, {.namespaces_open = {"m1"}, .idle = true}, true},
    {"the refused content waits", errc::forbidden, {.idle = true, .has_parked = true}, false},
    {"it is gone", errc::forbidden, {.idle = true}, true},
  };
  for (const auto& [name, code, then, ends] : table) {
    SCOPED_TRACE(name);
    write_troubles troubles{"hub"};
    const queue_state open{.server_open = code == errc::unavailable, .namespaces_open = {"m1"}};
    const auto begun = troubles.failed(create_for("m1"), "fleet-member-m1", why(code),
                                       code == errc::namespace_missing ? open : queue_state{.server_open = true});
    ASSERT_TRUE(begun);
    const changes expected = ends ? changes{{begun->subject, std::nullopt}} : changes{};
    EXPECT_EQ(troubles.review(then), expected);
    EXPECT_EQ(troubles.empty(), ends);
  }
}

TEST(WriteTroubles, ARightIsProvenByTheSameCommandForTheSameMember) {
  write_troubles troubles{"hub"};
  const auto begun = troubles.failed(create_for("m1"), "fleet-member-m1", why(errc::forbidden), {});
  ASSERT_TRUE(begun);
  EXPECT_TRUE(troubles.succeeded(create_for("m2")).empty());
  EXPECT_TRUE(troubles.succeeded({"m1", "uid", 3, withdraw_export{}}).empty());
  EXPECT_EQ(troubles.succeeded(create_for("m1")), (changes{{begun->subject, std::nullopt}}));
}

} // namespace
} // namespace sliceferry::core
