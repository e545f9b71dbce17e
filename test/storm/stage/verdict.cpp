#include "test/storm/stage/verdict.hpp"

#include <boost/json.hpp>
#include <fmt/format.h>

namespace sliceferry::storm {
namespace {

namespace json = boost::json;

std::string_view name_of(verdict::kind is) {
  switch (is) {
    case verdict::kind::clean:
      return "clean";
    case verdict::kind::faulty:
      return "faulty";
    case verdict::kind::broken:
      return "broken";
    case verdict::kind::interrupted:
      return "interrupted";
  }
  return {};
}

template <class Texts>
json::array array_of(const Texts& texts) {
  json::array out;
  for (const auto& each : texts)
    out.emplace_back(each);
  return out;
}

json::object object_of(const std::map<std::string, std::uint64_t>& counts) {
  json::object out;
  for (const auto& [name, count] : counts)
    out[name] = count;
  return out;
}

json::object options_of(const run_options& options) {
  return {{"seconds", static_cast<double>(options.length.count()) / 1000},
          {"members", options.members},
          {"slices", options.slices},
          {"rate", options.rate},
          {"seed", options.seed},
          {"storm", array_of(options.storms)},
          {"faults", array_of(options.faults)},
          {"qps", options.qps},
          {"burst", options.burst},
          {"servers", options.servers.empty() ? "simulated" : "real"}};
}

std::string recovery_of(const verdict& end) {
  if (end.owed_after_outage == 0)
    return {};
  const auto seconds = [](std::chrono::microseconds each) { return static_cast<double>(each.count()) / 1e6; };
  return fmt::format("; {} slices owed when the hub came back, right {:.1f} s later ({:.1f} s allowed)",
                     end.owed_after_outage, seconds(end.recovered), seconds(end.recovery_limit));
}

std::string kills_of(const verdict& end) {
  std::uint64_t all = 0;
  std::string how;
  for (const auto& [moment, count] : end.kills) {
    all += count;
    how += fmt::format("{}{} {}", how.empty() ? "" : ", ", count, moment);
  }
  return all == 0 ? "" : fmt::format("; killed {} times ({}), and a restart in sync wrote nothing", all, how);
}

std::string journal_of(const verdict& end) {
  if (!end.journal)
    return "; without a journal";
  const auto& told = *end.journal;
  std::string out = fmt::format("; {} records of its journal explain its {} writes", told.records, told.writes);
  if (told.excused != 0)
    out += fmt::format(", {} excused by the disk", told.excused);
  if (told.interruptions != 0)
    out += fmt::format(", {} interruptions of {:.1f} s", told.interruptions,
                       static_cast<double>(told.interrupted.count()) / 1000);
  return out;
}

json::value report_of_journal(const verdict& end) {
  if (!end.journal)
    return nullptr;
  const auto& told = *end.journal;
  return {{"records", told.records}, {"writes", told.writes},
          {"excused", told.excused}, {"interruptions", told.interruptions},
          {"streams", told.streams}, {"interrupted_ms", told.interrupted.count()}};
}

json::array forecast_of(const std::vector<fault>& forecast) {
  json::array out;
  for (const auto& each : forecast) {
    json::object line = json::parse(to_json(each)).as_object();
    line["at_ms"] = each.at.count();
    out.emplace_back(std::move(line));
  }
  return out;
}

} // namespace

int verdict::exit_code() const {
  switch (is) {
    case kind::clean:
      return 0;
    case kind::faulty:
      return 1;
    case kind::broken:
      return 3;
    case kind::interrupted:
      return 130;
  }
  return 3;
}

std::string line_of(const verdict& end, const run_options& options) {
  switch (end.is) {
    case verdict::kind::clean:
      return fmt::format(
        "clean: after {} changes the hub holds exactly the {} exports that it must, right {:.1f} s after "
        "the storm; nothing happened on the way that must not; {:.2f} writes per change{}{}{} (seed {})",
        end.last.changes, end.last.exports, static_cast<double>(end.drained.count()) / 1000, end.writes_per_change,
        recovery_of(end), kills_of(end), journal_of(end), options.seed);
    case verdict::kind::faulty:
      return fmt::format("NOT clean: {} (seed {})",
                         end.reasons.size() == 1 ? "1 fault" : fmt::format("{} faults", end.reasons.size()),
                         options.seed);
    case verdict::kind::broken:
      return "no verdict: the run itself broke";
    case verdict::kind::interrupted:
      return "no verdict: interrupted";
  }
  return {};
}

std::string report_of(const verdict& end, const run_options& options) {
  json::object out{{"verdict", name_of(end.is)},
                   {"options", options_of(options)},
                   {"reasons", array_of(end.reasons)},
                   {"violations_by_rule", object_of(end.by_rule)},
                   {"changes", end.last.changes},
                   {"exports", end.last.exports},
                   {"drained_ms", end.drained.count()},
                   {"propagation_us", {{"p50", end.last.p50.count()}, {"p99", end.last.p99.count()}}},
                   {"writes_per_change", end.writes_per_change},
                   {"called_changes", end.called_changes},
                   {"owed_after_outage", end.owed_after_outage},
                   {"recovered_us", end.recovered.count()},
                   {"recovery_limit_us", end.recovery_limit.count()},
                   {"program_writes", object_of(end.writes)},
                   {"program_requests", object_of(end.last.program.requests)},
                   {"program_starts", end.last.process_starts},
                   {"watch_restarts", end.last.program.watch_restarts},
                   {"resident_bytes", end.last.process.resident_bytes},
                   {"memory_ratio", end.flat.memory_ratio},
                   {"flatness_measured", end.flat.measured},
                   {"private_bytes", end.last.process.private_bytes},
                   {"journal", report_of_journal(end)},
                   {"kills", object_of(end.kills)},
                   {"forecast", forecast_of(end.forecast)}};
  return json::serialize(out);
}

} // namespace sliceferry::storm
