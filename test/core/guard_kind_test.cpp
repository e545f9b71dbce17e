#include "actors/core/guard.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace sliceferry::core {
namespace {

using namespace std::chrono_literals;

constexpr guard_limits small{30, 3, 60s};

/// Of 10 exports 4 are to go at once, in namespace `shop`, which is there.
guard tripped() {
  guard out{small};
  out.ask({{"u1", "shop"}, {"u2", "shop"}, {"u3", "shop"}, {"u4", "shop"}}, 10, tick{});
  out.namespace_read("shop", existence::exists, tick{});
  return out;
}

/// As above, and the CRD turned out to be missing.
guard holding() {
  auto out = tripped();
  out.kind_read(existence::missing, tick{});
  return out;
}

TEST(GuardKind, ThatIsLostIsWaitedForWithNoList) {
  using enum existence;
  for (const auto& [how, text] : {std::pair{missing, "CRD of ServiceExports is missing"},
                                  {terminating, "CRD of ServiceExports is being deleted"}}) {
    auto subject = tripped();
    subject.kind_read(how, tick{});
    EXPECT_EQ(subject.state(), guard_state::holding);
    EXPECT_NE(subject.text().find(text), std::string::npos) << subject.text();
  }
}

TEST(GuardKind, ThatIsLostIsConcludedOnceItsNamespacesAreRead) {
  guard subject{small};
  subject.ask({{"u1", "shop"}, {"u2", "shop"}, {"u3", "shop"}, {"u4", "bank"}}, 10, tick{});
  subject.kind_read(existence::missing, tick{});
  subject.namespace_read("shop", existence::exists, tick{});
  EXPECT_EQ(subject.state(), guard_state::checking) << "a namespace that ends explains its slices all the same";
  EXPECT_EQ(subject.namespace_read("bank", existence::terminating, tick{}).notify, std::vector<std::string>{"u4"});
  EXPECT_EQ(subject.state(), guard_state::holding);
}

TEST(GuardKind, IsLookedForWithEachListOfServiceExports) {
  using enum existence;
  struct row {
    const char* name;
    existence found;
    tick then;
    const char* text;
  };
  const tick usual = tick{} + guard::recheck_after;
  const tick quiet = tick{} + 2s + small.window;
  const row table[] = {
    {"still missing", missing, usual, "is missing"},
    {"going", terminating, usual, "is being deleted;"},
    {"back", exists, quiet, "is back"},
    {"the right to look is lost", unknown, quiet, "is back"},
  };
  for (const auto& [name, found, then, text] : table) {
    SCOPED_TRACE(name);
    auto subject = holding();
    EXPECT_EQ(subject.list_done(mirrored::slices, false, tick{} + 1s), guard::orders{});
    guard::orders only_kind;
    only_kind.read_kind = true;
    EXPECT_EQ(subject.list_done(mirrored::consents, false, tick{} + 1s), only_kind);
    EXPECT_EQ(subject.kind_read(found, tick{} + 2s), guard::orders{});
    EXPECT_EQ(subject.state(), guard_state::holding) << "what went with it is put back after it";
    EXPECT_EQ(subject.due(), then);
    EXPECT_NE(subject.text().find(text), std::string::npos) << subject.text();
    EXPECT_TRUE(subject.review(then).check);
    EXPECT_FALSE(subject.leave("u1")) << "the check is to be passed as ever";
  }
}

TEST(GuardKind, ThatIsBackIsNotLookedForAgain) {
  auto subject = holding();
  subject.kind_read(existence::exists, tick{});
  EXPECT_EQ(subject.list_done(mirrored::consents, false, tick{} + 1s), guard::orders{});
  subject.forget({"u1"}, tick{} + 10s);
  EXPECT_EQ(subject.due(), tick{} + 10s + small.window) << "more may come back";
  const auto later = *subject.due();
  subject.review(later);
  subject.namespace_read("shop", existence::exists, later);
  subject.kind_read(existence::missing, later);
  EXPECT_EQ(subject.due(), later + guard::recheck_after);
  EXPECT_TRUE(subject.list_done(mirrored::consents, false, later).read_kind) << "it is lost again";
}

TEST(GuardKind, IsNotLookedForWhereSomethingElseHolds) {
  auto subject = tripped();
  for (const auto which : {mirrored::consents, mirrored::exports, mirrored::slices}) {
    subject.list_began(which);
    subject.list_done(which, true, tick{});
  }
  subject.kind_read(existence::exists, tick{});
  ASSERT_EQ(subject.state(), guard_state::holding);
  EXPECT_EQ(subject.list_done(mirrored::consents, false, tick{}), guard::orders{});
  const auto before = subject.due();
  subject.kind_read(existence::exists, tick{} + 1s);
  EXPECT_EQ(subject.due(), before);
}

TEST(GuardKind, NumbersTellItsChecksApart) {
  auto subject = holding();
  const auto first = subject.number();
  EXPECT_EQ(tripped().number(), first) << "an answer is no check";
  subject.review(*subject.due());
  const auto second = subject.number();
  EXPECT_NE(second, first) << "checked again";
  subject.allow(tick{} + 5min);
  subject.ask({{"u5", "shop"}, {"u6", "shop"}, {"u7", "shop"}, {"u8", "shop"}}, 10, tick{} + 5min);
  EXPECT_NE(subject.number(), second);
  EXPECT_NE(subject.number(), first);
}

} // namespace
} // namespace sliceferry::core
