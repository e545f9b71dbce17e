#include "actors/log_line.hpp"
#include "actors/log_repeats.hpp"

#include <gtest/gtest.h>

namespace sliceferry::log {
namespace {

using namespace std::chrono_literals;

TEST(LogLine, RendersTextAndJson) {
  struct row {
    const char* name;
    const char* message;
    fields values;
    const char* text;
    const char* json;
  };
  const std::string member = "m1";
  const fields plain{{"member", member}, {"reason", "not granted"}};
  const fields numbers{{"count", 3U}, {"delta", -4}, {"ready", true}};
  const fields awkward{{"empty", ""}, {"pair", "a=b"}, {"quote", "say \"hi\" \\"}};
  const fields control{{"a", "one\ntwo\r\tthree"}, {"b", "\x1b[31mred\x7f"}, {"c", "\xc2\x9b"}};
  const fields foreign{{"good", "Zürich €"}, {"bad", "a\xff\xc0\x80z"}, {"cut", "\xe2\x82"}};
  const row table[] = {
    {"no fields", "started", {}, "started", R"("msg":"started")"},
    {"plain and quoted values", "exported", plain, R"(exported member=m1 reason="not granted")",
     R"("msg":"exported","member":"m1","reason":"not granted")"},
    {"numbers and truth are bare", "x", numbers, "x count=3 delta=-4 ready=true",
     R"("msg":"x","count":3,"delta":-4,"ready":true)"},
    {"what quotes need", "x", awkward, R"(x empty="" pair="a=b" quote="say \"hi\" \\")",
     R"("msg":"x","empty":"","pair":"a=b","quote":"say \"hi\" \\")"},
    {"a line stays a line and a terminal unharmed", "two\nlines", control,
     R"(two\nlines a="one\ntwo\r\tthree" b="\u001b[31mred\u007f" c="\u009b")",
     R"("msg":"two\nlines","a":"one\ntwo\r\tthree","b":"\u001b[31mred\u007f","c":"\u009b")"},
    {"UTF-8 passes, other bytes are replaced", "x", foreign, "x good=\"Zürich €\" bad=\"a���z\" cut=\"��\"",
     "\"msg\":\"x\",\"good\":\"Zürich €\",\"bad\":\"a���z\",\"cut\":\"��\""},
  };
  for (const auto& [name, message, values, text, json] : table) {
    SCOPED_TRACE(name);
    EXPECT_EQ(to_text(message, values), text);
    EXPECT_EQ(to_json_members(message, values), json);
  }
}

TEST(LogLine, NeverHoldsCredentials) {
  struct row {
    const char* name;
    std::string text;
    const char* shown;
  };
  const std::string jwt = "eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiJrdWJlIn0.c2lnbmF0dXJl-_x";
  const row table[] = {
    {"AU28 a bearer token", "sent Bearer s3cr3t/abc+def== and more", "sent Bearer [redacted] and more"},
    {"AU28 in any case", "BEARER   s3cr3t", "BEARER   [redacted]"},
    {"AU28 a header", "Authorization: Bearer s3cr3t\r\nHost: a", "Authorization: [redacted]\r\nHost: a"},
    {"AU28 another scheme", "authorization: Basic dTpw, x", "authorization: [redacted], x"},
    {"AU28 a header as JSON", R"({"Authorization":"Bearer s3cr3t","a":1})", R"({"Authorization":"[redacted]","a":1})"},
    {"AU28 a JWT alone", "token " + jwt + " was refused", "token [redacted] was refused"},
    {"AU28 two of them", jwt + ' ' + jwt, "[redacted] [redacted]"},
    {"ordinary words stay", "the bearers of eyJunk are at base/abc", "the bearers of eyJunk are at base/abc"},
    {"the word alone is no header", "authorization mode RBAC", "authorization mode RBAC"},
    {"a bare word at the end", "Unauthorized bearer", "Unauthorized bearer"},
    {"empty", "", ""},
  };
  for (const auto& [name, text, shown] : table) {
    SCOPED_TRACE(name);
    EXPECT_EQ(redact(text), shown);
  }
  const fields values{{"error", "Bearer s3cr3t"}};
  EXPECT_EQ(to_text("refused Bearer s3cr3t", values), R"(refused Bearer [redacted] error="Bearer [redacted]")");
  EXPECT_EQ(to_json_members("refused", values), R"("msg":"refused","error":"Bearer [redacted]")");
}

TEST(LogRepeats, LetOneThroughAndCountTheRest) {
  log_repeats repeats{8, 60s};
  const tick start{};
  EXPECT_EQ(repeats.admit("a", start), 0U);
  EXPECT_EQ(repeats.admit("b", start), 0U);
  EXPECT_EQ(repeats.admit("a", start + 1s), std::nullopt);
  EXPECT_EQ(repeats.admit("a", start + 59s), std::nullopt);
  EXPECT_EQ(repeats.admit("a", start + 60s), 2U);
  EXPECT_EQ(repeats.admit("a", start + 61s), std::nullopt);
  EXPECT_EQ(repeats.admit("b", start + 61s), 0U);
  EXPECT_EQ(repeats.admit("a", start + 200s), 1U);
}

TEST(LogRepeats, ForgetTheLinePrintedLongestAgo) {
  log_repeats repeats{2, 60s};
  const tick start{};
  EXPECT_EQ(repeats.admit("a", start), 0U);
  EXPECT_EQ(repeats.admit("b", start + 1s), 0U);
  EXPECT_EQ(repeats.admit("c", start + 2s), 0U);           // forgets a
  EXPECT_EQ(repeats.admit("b", start + 3s), std::nullopt); // still known
  EXPECT_EQ(repeats.admit("a", start + 4s), 0U);           // forgets b
  EXPECT_EQ(repeats.admit("c", start + 5s), std::nullopt);
}

} // namespace
} // namespace sliceferry::log
