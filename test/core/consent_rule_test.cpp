#include "actors/core/consent_rule.hpp"

#include <gtest/gtest.h>

#include <optional>

namespace sliceferry::core {
namespace {

using status = condition::status;

service_export with(std::optional<condition> valid, std::optional<condition> conflict, bool deleting = false) {
  service_export out;
  out.generation = 2;
  out.deleting = deleting;
  out.valid = valid;
  out.conflict = conflict;
  return out;
}

TEST(Judge, FollowsTheConditions) {
  const condition yes{status::yes, 2};
  const condition no{status::no, 2};
  const condition unknown{status::unknown, 2};
  const condition undated_yes{status::yes, {}};
  const condition undated_no{status::no, {}};
  const condition old_yes{status::yes, 1};
  const condition old_no{status::no, 1};
  struct row {
    const char* name;
    consent before;
    service_export seen;
    consent says;
  };
  const row table[] = {
    {"C16 valid and without conflict", consent::absent, with(yes, no), consent::granted},
    {"C16 nothing judged yet", consent::absent, with({}, {}), consent::pending},
    {"C16 still nothing judged", consent::pending, with({}, {}), consent::pending},
    {"C16 verdicts wiped", consent::granted, with({}, {}), consent::invalid},
    {"C16 only one of two judged yet", consent::absent, with(yes, {}), consent::invalid},
    {"C16 Valid missing", consent::granted, with({}, no), consent::invalid},
    {"C16 Conflict missing", consent::granted, with(yes, {}), consent::invalid},
    {"C16 Valid false", consent::granted, with(no, no), consent::invalid},
    {"C16 Valid unknown", consent::granted, with(unknown, no), consent::invalid},
    {"C16 Conflict true", consent::granted, with(yes, yes), consent::conflicted},
    {"C16 Conflict unknown", consent::granted, with(yes, unknown), consent::invalid},
    {"C16 both wrong", consent::granted, with(no, yes), consent::invalid},
    {"C17 deleting comes first", consent::granted, with(yes, no, true), consent::deleting},
    {"C17 deleting and never judged", consent::absent, with({}, {}, true), consent::deleting},
    {"D30 undated counts as current", consent::absent, with(undated_yes, undated_no), consent::granted},
    {"D30 outdated, granted before", consent::granted, with(old_yes, old_no), consent::granted},
    {"D30 outdated, invalid before", consent::invalid, with(old_yes, old_no), consent::invalid},
    {"D30 outdated, conflicted before", consent::conflicted, with(old_yes, old_no), consent::conflicted},
    {"D30 outdated, nothing known", consent::absent, with(old_yes, old_no), consent::pending},
    {"D30 outdated, pending before", consent::pending, with(old_yes, old_no), consent::pending},
    {"D30 outdated verdict against it", consent::granted, with(old_no, old_yes), consent::granted},
    {"D30 one of two outdated", consent::absent, with(yes, old_no), consent::pending},
    {"D30 one current verdict forbids", consent::granted, with(no, old_no), consent::invalid},
    {"D30 one current conflict forbids", consent::granted, with(old_yes, yes), consent::conflicted},
  };
  for (const auto& [name, before, seen, says] : table) {
    SCOPED_TRACE(name);
    EXPECT_EQ(judge(before, seen), says);
  }
}

} // namespace
} // namespace sliceferry::core
