#include "test/core/member_makers.hpp"

#include <gtest/gtest.h>

#include <set>

namespace sliceferry::core {
namespace {

constexpr int count = 1000;

std::set<std::string> whom(const touched& seen) {
  return {seen.uids.begin(), seen.uids.end()};
}

/// A table that has heard `count` slices, each of the service that `service_of` names.
template <class ServiceOf>
member_table heard(ServiceOf service_of, const std::vector<service_export>& consents) {
  member_table out{make_identity()};
  std::vector<endpoint_slice> slices;
  for (int i = 0; i < count; ++i)
    slices.push_back(make_slice("s" + std::to_string(i), "uid-" + std::to_string(i), 10, service_of(i)));
  out.slices(listed(slices));
  out.consents(listed(consents));
  out.exports(listed<slice_export>({}));
  return out;
}

// A20: the Go agent lists the namespace for each change of a ServiceExport, whatever changed.

TEST(ManySlices, OfOneServiceFollowItsVerdictTogether) {
  auto table = heard([](int) { return "web"; }, {make_consent("web", 20)});
  EXPECT_TRUE(table.consents(applied(make_consent("web", 21))).uids.empty()) << "D15 no new verdict";
  EXPECT_EQ(whom(table.consents(applied(make_consent("web", 22, false)))).size(), std::size_t{count});
  EXPECT_EQ(table.inputs_of("uid-999").says, consent::invalid);
  EXPECT_EQ(whom(table.consents(applied(make_consent("web", 23)))).size(), std::size_t{count});
  EXPECT_EQ(table.inputs_of("uid-0").says, consent::granted);
}

TEST(ManySlices, OfManyServicesFollowTheirOwn) {
  const auto service_of = [](int i) { return "v" + std::to_string(i); };
  std::vector<service_export> consents;
  for (int i = 0; i < count; ++i)
    consents.push_back(make_consent(service_of(i), 20));
  auto table = heard(service_of, consents);
  for (int i = 0; i < count; ++i) {
    EXPECT_EQ(whom(table.consents(applied(make_consent(service_of(i), 21 + i, false)))),
              std::set<std::string>{"uid-" + std::to_string(i)});
  }
}

} // namespace
} // namespace sliceferry::core
