#include "test/storm/weather/fault.hpp"
#include "test/storm/weather/fault_table.hpp"

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <utility>

namespace sliceferry::storm {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds pace{2'500};          ///< between the begins of faults, on average
constexpr milliseconds program_rests{8'000}; ///< after it was killed or stopped, to come to its senses
constexpr std::size_t at_once_max = 3;
constexpr std::uint32_t hub_percent = 40; ///< the hub's share of the faults of clusters

/// How long a fault occupies its place.
milliseconds length_of(const fault& each, const fault_kind& kind) {
  return kind.is_outage ? std::max(each.lasts, each.amount) : each.lasts;
}

class almanac {
public:
  explicit almanac(const weather_options& options)
    : members_{options.members}, chance_{options.seed ^ 0xfa017U}, end_{options.length -
                                                                        std::max(options.length / 10,
                                                                                 milliseconds{2'000})} {
    for (const auto& name : options.faults) {
      const auto named = kinds_named(name);
      if (!named)
        throw std::invalid_argument{"there is no fault '" + name + "'"};
      for (const auto* each : *named)
        if (std::find(kinds_.begin(), kinds_.end(), each) == kinds_.end())
          kinds_.push_back(each);
    }
  }

  std::vector<fault> fill() {
    const milliseconds lead = std::clamp(end_ / 10, milliseconds{0}, milliseconds{1'000});
    for (milliseconds slot = lead; slot < end_ && !kinds_.empty(); slot += pace)
      strike(slot + milliseconds{chance_.below(static_cast<std::uint64_t>(pace.count() / 2))});
    return std::move(out_);
  }

private:
  struct stay {
    const fault_kind* kind;
    milliseconds until;
    std::string where;
  };

  /// One fault, of the kind that has waited longest among those that may strike now.
  void strike(milliseconds now) {
    const auto running = std::count_if(stays_.begin(), stays_.end(), [&](const auto& x) { return x.until > now; });
    if (static_cast<std::size_t>(running) >= at_once_max)
      return;
    if (waiting_.size() <= kinds_.size())
      shuffle_in();
    for (auto each = waiting_.begin(); each != waiting_.end(); ++each)
      if (auto made = try_kind(**each, now)) {
        stays_.push_back({*each, now + length_of(*made, **each), made->where});
        out_.push_back(std::move(*made));
        waiting_.erase(each);
        return;
      }
  }

  void shuffle_in() {
    auto round = kinds_;
    for (std::size_t i = round.size(); i > 1; --i)
      std::swap(round[i - 1], round[chance_.below(i)]);
    waiting_.insert(waiting_.end(), round.begin(), round.end());
  }

  std::optional<fault> try_kind(const fault_kind& kind, milliseconds now) {
    fault made;
    made.at = now;
    made.kind = kind.name;
    made.lasts = drawn(kind.lasts_ms);
    made.amount = drawn(kind.amount_ms);
    made.share = chance_.between(kind.share_percent.least, kind.share_percent.most) / 100.0;
    made.seed = chance_.roll() >> 11U; // a double holds it, as some readers of JSON would have it
    if (kind.name == "clock_step" && chance_.chance(50))
      made.amount = -made.amount;
    // What is left of the time may do for a shorter one.
    made.lasts = std::min(made.lasts, std::max(end_ - now, milliseconds{kind.lasts_ms.least}));
    const milliseconds until = now + length_of(made, kind);
    if (until > end_)
      return std::nullopt;
    for (auto& where : places(kind))
      if (is_free(kind, where, now)) {
        made.where = std::move(where);
        return made;
      }
    return std::nullopt;
  }

  milliseconds drawn(const extent& range) { return milliseconds{chance_.between(range.least, range.most)}; }

  std::vector<std::string> places(const fault_kind& kind) {
    if (kind.where == fault_place::program)
      return {"program"};
    std::vector<std::string> out;
    if (kind.where != fault_place::member || members_.empty())
      out.emplace_back("hub");
    if (kind.where == fault_place::hub || members_.empty())
      return out;
    const std::size_t first = chance_.below(members_.size());
    for (std::size_t i = 0; i < members_.size(); ++i)
      out.push_back(members_[(first + i) % members_.size()]);
    if (kind.where == fault_place::any_cluster && !chance_.chance(hub_percent))
      std::rotate(out.begin(), out.begin() + 1, out.end());
    return out;
  }

  bool is_free(const fault_kind& kind, const std::string& where, milliseconds now) const {
    return std::none_of(stays_.begin(), stays_.end(), [&](const stay& x) {
      const bool excludes = x.kind == &kind || (x.kind->is_outage && (kind.is_outage || where == "program"));
      const milliseconds rest = where == "program" && x.kind->is_outage ? program_rests : milliseconds{0};
      return x.where == where && excludes && now < x.until + rest;
    });
  }

  std::vector<std::string> members_;
  dice chance_;
  milliseconds end_; ///< of all faults
  std::vector<const fault_kind*> kinds_;
  std::vector<const fault_kind*> waiting_;
  std::vector<stay> stays_;
  std::vector<fault> out_;
};

} // namespace

std::vector<fault> forecast(const weather_options& options) {
  return almanac{options}.fill();
}

} // namespace sliceferry::storm
