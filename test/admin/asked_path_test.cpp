#include "actors/admin/asked_path.hpp"

#include <gtest/gtest.h>

namespace sliceferry {
namespace {

TEST(AskedPath, IsDecodedOnce) {
  const struct {
    const char* target;
    std::optional<asked_path> asked;
  } table[] = {
    {"/", asked_path{"/", {}}},
    {"/a/b", asked_path{"/a/b", {}}},
    {"/a%2Fb%2fc", asked_path{"/a/b/c", {}}},
    {"/a%2525", asked_path{"/a%25", {}}},
    {"/a?", asked_path{"/a", {}}},
    {"/a?x", asked_path{"/a", {{"x", ""}}}},
    {"/a?x=1&y=2&x=3", asked_path{"/a", {{"x", "1"}, {"y", "2"}}}},
    {"/a?&&x=1&=7", asked_path{"/a", {{"x", "1"}}}},
    {"/a?x=1=2", asked_path{"/a", {{"x", "1=2"}}}},
    {"/a?x=a%26b%3D", asked_path{"/a", {{"x", "a&b="}}}},
    {"/a?x=a+b", asked_path{"/a", {{"x", "a+b"}}}},
    {"/a#b?x", asked_path{"/a", {}}},
    {"/%", {}},
    {"/%4", {}},
    {"/%g0", {}},
    {"/%0A", {}},
    {"/%7f", {}},
    {"/a?x=%", {}},
    {"/a?%00=1", {}},
  };
  for (const auto& [target, asked] : table) {
    SCOPED_TRACE(target);
    EXPECT_EQ(parse_target(target), asked);
  }
}

} // namespace
} // namespace sliceferry
