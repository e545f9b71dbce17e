#pragma once
#include "actors/core/jitter.hpp"
#include "actors/core/packed_uuid.hpp"
#include "actors/journal/memory_codec.hpp"

#include <chrono>
#include <cstring>
#include <string>
#include <utility>

namespace sliceferry::journal {

/// Records and memories of every kind and shape, from a seed; ordinary values and the edges of what fits.
class random_records {
public:
  explicit random_records(std::uint64_t seed) : random_(seed) {}

  std::uint64_t next() { return random_.next(); }
  std::uint64_t pick(std::uint64_t below) { return random_.next() % below; }
  bool toss() { return pick(2) == 0; }

  std::string text(std::size_t size_max) {
    std::string out(pick(size_max + 1), ' ');
    for (char& each : out)
      each = static_cast<char>(toss() ? 'a' + static_cast<char>(pick(26)) : static_cast<char>(pick(256)));
    return out;
  }

  std::uint64_t number() {
    const std::uint64_t all = random_.next();
    return all >> pick(65) % 64;
  }
  std::int64_t signed_number() {
    const auto magnitude = static_cast<std::int64_t>(number() >> 1U);
    return toss() ? magnitude : -magnitude - 1;
  }

  std::string uid() {
    if (pick(4) == 0)
      return text(pick(20) == 0 ? 700 : 40);
    core::packed_uuid packed{};
    for (auto& byte : packed)
      byte = static_cast<std::uint8_t>(pick(256));
    return core::spell(packed);
  }

  seconds_utc second() { return seconds_utc{std::chrono::seconds{signed_number()}}; }
  moment millisecond() { return moment{std::chrono::milliseconds{signed_number()}}; }
  stream_id stream() { return {pick(20) == 0 ? text(600) : text(63), uid()}; }
  object_key key() { return {text(63), text(253)}; }

  std::vector<std::string> uids() {
    std::vector<std::string> out(pick(4));
    for (auto& each : out)
      each = uid();
    return out;
  }

  proof why() { return static_cast<proof>(pick(6)); }

  core::memory memory() {
    core::memory out;
    out.name = text(80);
    out.generation = signed_number();
    out.since = second();
    out.hub_uids = uids();
    out.digest = toss() ? number() : 0;
    out.accepted = toss() ? out.digest : number();
    for (auto n = pick(4); n > 0; --n)
      out.withdrawals.push_back({text(80), uid(), why(), toss()});
    out.names_chosen = static_cast<std::uint32_t>(number());
    out.annotated_in_row = static_cast<std::uint32_t>(number());
    out.name_pending = toss();
    out.annotate_owed = toss();
    out.annotate_refused = toss();
    out.apply_owed = toss();
    out.over = toss();
    return out;
  }

  /// One alternative after the other as `nth` counts up.
  event told(std::uint64_t nth) {
    switch (nth % std::variant_size_v<event>) {
      case 0:
        return adopted{text(80), signed_number(), second(), uids(), number()};
      case 1:
        return generation_seen{signed_number(), second()};
      case 2:
        return name_chosen{text(80)};
      case 3:
        return annotated{signed_number()};
      case 4:
        return export_applied{text(80), uid(), number(), number()};
      case 5:
        return withdrawal_begun{text(80), uid(), why()};
      case 6:
        return withdrawal_cancelled{};
      case 7:
        return export_withdrawn{uid()};
      case 8:
        return annotations_cleared{};
      case 9:
        return refused{text(10), text(400)};
      case 10:
        return drift_repaired{text(100)};
      case 11:
        return contradiction{text(100)};
      default:
        return slice_gone{};
    }
  }

  journal_record record(std::uint64_t nth) {
    constexpr auto events = std::variant_size_v<event>;
    const auto kind = nth % (events + 2);
    journal_record out{nth + 1, millisecond(), {}, {}, interruption{millisecond(), text(100)}};
    if (kind > events)
      return out;
    out.whose = stream();
    out.slice = key();
    if (kind < events)
      out.what = told(kind);
    else
      out.what = remembered{memory()};
    return out;
  }

  kept_memory kept() { return {number(), key(), memory(), toss() ? stream_id{} : stream()}; }

private:
  core::jitter random_;
};

} // namespace sliceferry::journal
