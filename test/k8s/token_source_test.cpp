#include "k8s/token_source.hpp"

#include "test/k8s/client_fixture.hpp"

namespace sliceferry::k8s::test {

namespace {

TEST(TokenSource, FollowsTheFileAndKeepsTheLastGoodToken) {
  temporary_folder folder;
  const auto file = folder.path("token");
  token_source tokens{"", file};
  auto now = token_source::time{} + 1h;
  EXPECT_FALSE(tokens.current(now)) << "AU03";
  folder.write("token", "one\n");
  EXPECT_FALSE(tokens.current(now + 500ms)) << "looked at once a second";
  now += 2s;
  EXPECT_EQ(tokens.current(now).value(), "one");

  folder.write("token", "two");
  EXPECT_EQ(tokens.current(now + 59s).value(), "one");
  now += 60s;
  EXPECT_EQ(tokens.current(now).value(), "two") << "AU01";

  for (const auto* broken : {"", " \n", "half\0a", "a b"}) {
    SCOPED_TRACE(broken);
    folder.write("token", broken == std::string{"half"} ? std::string{"half\0a", 6} : broken);
    now += 60s;
    EXPECT_EQ(tokens.current(now).value(), "two") << "AU02";
  }
  std::filesystem::remove(file);
  now += 60s;
  EXPECT_EQ(tokens.current(now).value(), "two") << "AU01";
  folder.write("token", "three");
  EXPECT_EQ(tokens.current(now + 1s).value(), "three") << "AU02 read again shortly";

  folder.write("token", "four");
  tokens.rejected();
  EXPECT_EQ(tokens.current(now + 2s).value(), "four") << "AU04";
}

TEST(TokenSource, InlineServesUntilTheFileCanBeRead) {
  temporary_folder folder;
  token_source tokens{"inline", folder.path("token")};
  const auto now = token_source::time{} + 1h;
  EXPECT_EQ(tokens.current(now).value(), "inline");
  folder.write("token", "file");
  EXPECT_EQ(tokens.current(now + 2s).value(), "file");
  EXPECT_EQ((token_source{"", ""}.current(now).value()), "") << "anonymous";
  EXPECT_EQ((token_source{" t\n", ""}.current(now).value()), "t");
}

} // namespace

} // namespace sliceferry::k8s::test
