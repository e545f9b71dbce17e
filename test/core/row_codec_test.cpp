#include "actors/core/row_codec.hpp"

#include "messages/rfc3339.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace sliceferry::core {
namespace {

/// Rows of every kind: as Kubernetes makes them, and as nobody should.
class row_maker {
public:
  explicit row_maker(unsigned seed) : dice_(seed) {}

  slice_row row() {
    slice_row out;
    out.uid = one_in(5) ? "" : uid();
    out.recorded = !out.uid.empty() && !one_in(3);
    out.waiting = !out.uid.empty() && !out.recorded && !one_in(3);
    if (out.recorded) {
      out.gone = one_in(3);
      out.leftover = out.gone && one_in(2);
      out.assumed = one_in(5);
      out.awake = one_in(3);
      out.number = one_in(3) ? any_number() : draw() % 9;
    }
    if (out.recorded || out.waiting) {
      out.key = {nspace(), name()};
      if (!one_in(4))
        out.kept = kept(out);
    }
    if (out.recorded && !out.gone) {
      out.slice = slice(out);
      out.heard = heard();
    }
    for (auto count = draw() % 4; count > 0; --count)
      out.exports.push_back(exported(out));
    if (!out.exports.empty() && one_in(2))
      agree(out);
    return out;
  }

private:
  std::uint32_t draw() { return static_cast<std::uint32_t>(dice_()); }
  bool one_in(unsigned n) { return draw() % n == 0; }
  template <class T>
  T pick(std::initializer_list<T> those) {
    return *(those.begin() + draw() % those.size());
  }
  std::uint64_t any_number() { return (std::uint64_t{draw()} << 32 | draw()) >> draw() % 64; }
  std::int64_t any_signed() {
    return pick<std::int64_t>({0, 1, 7, -1, std::numeric_limits<std::int64_t>::max(),
                               std::numeric_limits<std::int64_t>::min(), static_cast<std::int64_t>(any_number())});
  }
  seconds_utc any_time() {
    return seconds_utc{std::chrono::seconds{one_in(4) ? any_signed() : 1'750'000'000 + draw() % 100}};
  }
  std::string nspace() { return pick<std::string>({"shop", "team-7", "", std::string(90, 'n')}); }
  std::string name() {
    return pick<std::string>({"web-x7f3k", "web", "", "UPPER.case", std::string(253, 'w'), std::string("nul\0in", 6)});
  }
  std::string uid() {
    return pick<std::string>({"0b0f6a5e-53a1-4f11-9c62-7d4a4e8f1d3b", "0B0F6A5E-53A1-4F11-9C62-7D4A4E8F1D3B", "uid-1",
                              "x", "0b0f6a5e53a14f119c627d4a4e8f1d3b", "7d4a4e8f-0000-4000-8000-000000000000"});
  }
  std::string version() {
    return pick<std::string>({"", "0", "7", "007", "-7", "7300000001", "9223372036854775807", "9223372036854775808",
                              "18446744073709551616", "opaque", "7 ", "+7"});
  }
  std::string address() {
    return pick<std::string>({"10.0.0.1", "255.255.255.255", "0.0.0.0", "10.0.0.01", "10.0.0.256", "10.0.0",
                              "10.0.0.1.", "fd00::1", "2001:db8::10.0.0.1", "host.example.org", "", "1.2.3.4 ",
                              "+1.2.3.4"});
  }
  hearing heard() { return {one_in(3) ? any_number() >> 2 : 1, one_in(3), one_in(3) ? draw() % 1000 : 0}; }

  std::optional<std::string> perhaps(std::string text) {
    return one_in(3) ? std::nullopt : std::optional{std::move(text)};
  }

  std::vector<endpoint> endpoints() {
    std::vector<endpoint> out(draw() % 4);
    for (auto& each : out)
      for (auto count = one_in(3) ? draw() % 3 : 1; count > 0; --count)
        each.addresses.push_back(one_in(2) ? "10.1.2." + std::to_string(draw() % 256) : address());
    return out;
  }

  port_list ports() {
    if (one_in(4))
      return std::nullopt;
    std::vector<port> out(draw() % 3);
    for (auto& each : out)
      each = {perhaps(pick<std::string>({"http", ""})), perhaps(pick<std::string>({"TCP", ""})),
              one_in(3) ? std::nullopt : std::optional{pick({80, 0, -1, 65535})}, perhaps("kubernetes.io/h2c")};
    return out;
  }

  std::string export_name(const object_key& of) {
    return pick<std::string>({"m1-" + of.nspace + '-' + of.name + "-abc1234", "m1-" + of.nspace + '-' + of.name + '-',
                              "m1-", "", "elsewhere", "m1-shop-web-x7f3k-9zz9zz9"});
  }

  std::shared_ptr<const endpoint_slice> slice(const slice_row& of) {
    endpoint_slice out;
    out.key = of.key;
    out.uid = of.uid;
    out.resource_version = version();
    out.generation = any_signed();
    out.deleting = one_in(3);
    out.address_type = pick<std::string>({"IPv4", "IPv6", "FQDN", ""});
    out.service = perhaps(pick<std::string>({"web", "", "other", out.key.name}));
    out.managed_by = pick<std::string>({"endpointslice-controller.k8s.io", ""});
    out.ours.name = perhaps(export_name(of.key));
    out.ours.generation = perhaps(pick<std::string>(
      {std::to_string(out.generation), std::to_string(any_signed()), "", "07", "-0", "+3", "many", "1e3"}));
    out.ours.timestamp =
      perhaps(pick<std::string>({format_rfc3339(any_time()), "2025-06-01T00:00:00Z", "2025-06-01T02:00:00+02:00",
                                 "2025-06-01T00:00:00.5Z", "noon", ""}));
    out.ready = endpoints();
    out.fallback = endpoints();
    out.ports = ports();
    return std::make_shared<const endpoint_slice>(std::move(out));
  }

  held_export exported(const slice_row& of) {
    held_export out;
    out.slice = one_in(3) ? object_key{nspace(), name()} : of.key;
    out.created = one_in(2);
    out.heard = heard();
    out.seen.name = of.slice && of.slice->ours.name && one_in(2) ? *of.slice->ours.name : export_name(out.slice);
    out.seen.uid = uid();
    out.seen.resource_version = version();
    out.seen.created = any_time();
    out.seen.generation = of.slice && one_in(2) ? of.slice->generation : any_signed();
    out.seen.since = one_in(3) ? std::nullopt : std::optional{any_time()};
    out.seen.digest = any_number();
    out.seen.terminating = one_in(3);
    return out;
  }

  memory kept(const slice_row& of) {
    memory out;
    out.name = export_name(of.key);
    out.generation = any_signed();
    out.since = any_time();
    for (auto count = draw() % 3; count > 0; --count)
      out.hub_uids.push_back(uid());
    out.digest = one_in(2) ? 0 : any_number();
    out.accepted = one_in(2) ? out.digest : any_number();
    for (auto count = draw() % 3; count > 0; --count)
      out.withdrawals.push_back({export_name(of.key), uid(), static_cast<proof>(draw() % 6), one_in(2)});
    out.names_chosen = one_in(2) ? 0 : draw();
    out.annotated_in_row = one_in(2) ? 0 : draw();
    for (bool* const each : {&out.name_pending, &out.annotate_owed, &out.annotate_refused, &out.apply_owed, &out.over})
      *each = one_in(4);
    return out;
  }

  /// Slice, export and memory say the same, as they do of a settled slice; in part, at times.
  void agree(slice_row& row) {
    auto& seen = row.exports[0].seen;
    if (row.slice && row.slice->ours.name && !one_in(4))
      seen.name = row.kept.name = *row.slice->ours.name;
    if (row.slice && !one_in(4))
      seen.generation = row.kept.generation = row.slice->generation;
    if (!one_in(4))
      seen.since = row.kept.since;
    if (!row.kept.name.empty() && !one_in(4)) {
      row.kept.hub_uids = {seen.uid};
      row.kept.digest = row.kept.accepted = seen.digest;
    }
  }

  std::mt19937 dice_;
};

TEST(RowCodec, GivesBackWhatItTook) {
  for (unsigned seed = 1; seed <= 10000; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    text_pool pool;
    const row_codec codec{"m1", pool};
    const slice_row row = row_maker{seed}.row();
    std::vector<std::uint32_t> acquired, told;
    const std::string bytes = codec.encode(row, acquired);
    ASSERT_TRUE(codec.decode(bytes, told) == row);
    ASSERT_EQ(told, acquired);
    ASSERT_EQ(row_codec::uid_of(bytes), row.uid);
    ASSERT_EQ(codec.identify(bytes), std::pair(row.uid, row.key));
    std::vector<hearing> heard;
    const row_head head = row_codec::peek(bytes, &heard);
    if (row.recorded) {
      slice_row marked = row;
      marked.awake = !row.awake;
      marked.number = seed % 3 == 0 ? row.number : seed;
      auto edited = bytes;
      std::vector<std::uint32_t> same;
      if (row_codec::mark(edited, marked.awake, marked.number)) {
        ASSERT_TRUE(codec.decode(edited, same) == marked);
      } else {
        ASSERT_NE(edited.size(), codec.encode(marked, acquired).size());
      }
    }
    ASSERT_EQ(head.recorded, row.recorded);
    ASSERT_EQ(head.waiting, row.waiting);
    ASSERT_EQ(head.assumed, row.assumed);
    ASSERT_EQ(head.has_slice, row.slice != nullptr);
    ASSERT_EQ(head.heard, row.heard);
    ASSERT_EQ(heard.size(), row.exports.size());
    for (std::size_t i = 0; i < heard.size(); ++i)
      ASSERT_EQ(heard[i], row.exports[i].heard);
    for (const auto id : acquired)
      pool.release(id);
    ASSERT_EQ(pool.size(), 0U) << "a use is left";
  }
}

// A settled slice repeats almost everything three times: that must not be stored.
TEST(RowCodec, PacksASettledSliceTightly) {
  slice_row row;
  row.uid = "0b0f6a5e-53a1-4f11-9c62-7d4a4e8f1d3b";
  row.recorded = true;
  row.number = 1;
  row.key = {"team-42-production", "storefront-checkout-backend-12-x7f3k"};
  endpoint_slice slice;
  slice.key = row.key;
  slice.uid = row.uid;
  slice.resource_version = "7300000001";
  slice.generation = 12;
  slice.address_type = "IPv4";
  slice.service = "storefront-checkout-backend-12";
  slice.ours = {"m1-team-42-production-storefront-checkout-backend-12-x7f3k-abc1234", "12", "2025-06-01T00:00:00Z"};
  slice.ready = {{{"10.0.0.1"}}, {{"10.0.0.2"}}};
  row.slice = std::make_shared<const endpoint_slice>(slice);
  row.heard.list = 1;
  hub_export seen;
  seen.name = *slice.ours.name;
  seen.uid = "7d4a4e8f-0000-4000-8000-000000000000";
  seen.resource_version = "7300000002";
  seen.since = parse_rfc3339(*slice.ours.timestamp);
  seen.created = *seen.since + std::chrono::seconds(2);
  seen.generation = 12;
  seen.digest = 0x123456789abcdef0U;
  row.exports.push_back({seen, false, row.key, {1, false, 0}});
  row.kept.name = seen.name;
  row.kept.generation = 12;
  row.kept.since = *seen.since;
  row.kept.hub_uids = {seen.uid};
  row.kept.digest = row.kept.accepted = seen.digest;
  text_pool pool;
  std::vector<std::uint32_t> used;
  EXPECT_LE(row_codec("m1", pool).encode(row, used).size(), 130U);
}

} // namespace
} // namespace sliceferry::core
