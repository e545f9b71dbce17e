#include "actors/core/refusals.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace sliceferry::core {
namespace {

write_answer end_of(const std::string& uid, verdict how, errc why = errc::invalid, const std::string& text = "") {
  write_answer out;
  out.slice_uid = uid;
  out.how = how;
  out.why = {why, text, {}, 0};
  return out;
}

/// What is told of `uid`'s slice, `shop/UID`, and the text after it; `changes`: it is another one than before.
struct told {
  const char* name;
  write_answer end;
  bool changes;
  const char* text;
};

TEST(Refusals, CountThoseThatStandAndTellTheNewest) {
  const std::string quota = "exceeded quota: exports", hook = "admission webhook \"no.example\" denied the request";
  const told table[] = {
    {"all is well", end_of("a", verdict::done), false, ""},
    {"a quota", end_of("a", verdict::refused, errc::quota, quota), true,
     "1 refused, the last one shop/a: quota: exceeded quota: exports"},
    {"a webhook", end_of("b", verdict::refused, errc::invalid, hook), true,
     "2 refused, the last one shop/b: invalid: admission webhook \"no.example\" denied the request"},
    {"its command was replaced, which says nothing", end_of("b", verdict::superseded), false,
     "2 refused, the last one shop/b: invalid: admission webhook \"no.example\" denied the request"},
    {"again, after a slow retry", end_of("a", verdict::refused, errc::quota, quota), true,
     "2 refused, the last one shop/a: quota: exceeded quota: exports"},
    {"a missing right is no matter of one export", end_of("c", verdict::refused, errc::forbidden), false,
     "2 refused, the last one shop/a: quota: exceeded quota: exports"},
    {"its content changed and was written", end_of("a", verdict::done), true,
     "1 refused, the last one shop/b: invalid: admission webhook \"no.example\" denied the request"},
    {"now it is a right", end_of("b", verdict::refused, errc::forbidden), true, ""},
  };
  refusals held;
  for (const auto& [name, end, changes, text] : table) {
    SCOPED_TRACE(name);
    EXPECT_EQ(held.answered({"shop", end.slice_uid}, end), changes);
    EXPECT_EQ(held.text(), text);
  }
  held.answered({"shop", "a"}, table[1].end);
  EXPECT_TRUE(held.ended("a"));
  EXPECT_FALSE(held.ended("a"));
  EXPECT_EQ(held.text(), "");
}

} // namespace
} // namespace sliceferry::core
